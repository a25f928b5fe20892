import { type ReactNode, useState } from 'react';
import type { listBoardsOperation } from '../../../accounts/boards/operations.ts';
import type { listPlaylistsOperation } from '../../../accounts/operations.ts';
import type { Account, Condition } from '../../accounts/account.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import classes from './account-page.module.css';

interface PlatformListsProps {
  account: Account;
  condition: Condition;
}

/** The boards or playlists of the account, if its platform has them. */
export function PlatformLists({ account, condition }: PlatformListsProps) {
  const hasAccess = condition !== 'expired';
  if (account.platform === 'pinterest') return <Boards account={account} hasAccess={hasAccess} />;
  if (account.platform === 'youtube' && account.capabilities.includes('playlists'))
    return <Playlists account={account} hasAccess={hasAccess} />;
  return null;
}

interface ListProps {
  account: Account;
  hasAccess: boolean;
}

/** The platform is asked once for each visit, and when the person wants it. */
const once = (isEnabled: boolean) => ({ isEnabled, refetchEveryMs: false }) as const;

function Boards({ account, hasAccess }: ListProps) {
  const read = useGet<typeof listBoardsOperation>(
    '/v1/accounts/{id}/boards',
    { path: { id: account.id } },
    once(hasAccess),
  );
  const items = read.data?.boards ?? boardsBefore(account);
  return (
    <List
      texts={words.accountsPage.boards}
      read={read}
      hasAccess={hasAccess}
      items={items?.map(({ id, name }) => ({ id, name }))}
    />
  );
}

/** Returns the boards as they were when the account was connected, or when somebody last asked Pinterest. */
function boardsBefore({ meta }: Account): readonly { id: string; name: string }[] | undefined {
  const boards = meta['boards'];
  if (!Array.isArray(boards)) return undefined;
  return boards.flatMap((each) => {
    const { id, name } = (each ?? {}) as { id?: unknown; name?: unknown };
    return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : [];
  });
}

function Playlists({ account, hasAccess }: ListProps) {
  const read = useGet<typeof listPlaylistsOperation>(
    '/v1/accounts/{id}/playlists',
    { path: { id: account.id } },
    once(hasAccess),
  );
  const items = read.data?.playlists.map(({ id, title, itemCount, privacy }) => ({
    id,
    name: title,
    note: [itemCount === null ? null : words.accountsPage.playlists.videos(itemCount), privacy]
      .filter((part) => part !== null)
      .join(' · '),
  }));
  return <List texts={words.accountsPage.playlists} read={read} hasAccess={hasAccess} items={items} />;
}

interface Item {
  id: string;
  name: string;
  note?: string;
}

interface ItemListProps {
  texts: typeof words.accountsPage.boards;
  read: {
    data: unknown;
    error: Error | null;
    isFetching: boolean;
    refetch: () => unknown;
  };
  hasAccess: boolean;
  items: readonly Item[] | undefined;
}

const searchedAbove = 12;
const shownAtMost = 100;

function List({ texts, read, hasAccess, items }: ItemListProps) {
  const isOld = read.data === undefined && items !== undefined && items.length > 0;
  return (
    <Section
      title={texts.title}
      lead={texts.lead}
      isCard
      actions={
        hasAccess && (
          <Button size="small" icon="refresh" isPending={read.isFetching} onPress={() => void read.refetch()}>
            {texts.refresh}
          </Button>
        )
      }
    >
      {!hasAccess && <p className={classes.listNote}>{texts.needsAccess}</p>}
      {read.error && <ErrorNotice error={read.error} title={texts.failed} />}
      {isOld && (read.error || !hasAccess) && <p className={classes.listNote}>{texts.asBefore}</p>}
      {items === undefined && read.isFetching && <Skeleton kind="text" rows={4} />}
      {items !== undefined && (items.length > 0 || read.data !== undefined) && (
        <Items texts={texts} items={items} />
      )}
    </Section>
  );
}

function Items({ texts, items }: Pick<ItemListProps, 'texts'> & { items: readonly Item[] }) {
  const [text, setText] = useState('');
  if (items.length === 0) return <p>{texts.empty}</p>;
  const wanted = text.trim().toLocaleLowerCase();
  const found = items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return (
    <>
      {items.length > searchedAbove && (
        <div className={classes.search}>
          <SearchField label={texts.search} value={text} onChange={setText} />
          <p className={classes.listNote} role="status">
            {texts.count(found.length)}
          </p>
        </div>
      )}
      {found.length === 0 ? (
        <p>{texts.noMatch}</p>
      ) : (
        <ul className={classes.items}>
          {found.slice(0, shownAtMost).map(({ id, name, note }) => (
            <Line key={id} note={note}>
              <bdi>{name}</bdi>
            </Line>
          ))}
        </ul>
      )}
      {found.length > shownAtMost && (
        <p className={classes.listNote}>{texts.more(found.length - shownAtMost)}</p>
      )}
    </>
  );
}

function Line({ note, children }: { note: string | undefined; children: ReactNode }) {
  return (
    <li className={classes.item}>
      <span>{children}</span>
      {note && <span className={classes.listNote}>{note}</span>}
    </li>
  );
}
