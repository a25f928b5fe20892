import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { PublishJob } from '../../lib/platforms/contract/adapter.ts';
import type { AbsenceRule } from '../../lib/platforms/contract/last-call.ts';
import type { MediaType, Platform } from '../../lib/platforms/contract/names.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import { clientOf } from '../journeys/support/client.ts';
import { advance } from '../journeys/support/clock.ts';
import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { preparedDestinations, raisedDailyLimits, raiseLimits } from './destinations.ts';
import { type BurstPlan, runBurst } from './recovery/burst.ts';
import { doneMs, type End, endOf, type Phase, phases, settledPhase } from './recovery/phases.ts';
import { type Kill, platforms, runWave, untilDone, type WavePlan } from './recovery/wave.ts';

interface Size {
  readonly platforms: readonly Platform[];
  readonly waves: readonly WavePlan[];
  /** Real time to wait after a wave, before the clock is moved. */
  readonly recoveryMs: number;
  /** True if the waves reach every phase. A phase without a kill then misses its bound. */
  readonly isComplete: boolean;
  readonly burst: BurstPlan;
}

const usual = {
  preparing: 1,
  waiting: 0,
  noEffect: 0,
  slow: 2,
  noResponse: 2,
  finishing: 2,
  stopsFirst: false,
} as const;
const none = { ...usual, preparing: 0, slow: 0, noResponse: 0, finishing: 0 } as const;
/** A lease is renewed every six seconds: kills at different ages of it. */
const killedAfterMs = [1_000, 2_500, 4_000, 5_500, 7_000, 9_000];

const full: Size = {
  platforms,
  waves: [
    ...killedAfterMs.map((afterMs, index) => ({
      ...usual,
      killedAfterMs: afterMs,
      stopsFirst: index % 2 === 1,
    })),
    // In waves of their own: in the others, workers that are held take all processes.
    ...[1_000, 1_500].map((afterMs) => ({ ...none, waiting: 4, killedAfterMs: afterMs })),
    // Last, because it takes minutes to prove that a call had no effect.
    { ...none, noEffect: 6, killedAfterMs: 2_000 },
  ],
  recoveryMs: 26 * secondMs,
  isComplete: true,
  burst: { images: 20, texts: 30, kills: 30, lostAnswers: 8 },
};
const smallest: Size = {
  platforms: ['facebook'],
  waves: [{ ...none, noResponse: 1, killedAfterMs: 1_000 }],
  recoveryMs: 0,
  isComplete: false,
  burst: { images: 1, texts: 1, kills: 1, lostAnswers: 0 },
};

/** The engine promises that a target whose worker was killed continues within this time. */
const bounds = { p50Seconds: 20, p99Seconds: 30, afterAbsenceSeconds: 20 };
/** The longest search for the outcome of a call takes six minutes. The clock is moved in steps. */
const stepSeconds = 5;
const pauseMs = 700;
const longestEndMs = 2 * minuteMs;

export const recovery = defineBench<Size>({
  name: 'recovery',
  describe:
    'how soon posts go live whose workers are killed, in every phase of their work and in a burst (ten minutes)',
  sizes: { full, smallest },
  async measure(size, { progress, withCloud }) {
    const options = { jitter: 'none', dailyLimits: raisedDailyLimits } as const;
    const burst = await withCloud(options, async (cloud) => {
      await raiseLimits(cloud);
      return runBurst(cloud, size.burst, progress);
    });
    const waves = await withCloud(options, (cloud) => measure(cloud, size, progress));
    return [...waves, ...burst];
  },
});

/** The outcome of work on a target that a kill interrupted. */
interface Recovered {
  readonly kill: Kill;
  readonly phase: Phase;
  readonly end: End;
  readonly seconds: number;
  /** Bound for a last call without effect: the time to find that out, and to call again or give up. */
  readonly boundSeconds: number;
}

async function measure(
  cloud: TestCloud,
  size: Size,
  progress: (line: string) => void,
): Promise<readonly BenchTable[]> {
  await raiseLimits(cloud);
  const client = clientOf(cloud, cloud.demo);
  const [imageUrl, videoUrl] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
  const destinations = await preparedDestinations(client, videoUrl, size.platforms);
  await hurry(cloud, size.platforms);
  const kills: Kill[] = [];
  let processCount = 0;
  for (const [index, plan] of size.waves.entries()) {
    const name = `${cloud.clock.now()}-${index}`;
    const wave = await runWave({ cloud, destinations, imageUrl, name }, plan);
    kills.push(...wave.kills);
    processCount += wave.processCount;
    progress(`wave ${index + 1} of ${size.waves.length}: ${wave.kills.length} destinations interrupted`);
    await untilDone(cloud, wave.kills, { withinMs: size.recoveryMs, meanwhile: () => delay(secondMs) });
  }
  const step = async () => {
    await advance(cloud, stepSeconds);
    await delay(pauseMs);
  };
  const targets = await untilDone(cloud, kills, { withinMs: longestEndMs, meanwhile: step });
  const recovered = await Promise.all(kills.map((kill) => judge(cloud, kill, targets)));
  for (const { kill, phase, end, seconds } of recovered) {
    if (end === 'live once' && seconds <= bounds.p99Seconds) continue;
    progress(
      `${kill.platform}, ${kill.content}: killed while ${phase}, ${end} after ${seconds.toFixed(1)} s`,
    );
  }
  return [tableOf(recovered, processCount, size), absenceTable(recovered)];
}

/** Makes the platforms process media immediately, so that the bench waits for the service only. */
async function hurry(cloud: TestCloud, chosen: readonly Platform[]): Promise<void> {
  if (chosen.includes('instagram'))
    await platformOf(cloud, 'instagram').settings({ imageProcessingSeconds: 0 });
  if (chosen.includes('youtube')) await platformOf(cloud, 'youtube').settings({ processingSeconds: 0 });
}

async function judge(cloud: TestCloud, kill: Kill, targets: readonly Target[]): Promise<Recovered> {
  const { postId, platform, content, fromMs, callEndsMs = fromMs, intentAt } = kill;
  const target = targets.find((one) => one.postId === postId && one.platform === platform);
  if (!target) throw new Error(`${content} has no destination on ${platform}`);
  const live = await platformOf(cloud, platform).postsSaying(content);
  const calls = target.calls ?? [];
  const tookEffect = live.length > 0 && calls.at(-1)?.intentAt === intentAt;
  const phase = settledPhase(kill.phase, tookEffect);
  const rule = await absenceRuleOf(target);
  return {
    kill,
    phase,
    end: endOf(target, live.length),
    seconds: (doneMs(target, phase) - fromMs) / secondMs,
    boundSeconds: (callEndsMs - fromMs) / secondMs + absenceSeconds(rule) + bounds.afterAbsenceSeconds,
  };
}

/** The rule for the kind of post that the bench publishes. */
async function absenceRuleOf({ platform, preparation = {}, options }: Target): Promise<AbsenceRule> {
  const adapter = await adapterFor(platform);
  if (!adapter) throw new Error(`${platform} has no adapter`);
  const type: MediaType = platform === 'youtube' ? 'video' : 'image';
  const job = { content: '', media: [{ type }], options, preparation };
  // The cast is safe: a rule depends on the kind of post only.
  return adapter.absenceRule(job as unknown as PublishJob);
}

/** Duration of silence, counted from the certain end of a call, after which absence is judged. */
const absenceSeconds = ({ readLagSeconds, lookups, gapSeconds }: AbsenceRule): number =>
  readLagSeconds + (lookups - 1) * gapSeconds;

const columns = ['kills', 'p50', 'p99', 'max', 'live once', 'unknown', 'failed', 'open', 'live twice'];
const ends: readonly End[] = ['live once', 'unknown', 'failed', 'open', 'live twice'];

function figures(recovered: readonly Recovered[]): string[] {
  const seconds = recovered.map((one) => one.seconds).toSorted((left, right) => left - right);
  const shown = (share: number) => {
    const value = percentile(seconds, share);
    return Number.isNaN(value) ? '' : value.toFixed(1);
  };
  const counts = ends.map((end) => recovered.filter((one) => one.end === end).length);
  return [String(recovered.length), shown(0.5), shown(0.99), shown(1), ...counts.map(String)];
}

function tableOf(recovered: readonly Recovered[], processCount: number, { isComplete }: Size): BenchTable {
  const shown = phases.filter((phase) => phase !== 'last call, no effect');
  const rows = shown.map((phase) => {
    const ofPhase = recovered.filter((one) => one.phase === phase);
    const seconds = ofPhase.map((one) => one.seconds).toSorted((left, right) => left - right);
    const isMet =
      percentile(seconds, 0.5) <= bounds.p50Seconds &&
      percentile(seconds, 0.99) <= bounds.p99Seconds &&
      ofPhase.every(({ end }) => end === 'live once');
    return {
      cells: [phase, ...figures(ofPhase)],
      isMet: ofPhase.length > 0 || isComplete ? isMet : undefined,
    };
  });
  return {
    title: 'Recovery: seconds from the kill of a worker until the interrupted work is done',
    columns: ['killed while', ...columns, 'met'],
    rows: rows.map(({ cells, isMet }) => [...cells, verdict(isMet)]),
    notes: [
      `${processCount} processes of the publishing function were killed (SIGKILL) while they worked ${recovered.length} destinations.`,
      'A post that was not due yet counts from its due time. Done means that the post is live and recorded as live; for the',
      `last row, that it has its permalink. Bounds: p50 ${bounds.p50Seconds} s, p99 ${bounds.p99Seconds} s, every post live once.`,
    ],
    bounds: countBounds(rows.map(({ isMet }) => isMet)),
  };
}

function absenceTable(recovered: readonly Recovered[]): BenchTable {
  const silent = recovered.filter(({ phase }) => phase === 'last call, no effect');
  const names = [...new Set(silent.map(({ kill }) => kill.platform))];
  const rows = names.map((platform) => {
    const ofPlatform = silent.filter(({ kill }) => kill.platform === platform);
    const isMet = ofPlatform.every(
      ({ end, seconds, boundSeconds }) =>
        end === 'unknown' || (end === 'live once' && seconds <= boundSeconds),
    );
    const bound = Math.max(...ofPlatform.map(({ boundSeconds }) => boundSeconds));
    return { cells: [platform, ...figures(ofPlatform), bound.toFixed(1)], isMet };
  });
  return {
    title:
      'Recovery: seconds from the kill of a worker whose last call had no effect until its post is live or reported as unknown',
    columns: ['platform', ...columns, 'bound', 'met'],
    rows:
      rows.length > 0
        ? rows.map(({ cells, isMet }) => [...cells, verdict(isMet)])
        : [['none', '0', ...Array.from({ length: columns.length + 1 }, () => '')]],
    notes: [
      'The bound is the time for which that platform is asked about a call that left no trace, and 20 s. If the platform may publish the',
      'same thing twice, the call is not repeated: the outcome is reported as unknown. The clock is moved during the wait.',
    ],
    bounds: countBounds(rows.map(({ isMet }) => isMet)),
  };
}
