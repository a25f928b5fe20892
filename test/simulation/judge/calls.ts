import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { targetFromItem } from '../../../lib/targets/item.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { Item } from '../../support/database/database.ts';
import { nextReleaseReads } from '../cloud/releases.ts';

const known = new WeakMap<Item, Target>();

/** Reads a committed target, whichever release has written it. Parses each committed item once. */
export function readTarget(item: Item): Target {
  const target = known.get(item) ?? targetFromItem(nextReleaseReads(item));
  known.set(item, target);
  return target;
}

/** The records of a target's last calls. */
export const callsOf = (item: Item | undefined): readonly CallRecord[] =>
  (item && readTarget(item).calls) ?? [];

/** Returns true if a failure does not show whether the target is live. */
export const isInDoubt = (error: unknown): boolean => String(error).startsWith('outcome unknown');
