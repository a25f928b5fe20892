import { setTimeout as delay } from 'node:timers/promises';
import { openTableAsAdministrator } from '../../../bin/dev/demo-workspaces.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { type Client, clientOf, until } from '../../journeys/support/client.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import type { TestCloud } from '../../support/local-cloud.ts';
import type { Destination } from '../destinations.ts';
import { type PhaseAtKill, phaseAtKill } from './phases.ts';

/** Number of posts that a wave brings into each phase. Each goes to every platform. */
export interface WavePlan {
  readonly preparing: number;
  readonly waiting: number;
  readonly noEffect: number;
  /** Last calls that take effect after the kill, or, if the processes are stopped first, before it. */
  readonly slow: number;
  readonly noResponse: number;
  readonly finishing: number;
  /**
   * True if the processes are stopped before they are killed: then the responses of slow calls arrive, and nobody commits them.
   */
  readonly stopsFirst: boolean;
  /** Time from the due time until the workers are killed. Varies the age of their leases. */
  readonly killedAfterMs: number;
}

/** A target that a worker held when it was killed. */
export interface Kill {
  readonly postId: string;
  readonly content: string;
  readonly platform: Platform;
  readonly phase: PhaseAtKill;
  /** The time at which its worker stopped, or its due time if that is later, in epoch milliseconds. */
  readonly fromMs: number;
  /** The latest time at which its last call can end, in epoch milliseconds; absent if it had made none. */
  readonly callEndsMs: number | undefined;
  /** The intent of that call. */
  readonly intentAt: string | undefined;
}

/** Operations in which a worker can be held at each platform, by the simulator's names. */
const operations: Readonly<
  Partial<Record<Platform, { readonly prepare: string; readonly lastCall: string; readonly finish: string }>>
> = {
  facebook: { prepare: 'photos', lastCall: 'feed', finish: 'post_object' },
  instagram: { prepare: 'media', lastCall: 'media_publish', finish: 'media_object' },
  youtube: { prepare: 'videos.insert.start', lastCall: 'videos.insert.chunk', finish: 'videos.list' },
};
export const platforms = Object.keys(operations) as Platform[];

/** Time for the posts that are not killed during preparation to be prepared. */
const planningMs = 8 * secondMs;
/** Time before the due time at which a waiting worker is killed. The queue delivers at least a second before. */
const waitsForMs = 600;
/** Time from the stop of the workers until a slow call takes effect. */
const effectAfterMs = 2 * secondMs;
const settleMs = 500;

export interface WaveSetting {
  readonly cloud: TestCloud;
  readonly destinations: readonly Destination[];
  readonly imageUrl: string;
  /** Makes the texts of the wave unique. */
  readonly name: string;
}

/**
 * Creates posts, holds their workers in the phases of the plan, and kills all of them at the same moment.
 *
 * @returns the interrupted targets, and how many processes were killed
 */
export async function runWave(
  setting: WaveSetting,
  plan: WavePlan,
): Promise<{ readonly kills: readonly Kill[]; readonly processCount: number }> {
  const { cloud, destinations, name } = setting;
  const client = clientOf(cloud, cloud.demo);
  const { now } = cloud.clock;
  const dueMs = now() + planningMs;
  const stopMs = dueMs + plan.killedAfterMs;
  const posts = new Map<string, string>();
  const create = async (group: string, count: number, atMs: number) => {
    const contents = Array.from({ length: count }, (_, index) => `Recovery ${name}, ${group} ${index}`);
    await Promise.all(
      contents.map(async (content) =>
        posts.set((await createPost(client, setting, content, atMs)).id, content),
      ),
    );
  };
  const faults = (operation: 'prepare' | 'lastCall' | 'finish', fault: string, count: number) =>
    Promise.all(
      destinations.map(async ({ platform }) => {
        const match = operations[platform]?.[operation];
        if (match !== undefined && count > 0)
          await platformOf(cloud, platform).planFault(match, fault, count);
      }),
    );

  await create('published', plan.noEffect + plan.slow + plan.noResponse + plan.finishing, dueMs);
  await create('waiting', plan.waiting, stopMs + waitsForMs);
  await sleepUntil(cloud, dueMs - 2.5 * secondMs);
  await faults('prepare', 'timeout', plan.preparing);
  await create('preparing', plan.preparing, dueMs - 2 * secondMs);
  const slowSeconds = Math.round((plan.killedAfterMs + effectAfterMs) / secondMs);
  await faults('lastCall', 'timeout', plan.noEffect);
  await faults('lastCall', `slow:${slowSeconds}`, plan.slow);
  await faults('lastCall', 'timeout-after', plan.noResponse);
  await faults('finish', 'timeout', plan.finishing);

  await sleepUntil(cloud, stopMs);
  const workers = cloud.processes().filter((process) => process.function === 'publish-target');
  const signal = (kind: NodeJS.Signals) => {
    for (const { pid } of workers) process.kill(pid, kind);
  };
  signal(plan.stopsFirst ? 'SIGSTOP' : 'SIGKILL');
  const stoppedMs = now();
  const liveAtStop = await livePosts(setting);
  const targets = await readTargets(setting, posts);
  if (plan.stopsFirst) {
    await sleepUntil(cloud, dueMs + slowSeconds * secondMs + settleMs);
    signal('SIGKILL');
  }
  const liveAtKill = plan.stopsFirst ? await livePosts(setting) : liveAtStop;
  await Promise.all(destinations.map(({ platform }) => platformOf(cloud, platform).clearFaults()));

  const kills = targets.flatMap((target): Kill[] => {
    const { postId, platform, scheduledFor = '', calls = [] } = target;
    const content = posts.get(postId) ?? '';
    const key = `${platform} ${content}`;
    const effect = { isLiveAtStop: liveAtStop.has(key), isLiveAtKill: liveAtKill.has(key) };
    const phase = phaseAtKill(target, effect, stoppedMs);
    if (phase === undefined) return [];
    const call = calls.at(-1);
    const fromMs = Math.max(stoppedMs, Date.parse(scheduledFor));
    const callEndsMs = call && Date.parse(call.endedAt);
    return [{ postId, content, platform, phase, fromMs, callEndsMs, intentAt: call?.intentAt }];
  });
  return { kills, processCount: workers.length };
}

function createPost(client: Client, { destinations, imageUrl }: WaveSetting, content: string, atMs: number) {
  return client.createPost({
    content,
    mediaItems: [{ type: 'image', url: imageUrl }],
    platforms: destinations.map(({ entry }) => entry),
    scheduledFor: new Date(atMs).toISOString(),
  });
}

async function sleepUntil({ clock }: TestCloud, momentMs: number): Promise<void> {
  await delay(Math.max(0, momentMs - clock.now()));
}

/** The live posts as `<platform> <content>`. */
async function livePosts({ cloud, destinations }: WaveSetting): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    destinations.map(async ({ platform }) => {
      const posts = await platformOf(cloud, platform).posts();
      return posts.map(({ content }) => `${platform} ${content}`);
    }),
  );
  return new Set(lists.flat());
}

/** The targets of the posts as they are stored. */
export async function readTargets(
  { cloud }: Pick<WaveSetting, 'cloud'>,
  posts: ReadonlyMap<string, string>,
): Promise<Target[]> {
  const table = openTableAsAdministrator(cloud);
  const found = await Promise.all([...posts.keys()].map((id) => findPost(table, cloud.demo.id, id)));
  return found.flatMap((post) => post?.targets ?? []);
}

/** Waits until none of the killed targets has work left. A timeout is not an error: the table shows what is open. */
export async function untilDone(
  cloud: TestCloud,
  kills: readonly Kill[],
  { withinMs, meanwhile }: { readonly withinMs: number; readonly meanwhile: () => unknown },
): Promise<readonly Target[]> {
  const posts = new Map(kills.map(({ postId, content }) => [postId, content]));
  const isKilled = ({ postId, platform }: Target) =>
    kills.some((kill) => kill.postId === postId && kill.platform === platform);
  let targets: readonly Target[] = [];
  const look = async () => {
    targets = (await readTargets({ cloud }, posts)).filter(isKilled);
    return targets;
  };
  const isDone = (all: readonly Target[]) => all.every(({ wakeAt }) => wakeAt === undefined);
  await until(look, isDone, { withinSeconds: withinMs / secondMs, meanwhile }).catch(() => undefined);
  return targets;
}
