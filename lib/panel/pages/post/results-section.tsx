import type { readPostMetricsOperation } from '../../../insights/operations.ts';
import { type Account, nameOf } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import { Metric } from '../results/metric.tsx';
import { numberNames } from '../results/numbers.ts';

const texts = words.resultsPage.ofPost;
const path = '/v1/posts/{id}/metrics';
const refetchEveryMs = 5 * 60_000;

type Of = ReplyOf<typeof readPostMetricsOperation>['metrics']['targets'][number];

interface ResultsSectionProps {
  postId: string;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** The latest numbers of each destination that is live, or why there are none. */
export function ResultsSection({ postId, accounts }: ResultsSectionProps) {
  const read = useGet<typeof readPostMetricsOperation>(path, { path: { id: postId } }, { refetchEveryMs });
  const ask = useSend<typeof readPostMetricsOperation>('GET', path, [path]);
  const targets = read.data?.metrics.targets.filter(({ publishedAt }) => publishedAt !== null) ?? [];
  const canAsk = targets.some(
    ({ reason, freshFrom }) =>
      (reason === null || reason === 'pending') &&
      (freshFrom === null || Date.parse(freshFrom) <= Date.now()),
  );
  const refresh = () =>
    ask.mutate(
      { path: { id: postId }, query: { fresh: 'true' } },
      { onSuccess: () => toast({ text: texts.refreshed }) },
    );
  return (
    <Section
      title={texts.title}
      actions={
        canAsk && (
          <Button size="small" icon="refresh" isPending={ask.isPending} onPress={refresh}>
            {texts.refresh}
          </Button>
        )
      }
    >
      {ask.error && <ErrorNotice error={ask.error} title={texts.refreshFailed} />}
      {read.data && read.isError && <ErrorNotice error={read.error} title={texts.stale} />}
      <Reading of={read} rows={2}>
        {() => <Numbers targets={targets} accounts={accounts} />}
      </Reading>
    </Section>
  );
}

function Numbers({ targets, accounts }: Pick<ResultsSectionProps, 'accounts'> & { targets: readonly Of[] }) {
  const columns: readonly Column<Of>[] = [
    {
      id: 'destination',
      title: texts.destination,
      width: 'minmax(0, 2fr)',
      isRowHeader: true,
      cell: ({ accountId, platform, message, asOf }) => {
        const account = accounts?.get(accountId);
        return (
          <>
            <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>{' '}
            <Muted as="span">{platformTitles[platform]}</Muted>
            {message !== null && <Muted>{message}</Muted>}
            {asOf !== null && (
              <Muted>
                {texts.asOf} <Time at={asOf} isRelative isInline />
              </Muted>
            )}
          </>
        );
      },
    },
    ...numberNames.map(
      (name): Column<Of> => ({
        id: name,
        title: words.resultsPage.numbers[name],
        width: 'minmax(0, 0.6fr)',
        isEnd: true,
        cell: ({ metrics }) => <Metric metric={metrics[name]} />,
      }),
    ),
  ];
  return <Table label={texts.label} columns={columns} rows={targets} idOf={({ accountId }) => accountId} />;
}
