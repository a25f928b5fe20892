import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { dueShardCount } from '../../../lib/table/keys.ts';
import { constructName, referenced, type TemplateResource } from '../../infra/support/synthesize.ts';

export interface CostOfIdleness {
  readonly what: string;
  /** Amount in units of the price. */
  readonly amount: number;
  /** Dollars for one unit. */
  readonly price: number;
  readonly dollars: number;
  /** The part of the dollars that AWS does not charge: see {@link freeAmounts}. */
  readonly freeDollars: number;
}

/**
 * Permanent monthly free tier of every account, in units of the price. An organization gets it once for all of its accounts. A
 * dashboard is free only with at most 50 metrics, and ours can have more.
 *
 * https://aws.amazon.com/sqs/pricing/, https://aws.amazon.com/lambda/pricing/, https://aws.amazon.com/cloudwatch/pricing/
 */
const freeAmounts = {
  alarmMetrics: 10,
  millionPolls: 1,
  millionRuns: 1,
  millionGigabyteSeconds: 0.4,
  gigabytesOfLogs: 5,
} as const;

const minutesPerMonth = 730 * 60;
const pollSeconds = 20;
/**
 * "When traffic is low, Lambda scales back the processing to five concurrent invokes, and can optimize to as few as 2 concurrent
 * invokes to reduce the Amazon SQS calls and corresponding costs. However, this optimization is not available when you enable the
 * maximum concurrency setting." With a maximum below five there may be fewer; the documentation does not say so.
 *
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const pollers = { withMaximumConcurrency: 5, without: 2 } as const;
const idleRunSeconds = 0.05;
const idleRunLogBytes = 1_000;

/** Number of index shards that a run of a periodic function queries, each for half a read unit. */
const queriesPerRun: Readonly<Record<string, number>> = {
  // And its notes about platforms.
  sweep: dueShardCount + 1,
  // For each of two checks the place in a shard, and what is due; and checks of what something has happened to.
  'check-ahead': 2 * 2 * dueShardCount + 1,
  'sweep-media': dueShardCount,
  'sweep-actions': 3 * dueShardCount,
  // Deliveries of new events, those of replays, and replays.
  'sweep-deliveries': dueShardCount + 2,
  'sweep-withdrawals': 1,
  'erase-workspaces': 1,
  // Tokens that are to be refreshed, and those that expire.
  'refresh-tokens': 2 * platformNames.length,
  // For each of four ages, and of two of stories, how far it is read and what is due; and retries.
  'read-numbers': 6 * (1 + dueShardCount) + 1,
};

/**
 * Returns what the resources of a stage cost in a month of 730 hours in which nobody uses it.
 *
 * @throws Error if a periodic function is not known
 */
export function idleCost(resources: readonly TemplateResource[]): readonly CostOfIdleness[] {
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const runs = periodicRuns(resources);
  const line = (what: string, amount: number, price: number, free = 0): CostOfIdleness => ({
    what,
    amount: Math.round(amount * 100) / 100,
    price,
    dollars: amount * price,
    freeDollars: Math.min(amount, free) * price,
  });
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  return [
    line(
      'alarms, by their metrics',
      ofType('AWS::CloudWatch::Alarm').reduce((all, each) => all + metricsOf(each), 0),
      0.1,
      freeAmounts.alarmMetrics,
    ),
    line('composite alarms', ofType('AWS::CloudWatch::CompositeAlarm').length, 0.5),
    line('dashboards', ofType('AWS::CloudWatch::Dashboard').length, 3),
    line(
      'rules of Contributor Insights',
      ofType('AWS::DynamoDB::GlobalTable').reduce((all, each) => all + insightRulesOf(each), 0),
      0.5,
    ),
    line('KMS keys', ofType('AWS::KMS::Key').length, 1),
    line('secrets', ofType('AWS::SecretsManager::Secret').length, 0.4),
    line('hours of pollers that are always ready', pollersOf(resources) * (minutesPerMonth / 60), 0.00925),
    line('polls of queues, in millions', pollsOf(resources) / 1e6, 0.4, freeAmounts.millionPolls),
    line(
      'runs of periodic functions, in millions',
      sum(({ perMonth }) => perMonth) / 1e6,
      0.2,
      freeAmounts.millionRuns,
    ),
    line(
      'their GB-s, in millions',
      sum(({ perMonth, gigabytes }) => perMonth * idleRunSeconds * gigabytes) / 1e6,
      13.3334,
      freeAmounts.millionGigabyteSeconds,
    ),
    line(
      'their read units, in millions',
      sum(({ perMonth, queries }) => perMonth * queries * 0.5) / 1e6,
      0.125,
    ),
    line(
      'their logs, in GB',
      (sum(({ perMonth }) => perMonth) * idleRunLogBytes) / 1e9,
      0.5,
      freeAmounts.gigabytesOfLogs,
    ),
  ];
}

function metricsOf({ Properties: { Metrics } }: TemplateResource): number {
  if (Metrics === undefined) return 1;
  return Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat !== undefined).length;
}

/** Two rules for each table or index with a sort key, or four if accessed keys are kept besides throttled ones. */
function insightRulesOf({ Properties: { Replicas = [] } }: TemplateResource): number {
  return Replicas.flatMap(
    ({ ContributorInsightsSpecification, GlobalSecondaryIndexes = [] }: ReplicaSettings) => [
      ContributorInsightsSpecification,
      ...GlobalSecondaryIndexes.map((index) => index.ContributorInsightsSpecification),
    ],
  ).reduce((rules: number, insights?: InsightSettings) => {
    if (!insights?.Enabled) return rules;
    return rules + (insights.Mode === 'THROTTLED_KEYS' ? 2 : 4);
  }, 0);
}

interface InsightSettings {
  readonly Enabled: boolean;
  readonly Mode?: string;
}
interface ReplicaSettings {
  readonly ContributorInsightsSpecification?: InsightSettings;
  readonly GlobalSecondaryIndexes?: readonly {
    readonly ContributorInsightsSpecification?: InsightSettings;
  }[];
}

/** https://aws.amazon.com/lambda/pricing: provisioned mode for SQS, an event poller unit. */
function pollersOf(resources: readonly TemplateResource[]): number {
  return resources.reduce(
    (sum, { Properties }) => sum + (Properties.ProvisionedPollerConfig?.MinimumPollers ?? 0),
    0,
  );
}

function pollsOf(resources: readonly TemplateResource[]): number {
  const ofQueues = resources.filter(
    ({ Type, Properties }) =>
      Type === 'AWS::Lambda::EventSourceMapping' && Properties.StartingPosition === undefined,
  );
  const all = ofQueues.reduce(
    (sum, { Properties }) =>
      sum +
      (Properties.ScalingConfig?.MaximumConcurrency === undefined
        ? pollers.without
        : pollers.withMaximumConcurrency),
    0,
  );
  return (all * minutesPerMonth * 60) / pollSeconds;
}

interface Run {
  readonly perMonth: number;
  readonly gigabytes: number;
  readonly queries: number;
}

function periodicRuns(resources: readonly TemplateResource[]): Run[] {
  return resources.flatMap(({ Type, Properties }) => {
    const everyMinutes = Type === 'AWS::Events::Rule' ? minutesIn(Properties.ScheduleExpression) : undefined;
    if (everyMinutes === undefined) return [];
    const handler = resources.find(({ logicalId }) => logicalId === referenced(Properties.Targets[0].Arn));
    const name = handler === undefined ? '' : constructName(handler);
    const queries = queriesPerRun[name];
    if (handler === undefined || queries === undefined)
      throw new Error(`what an idle run of ${name} reads is not known: add it to queriesPerRun`);
    return {
      perMonth: minutesPerMonth / everyMinutes,
      gigabytes: handler.Properties.MemorySize / 1_024,
      queries,
    };
  });
}

function minutesIn(schedule: string | undefined): number | undefined {
  const [, amount, unit] = /^rate\((\d+) (minute|hour)s?\)$/.exec(schedule ?? '') ?? [];
  return amount === undefined ? undefined : Number(amount) * (unit === 'hour' ? 60 : 1);
}
