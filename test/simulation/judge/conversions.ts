import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';
import { readTarget } from './calls.ts';

/** The time from a failed conversion to the failure of a target that waits for it, in a run where nothing else goes wrong. */
const toldMs = 2 * minuteMs;

/** Checks that the failure of a conversion is told soon, and not only when the target is due. */
export function createConversionCheck(world: World, committed: Committed) {
  /** The times at which conversions failed, by the ids of their originals. */
  const failedMs = new Map<string, number>();
  /** The times at which a person last asked for a target, or changed it. */
  const askedMs = new Map<string, number>();

  function note({ key, kind, before, after, by }: Change): void {
    if (kind === 'rendition' && after?.['status'] === 'failed')
      failedMs.set(String(after['mediaId']), world.now());
    if (kind !== 'target' || !after) return;
    if (by.name.startsWith('api') || by.name.startsWith('run-chain')) askedMs.set(key, world.now());
    if (after['status'] === 'failed' && before?.['status'] === 'scheduled') check(key, after);
  }

  function check(key: string, item: Readonly<Record<string, unknown>>): void {
    const { error = '', mediaItems = [] } = readTarget(item);
    const hasOtherTrouble =
      world.outages.length > 0 ||
      world.rollout !== undefined ||
      world.troubles().some(({ kind }) => kind !== 'renditionFails');
    if (!error.includes('cannot be converted') || hasOtherTrouble) return;
    const knownMs = Math.max(
      askedMs.get(key) ?? 0,
      ...mediaItems.map(({ mediaId }) => failedMs.get(mediaId) ?? 0),
    );
    if (world.now() > knownMs + toldMs)
      world.violate(`${key} failed ${world.now() - knownMs} ms after its conversion did`);
  }

  committed.listen(note);
}
