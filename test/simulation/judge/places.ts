import { placeOf } from '../../../lib/daily-limits/place.ts';
import { dayMs } from '../../../lib/kernel/clock.ts';
import { dayPlaceKey } from '../../../lib/table/keys.ts';
import type { Committed } from '../cloud/committed.ts';
import { dailyLimits } from '../service.ts';
import type { World } from '../world/world.ts';
import { readTarget } from './calls.ts';

/** Checks the end: targets have their places in the days of daily limits, and nothing else takes a place. */
export function checkPlaces(world: World, committed: Committed): void {
  const planned = new Set<string>();
  for (const target of committed.ofKind('target').map(readTarget)) {
    const limit = dailyLimits[target.platform];
    const place = limit && placeOf(target, limit.timeZone);
    // The table drops places of long ago.
    if (!place || place.endsMs + 5 * dayMs < world.now()) continue;
    const { pk, sk } = dayPlaceKey(target, place.day);
    const stored = committed.get(`${pk} ${sk}`);
    if (!stored) world.violate(`the target ${sk} has no place in ${pk}`);
    else if (place.isUsed && stored['isUsed'] !== true)
      world.violate(`the target ${sk} has a place in ${pk} that is not used`);
    planned.add(`${pk} ${sk}`);
  }
  for (const { pk, sk, isUsed } of committed.ofKind('dayPlace'))
    if (isUsed !== true && !planned.has(`${pk} ${sk}`))
      world.violate(`${sk} has a place in ${pk} that no target takes`);
}
