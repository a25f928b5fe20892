import type { MetricQuestion, MetricSpan } from '../../lib/aws/stage-metrics.ts';
import { openStageQueues, type StageQueue } from '../../lib/aws/stage-queues.ts';
import { judge } from '../../lib/incidents/judge.ts';
import type { PutOff } from '../../lib/incidents/schemas.ts';
import { readWatch } from '../../lib/incidents/store.ts';
import { hourMs, minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { metricNamespace, platformDimension, serviceDimension } from '../../lib/metrics/measurements.ts';
import { findEndingAccounts, readDueWork } from '../../lib/operating/due-work.ts';
import { findFailedTargets } from '../../lib/operating/failed-targets.ts';
import { problemsOf, type QueueState, summarizeResults, troublesOf } from '../../lib/operating/health.ts';
import { findPutOffWork, putOffProblems } from '../../lib/operating/put-off-work.ts';
import { listPauses } from '../../lib/pauses/read.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { sumLocalMetric } from './local-logs.ts';
import { tableLines } from './output.ts';

/** Enough to show the reasons; with more failures there is an incident. */
const countedFailures = 1_000;

export const statusCommands: Commands = {
  status: operatorCommand({
    verb: 'stage.read',
    summary:
      'show the health of the stage: due, live, failed and waiting posts; exits with 1 if it is not healthy',
    detail:
      'It shows the destinations that are due in the next hour or overdue, platforms in trouble with the workspaces that are affected, other work that failed and is tried again, the destinations that went live or failed in the last hour with the most frequent reasons, the queues with their dead letters, pauses, and accounts whose access ends within seven days.',
    run: async (context) => {
      const { table, now, out } = context;
      const [due, watch, putOffWork, failures, live, queues, accounts, pauses] = await Promise.all([
        readDueWork(table, now),
        readWatch(table),
        findPutOffWork(table, now),
        findFailedTargets(table, { sinceMs: now - hourMs, now, limit: countedFailures }),
        liveInLastHour(context),
        readQueues(context),
        findEndingAccounts(table, now),
        listPauses(table),
      ]);
      const platforms = summarizeResults(failures.targets, live);
      const putOff = unique([...watch.putOff, ...due.putOff]);
      const { incidents } = judge(watch, { putOff, recovered: [] }, now);
      const troubles = troublesOf({ putOff, incidents });
      const problems = [
        ...problemsOf({ due, troubles, platforms, queues }),
        ...putOffProblems(putOffWork, now),
      ];
      const paused = pauses.map(({ scope, since, reason }) => ({ scope, since, reason }));
      const value = {
        isHealthy: problems.length === 0,
        problems,
        due: due.work,
        troubles,
        putOff: putOffWork,
        platforms,
        queues,
        accounts,
        paused,
      };
      out.result(value, [
        ...section(
          'Due',
          due.work.map(({ isCut, ...row }) => ({ ...row, ...(isCut && { note: 'and more' }) })),
        ),
        ...section(
          'Put off, by platform',
          troubles.map(({ workspaces, moreWorkspaces, ...row }) => ({
            ...row,
            workspaces: moreWorkspaces > 0 ? [...workspaces, `and ${moreWorkspaces} more`] : workspaces,
          })),
        ),
        ...section(
          'Put off otherwise',
          putOffWork.slice(0, shownOwners).map((row) => ({ ...row })),
        ),
        ...section(
          'Last hour',
          platforms.map(({ reasons, ...row }) => ({ ...row, topReasons: reasons.map(inShort) })),
        ),
        ...section(
          'Queues',
          queues.map((queue) => ({ ...queue })),
        ),
        ...section(
          'Accounts that end within seven days',
          accounts.map((account) => ({ ...account })),
        ),
        ...section('Paused', paused),
        problems.length === 0 ? 'Healthy.' : 'Not healthy:',
        ...problems.map((problem) => `  ${problem}`),
      ]);
      if (failures.isCut)
        out.note(
          `More than ${countedFailures} destinations have failed; the reasons are those of the latest.`,
        );
      return problems.length === 0 ? 0 : 1;
    },
  }),
};

/** The number of owners of work that is put off that fit on a screen. */
const shownOwners = 10;

/** The destinations, each once. The later ones were read just now. */
const unique = (putOff: readonly PutOff[]): PutOff[] => [
  ...new Map(putOff.map((each) => [`${each.postId} ${each.accountId}`, each])).values(),
];

const inShort = ({ count, code, reason }: { count: number; code: string; reason: string }): string =>
  `${count} × ${code}: ${reason.length > 80 ? `${reason.slice(0, 80)}…` : reason}`;

function section(title: string, rows: Parameters<typeof tableLines>[0]): string[] {
  return [title, ...(rows.length === 0 ? ['none'] : tableLines(rows)).map((line) => `  ${line}`), ''];
}

/**
 * Returns the number of destinations that went live, by platform: from CloudWatch, or from the log in which the local cloud
 * counts the same.
 */
async function liveInLastHour({ stage, isLocal, now }: AdminContext): Promise<ReadonlyMap<string, number>> {
  if (isLocal) return sumLocalMetric('DestinationsPublished', now - hourMs);
  const questions = platformNames.map((platform) => ({
    namespace: metricNamespace(stage),
    name: 'DestinationsPublished',
    dimensions: { ...serviceDimension, [platformDimension]: platform },
    statistic: 'Sum' as const,
  }));
  const values = await readMetrics(questions, { fromMs: now - hourMs, toMs: now });
  return new Map(platformNames.flatMap((platform, index) => asCount(platform, values[index])));
}

const asCount = (platform: string, value: number | undefined): [string, number][] =>
  value === undefined ? [] : [[platform, value]];

/** Loads the client of CloudWatch only if it is needed. */
async function readMetrics(questions: readonly MetricQuestion[], span: MetricSpan) {
  const metrics = await import('../../lib/aws/stage-metrics.ts');
  return metrics.readMetrics(questions, span);
}

/** Reads the queues with the age of their oldest messages. SQS itself reports only their number. */
async function readQueues({ stage, isLocal, now }: AdminContext): Promise<QueueState[]> {
  const sqs = openStageQueues();
  const queues = await sqs.find(stage);
  const ends = queues.flatMap(({ queue, deadLetters }) => [queue, deadLetters]);
  const ages = isLocal
    ? []
    : await readMetrics(
        ends.map((end) => ageQuestion(end?.url ?? '')),
        recent(now),
      );
  return Promise.all(
    queues.map(async ({ name, queue, deadLetters }, index) => ({
      name,
      waiting: queue?.waiting ?? null,
      oldestSeconds: ages[2 * index] ?? null,
      deadLetters: deadLetters?.waiting ?? null,
      oldestDeadLetterSeconds: ages[2 * index + 1] ?? (await oldestSeen(sqs, deadLetters, now)),
    })),
  );
}

const recent = (now: number) => ({ fromMs: now - 10 * minuteMs, toMs: now });

const ageQuestion = (url: string) => ({
  namespace: 'AWS/SQS',
  name: 'ApproximateAgeOfOldestMessage',
  dimensions: { QueueName: url.split('/').at(-1) ?? '' },
  statistic: 'Maximum' as const,
});

async function oldestSeen(
  sqs: ReturnType<typeof openStageQueues>,
  deadLetters: StageQueue['deadLetters'],
  now: number,
): Promise<number | null> {
  if (!deadLetters || deadLetters.waiting === 0) return null;
  const [oldest] = await sqs.peek(deadLetters, 10);
  return oldest === undefined ? null : Math.max(0, Math.round((now - oldest.sentMs) / secondMs));
}
