import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { RenditionMessage } from '../../../lib/media/renditions/schemas.ts';
import type {
  Deletion,
  FinishStep,
  PlatformAdapter,
  PrepareStep,
  PublishJob,
} from '../../../lib/platforms/contract/adapter.ts';
import type { DailyLimits } from '../../../lib/platforms/contract/daily-limit.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { AbsenceRule, Finding } from '../../../lib/platforms/contract/last-call.ts';
import type { LivePost } from '../../../lib/platforms/contract/live-post.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import type { Post } from '../../../lib/posts/stored/schemas.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { messageOf, type PublishMessage } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import { publishTarget, type WorkOutcome } from '../../../lib/publishing/publish.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { referenceTo, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { sweepPorts, takingAll } from '../../support/sweep.ts';

/** The platform's behaviour at one call: an answer or an error. At `reply lost`, the call takes effect and then fails. */
type Answer<T> = T | PlatformError | Error;

/**
 * A platform for one target. Each verb gives the next answer of its script, and behaves normally after the script's end.
 * The ledger records what really went live.
 */
export interface FakePlatform {
  readonly adapter: PlatformAdapter;
  readonly script: {
    prepare: Answer<PrepareStep>[];
    goLive: (Answer<LivePost> | 'reply lost')[];
    lookUp: Answer<Finding>[];
    finish: Answer<FinishStep>[];
    removePost: (Answer<Deletion> | 'reply lost')[];
  };
  /** The ids of the posts that were deleted, in order. */
  readonly deleted: string[];
  /** True if a job needs only its last call, so that its preparation does nothing. */
  isReady: boolean;
  /** True if the adapter says that finishing only reads. */
  finishesByReading: boolean;
  /** Tests may replace it, for a platform whose calls are not limited to one effect. */
  rule: AbsenceRule;
  /** Epoch milliseconds of each call that made something live. */
  readonly ledger: number[];
  readonly calls: { verb: string; job: PublishJob }[];
  /** The ids of the posts whose deletion was asked for, in order. */
  readonly deletions: string[];
}

const livePost = (number: number): LivePost => ({
  platformPostId: `post-${number}`,
  permalink: `https://platform.example/p/${number}`,
});

export const usedOnce: AbsenceRule = {
  callSeconds: 30,
  readLagSeconds: 10,
  lookups: 2,
  gapSeconds: 5,
  processingSeconds: 600,
  usedOnce: 'a container is published once',
  where: "the account's posts",
};

/** The rule of a platform that can only list its posts. */
export const listOnly: AbsenceRule = {
  callSeconds: 30,
  readLagSeconds: 60,
  lookups: 2,
  gapSeconds: 5,
  processingSeconds: 600,
  where: "the account's posts",
};

export function fakePlatform(now: () => number): FakePlatform {
  const ledger: number[] = [];
  const calls: FakePlatform['calls'] = [];
  const script: FakePlatform['script'] = { prepare: [], goLive: [], lookUp: [], finish: [], removePost: [] };
  const deleted: string[] = [];
  const deletions: string[] = [];
  function next<T>(verb: Exclude<keyof typeof script, 'removePost'>, job: PublishJob, normal: () => T): T {
    calls.push({ verb, job });
    const answer = script[verb].shift() as Answer<T> | 'reply lost' | undefined;
    if (answer instanceof Error) throw answer;
    if (answer === 'reply lost') {
      normal();
      throw new PlatformError('unknown', 'the connection was cut');
    }
    return answer ?? normal();
  }
  const adapter: PlatformAdapter = {
    prepare: async (job) =>
      next('prepare', job, () => ({
        state: 'ready',
        preparation: platform.isReady ? job.preparation : { ...job.preparation, containerId: 'c1' },
      })),
    lastCallUrl: () => 'https://platform.example/posts',
    goLive: async (job) =>
      next('goLive', job, () => {
        ledger.push(now());
        return livePost(ledger.length);
      }),
    tokenOf: ({ preparation }) => ({ containerId: preparation['containerId'] ?? null }),
    absenceRule: () => platform.rule,
    lookUp: async (job) =>
      next('lookUp', job, () =>
        ledger[0] === undefined
          ? { state: 'unseen' }
          : { state: 'live', post: { ...livePost(1), publishedMs: ledger[0] } },
      ),
    finish: async (job) => next('finish', job, () => ({ state: 'done', post: job.live })),
    async removePost({ platformPostId }) {
      deletions.push(platformPostId);
      const answer = script.removePost.shift();
      if (answer instanceof Error) throw answer;
      if (answer === 'gone') return answer;
      const deletion = deleted.includes(platformPostId) ? 'gone' : 'deleted';
      if (deletion === 'deleted') deleted.push(platformPostId);
      if (answer === 'reply lost') throw new PlatformError('unknown', 'the connection was cut');
      return deletion;
    },
    finishesByReading: () => platform.finishesByReading,
  };
  const platform: FakePlatform = {
    adapter,
    script,
    deleted,
    deletions,
    isReady: false,
    finishesByReading: false,
    rule: usedOnce,
    ledger,
    calls,
  };
  return platform;
}

export interface Fixture {
  readonly platform: FakePlatform;
  readonly clock: { time: number };
  readonly ports: PublishingPorts;
  readonly message: PublishMessage;
  /** Messages that the engine put on the queue, with their delays in seconds. */
  readonly enqueued: { message: PublishMessage; delaySeconds: number }[];
  /** Messages that the engine sent to the dead-letter queue. */
  readonly deadLetters: PublishMessage[];
  /** Messages that ask for renditions. */
  readonly renditions: RenditionMessage[];
  /** The marks of the account, as `<status>: <reason>`. */
  readonly marks: string[];
  readonly errors: unknown[];
  readonly find: () => Promise<Target>;
  readonly status: () => Promise<string>;
  /** Delivers a message to a worker that has this many seconds. */
  readonly deliver: (
    message?: PublishMessage,
    seconds?: number,
    ports?: PublishingPorts,
  ) => Promise<WorkOutcome>;
  /**
   * Delivers every wake at its time until the target has no wake. After a crash, delivers the message that was armed when
   * the target was taken or, if `isSwept`, those that the sweep finds.
   */
  readonly runToEnd: (options?: { maxWakes?: number; isSwept?: boolean }) => Promise<Target>;
}

interface FixtureOptions {
  /** A new workspace by default. */
  readonly workspaceId?: string;
  readonly target?: Partial<Target>;
  readonly post?: Partial<Post>;
  readonly account?: Parameters<typeof storeAccount>[2];
  readonly media?: Parameters<typeof storeMedia>[2];
  readonly nowMs?: number;
  /** Absent by default: no platform has one. */
  readonly dailyLimits?: DailyLimits;
}

/** Stores a post with one target that is due at the start, its account and its file, and sets up what publishes it. */
export async function openFixture(table: Table, options: FixtureOptions = {}): Promise<Fixture> {
  const workspaceId = options.workspaceId ?? newId(startMs);
  const [account, media] = await Promise.all([
    storeAccount(table, workspaceId, options.account),
    storeMedia(table, workspaceId, options.media),
  ]);
  const { post, targets } = await storePost(
    table,
    workspaceId,
    [{ accountId: account.id, ...options.target }],
    { mediaItems: [referenceTo(media)], ...options.post },
  );
  const [stored] = targets;
  if (!stored) throw new Error('no target');

  const clock = { time: options.nowMs ?? startMs };
  const platform = fakePlatform(() => clock.time);
  const enqueued: Fixture['enqueued'] = [];
  const deadLetters: PublishMessage[] = [];
  const renditions: RenditionMessage[] = [];
  const marks: string[] = [];
  const errors: unknown[] = [];
  const ports: PublishingPorts = {
    table,
    now: () => clock.time,
    sleep: async (milliseconds) => {
      clock.time += milliseconds;
    },
    every: () => () => {},
    chance: () => 0.5,
    uniqueId: () => newId(clock.time),
    adapterFor: () => platform.adapter,
    rulesFor: () => undefined,
    dailyLimits: options.dailyLimits ?? {},
    toolsFor: async () => ({
      http: {
        send: async () => {
          throw new Error('the fake platform needs no network');
        },
        connectAhead: async () => {},
        addressOf: (url) => url,
      },
      now: () => clock.time,
      app: { clientId: 'app', clientSecret: 'secret' },
    }),
    accessToken: async () => 'token',
    renewToken: async () => false,
    mediaSource: ({ type, objectKey }, { contentType, sizeBytes = 0 }) => ({
      type,
      url: `https://media.example.com/${objectKey}`,
      contentType,
      sizeBytes,
      openRange: async () => {
        throw new Error('the fake platform reads no bytes');
      },
    }),
    enqueueRendition: async (message) => {
      renditions.push(message);
    },
    queue: 'publish',
    enqueue: async (message, delaySeconds) => {
      enqueued.push({ message, delaySeconds });
    },
    sendToDeadLetters: async (message) => {
      deadLetters.push(message);
    },
    report: (_message, error) => errors.push(error),
    markAccount: async (_account, status, reason) => marks.push(`${status}: ${reason}`),
    clearMark: async ({ status }) => marks.push(`ok after ${status}`),
  };

  const find = async (): Promise<Target> => {
    const target = (await findPost(table, workspaceId, post.id))?.targets[0];
    if (!target) throw new Error('the target was deleted');
    return target;
  };
  const deliver: Fixture['deliver'] = async (message = messageOf(stored), seconds = 300, given = ports) => {
    return publishTarget(message, given, clock.time + seconds * 1_000);
  };

  const sweep = async () => {
    const found: PublishMessage[] = [];
    const sweepingPorts = { ...sweepPorts(table, () => clock.time), enqueueAll: takingAll(found) };
    await sweepOverdue(sweepingPorts, Number.POSITIVE_INFINITY);
    return found.filter(({ postId }) => postId === post.id);
  };

  const runToEnd: Fixture['runToEnd'] = async ({ maxWakes = 200, isSwept = false } = {}) => {
    for (let wake = 0; wake < maxWakes; wake += 1) {
      const target = await find();
      if (target.wakeAt === undefined) {
        await rollUpPost(table, workspaceId, post.id, clock.time);
        return target;
      }
      if (target.leaseUntil !== undefined && Date.parse(target.leaseUntil) > clock.time) {
        // Its worker has crashed. Its own message takes over when the lease has ended; the sweep would a minute later.
        clock.time = Date.parse(target.leaseUntil) + (isSwept ? 60_001 : 1_000);
        for (const message of isSwept ? await sweep() : [messageOf(target)]) await deliver(message);
        continue;
      }
      clock.time = Math.max(clock.time, Date.parse(target.wakeAt) - 1_000);
      await deliver(messageOf(target));
    }
    throw new Error(`the target still has a wake after ${maxWakes} wakes: ${JSON.stringify(await find())}`);
  };

  return {
    platform,
    clock,
    ports,
    message: messageOf(stored),
    enqueued,
    deadLetters,
    renditions,
    marks,
    errors,
    find,
    status: async () => (await find()).status,
    deliver,
    runToEnd,
  };
}

export const at = (milliseconds: number): string => toTimestamp(startMs + milliseconds);
