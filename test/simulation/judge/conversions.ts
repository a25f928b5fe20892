import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';
import { readTarget } from './calls.ts';

/** The time in which a target is told that its file cannot be converted, in a run where nothing else goes wrong. */
const toldMs = 2 * minuteMs;

/** Checks that the failure of a conversion is told soon after the request and the file, and not only when the target is due. */
export function createConversionCheck(world: World, committed: Committed) {
  /** The times at which files arrived, by their ids. */
  const arrivedMs = new Map<string, number>();
  /** The times at which a person last asked for a target, or changed it. */
  const askedMs = new Map<string, number>();

  function note({ key, kind, before, after, by }: Change): void {
    if (kind === 'media' && after?.['status'] === 'ready' && before?.['status'] !== 'ready')
      arrivedMs.set(String(after['id']), world.now());
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
    const atMs = askedMs.get(key) ?? 0;
    const fileMs = Math.max(...mediaItems.map(({ mediaId }) => arrivedMs.get(mediaId) ?? 0));
    // A file that is late is looked for at growing intervals.
    const latestMs = Math.max(atMs, fileMs) + Math.max(0, fileMs - atMs) + toldMs;
    if (world.now() > latestMs)
      world.violate(`${key} failed ${world.now() - latestMs} ms too late because of its file`);
  }

  committed.listen(note);
}
