import { defaultAccountConcurrency, type StageSettings } from '../stages.ts';
import { defaultBatchesAtOnce, type WorkerFunction } from './definition.ts';

/** The minimum and maximum number of environments that Lambda allows for a mapping. */
const fewest = 2;
const most = 1_000;

/**
 * The minimum concurrency with bounds. In a smaller account nothing can be kept free: each queue needs two environments, each
 * periodic function one, and each reader of the stream one per shard.
 */
export const leastBoundedConcurrency = 68;

type Settings = Pick<StageSettings, 'accountConcurrency' | 'publishConcurrency'>;

/** The executions that background functions may have concurrently in a stage. */
export interface ConcurrencyBounds {
  /** The bounds of functions that consume queues, by function. */
  readonly queues: Readonly<Record<string, number>>;
  /**
   * The number of batches of a shard that a reader of the stream works concurrently, by reader. Changes of one item stay in
   * order.
   */
  readonly batchesAtOnce: Readonly<Record<string, number>>;
  /** The executions of all readers of the stream together, with the number of shards that the bounds assume. */
  readonly stream: number;
  /** One run of each periodic function. */
  readonly periodic: number;
  /** The rest for the API, the redirect and everything else. Negative in an account that is too small for any bounds. */
  readonly free: number;
}

/**
 * Divides a stage's concurrency, so that no backlog of one queue takes the environments of the API, the redirect and the other
 * functions. The readers of the stream and the periodic functions come first; each queue gets its percentage of the rest. Pure.
 */
export function concurrencyBounds(
  functions: readonly WorkerFunction[],
  { accountConcurrency = defaultAccountConcurrency, publishConcurrency }: Settings,
): ConcurrencyBounds {
  const isSmall = accountConcurrency < 200;
  const batchesAtOnce = Object.fromEntries(
    functions.flatMap(({ name, trigger }) =>
      trigger.kind === 'table-stream'
        ? [[name, isSmall ? 1 : (trigger.batchesAtOnce ?? defaultBatchesAtOnce)]]
        : [],
    ),
  );
  // A new on-demand table has four partitions, each with a shard of the stream. It gets more as it grows.
  const shards = accountConcurrency < 500 ? 4 : 8;
  const stream = sum(batchesAtOnce) * shards;
  const periodic = functions.filter(({ trigger }) => trigger.kind === 'rate').length;
  const divided = accountConcurrency - stream - periodic;
  const queues = Object.fromEntries(
    functions.flatMap(({ name, trigger }) => {
      if (trigger.kind !== 'queue') return [];
      if (trigger.queue === 'publish' && publishConcurrency !== undefined)
        return [[name, publishConcurrency]];
      const share = Math.floor((divided * trigger.concurrencyPercent) / 100);
      return [[name, Math.max(fewest, Math.min(share, trigger.maximumConcurrency ?? most))]];
    }),
  );
  return { queues, batchesAtOnce, stream, periodic, free: divided - sum(queues) };
}

/** "Each event poller can handle up to 1 MB/sec of throughput, up to 10 concurrent invokes." */
const environmentsPerPoller = 10;

/** The pollers of a queue whose number does not depend on its traffic. */
export interface PollerRange {
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * Returns the pollers of the publish queue. A mapping with pollers of its own takes no bound on its concurrency, so the bound limits
 * their number. Pure.
 *
 * @param pollers the number that is always ready
 * @param bound the number of environments that may publish concurrently
 * @throws Error if these pollers run more environments
 */
export function publishPollerRange(pollers: number, bound: number): PollerRange {
  if (pollers * environmentsPerPoller > bound)
    throw new Error(
      `publishPollers: ${pollers} pollers run ${pollers * environmentsPerPoller} environments, and ${bound} may publish at the same time. ` +
        'Choose fewer, or raise publishConcurrency or accountConcurrency.',
    );
  return { minimum: pollers, maximum: Math.floor(bound / environmentsPerPoller) };
}

const sum = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((total, each) => total + each, 0);
