import { useMemo } from 'react';
import type { listLinksOperation } from '../../../automations/operations.ts';
import { nameOf } from '../../accounts/account.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { LinkAddress } from '../../clicks/link-address.tsx';
import { Link } from '../../components/link.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { locale, words } from '../../words/words.ts';
import { titleOf } from '../automations/titles.ts';
import classes from './links.module.css';

export type TrackedLink = ReplyOf<typeof listLinksOperation>['links'][number];

const texts = words.linksPage.list;
const numbers = new Intl.NumberFormat(locale);

interface LinkTableProps {
  links: readonly TrackedLink[];
  isOfOne: boolean;
}

/** The links, the most clicked first. */
export function LinkTable({ links, isOfOne }: LinkTableProps) {
  const accounts = useAccountsById();
  const rows = links.toSorted((one, other) => other.clicks - one.clicks);
  const most = Math.max(1, rows[0]?.clicks ?? 0);
  const columns = useMemo((): readonly Column<TrackedLink>[] => {
    const automation: Column<TrackedLink> = {
      id: 'automation',
      title: texts.columns.automation,
      cell: ({ automation: of }) => {
        const account = accounts?.get(of.accountId);
        return (
          <div className={classes.of}>
            <Link to="/automations/$id" params={{ id: of.id }}>
              <bdi>{titleOf(of)}</bdi>
            </Link>
            <span className={classes.note}>
              <bdi>{account ? nameOf(account) : accounts ? words.account.disconnected : '…'}</bdi>
            </span>
          </div>
        );
      },
    };
    return [
      {
        id: 'link',
        title: texts.columns.link,
        width: 'minmax(0, 2fr)',
        isRowHeader: true,
        cell: (link) => <LinkAddress {...link} />,
      },
      ...(isOfOne ? [] : [automation]),
      {
        id: 'clicks',
        title: texts.columns.clicks,
        width: '8rem',
        isEnd: true,
        cell: ({ clicks }) => (
          <div className={classes.clicks}>
            <span>{numbers.format(clicks)}</span>
            <span className={classes.share} aria-hidden="true">
              <span style={{ inlineSize: `${(clicks / most) * 100}%` }} />
            </span>
          </div>
        ),
      },
    ];
  }, [accounts, isOfOne, most]);
  return <Table label={texts.label} columns={columns} rows={rows} idOf={({ address }) => address} />;
}
