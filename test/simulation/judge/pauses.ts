import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { type PausableWork, pauseKeysOf } from '../../../lib/pauses/read.ts';
import { type Change, type Committed, keyOf } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';
import { callsOf, readTarget } from './calls.ts';

/** A time in which publishing was paused, in epoch milliseconds. */
interface Span {
  readonly fromMs: number;
  untilMs: number;
}

/** A worker may go live if it read that there is no pause up to ten seconds before. The rest is its write. */
const knownMs = 12 * secondMs;
/** The same if calls may be slow, and repeated. */
const troubledMs = minuteMs;
/** The same for a process that was frozen meanwhile. */
const frozenMs = 5 * minuteMs;

export type Pauses = ReturnType<typeof createPauses>;

/** Follows the pauses. Checks that no target of a paused scope begins a last call, except soon after the pause has begun. */
export function createPauses(world: World, committed: Committed) {
  const spans = new Map<string, Span[]>();

  committed.listen((change) => {
    if (change.kind === 'pause') note(change);
    if (change.kind === 'target') checkTarget(change);
  });

  function note({ key, before, after }: Change): void {
    const all = spans.get(key) ?? [];
    spans.set(key, all);
    const last = all.at(-1);
    if (!before) all.push({ fromMs: world.now(), untilMs: Number.POSITIVE_INFINITY });
    if (!after && last) last.untilMs = world.now();
  }

  const spansOf = (work: PausableWork): Span[] =>
    pauseKeysOf(work).flatMap((key) => spans.get(keyOf({ ...key })) ?? []);

  function checkTarget({ key, before, after, by }: Change): void {
    // A last call that has begun is finished, also if it must be repeated.
    if (!after || before?.['status'] !== 'scheduled') return;
    if (callsOf(after).length === callsOf(before).length) return;
    const now = world.now();
    const allowedMs = by.pausedUntilMs() > 0 ? frozenMs : world.isCalm ? knownMs : troubledMs;
    const pause = spansOf(readTarget(after)).find(
      ({ fromMs, untilMs }) => fromMs + allowedMs < now && now < untilMs,
    );
    if (pause) world.violate(`${key} goes live, but publishing was paused ${now - pause.fromMs} ms ago`);
  }

  return {
    /** Returns the end of the last pause that has held some work so far, in epoch milliseconds; 0 without any. */
    endMs: (work: PausableWork): number => Math.max(0, ...spansOf(work).map(({ untilMs }) => untilMs)),
  };
}
