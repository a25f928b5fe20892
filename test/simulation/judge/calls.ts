import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { targetFromItem } from '../../../lib/targets/item.ts';
import type { Item } from '../cloud/engine-table.ts';
import { nextReleaseReads } from '../cloud/releases.ts';

/** The records of a target's last calls. */
export const callsOf = (item: Item | undefined): readonly CallRecord[] =>
  (item && targetFromItem(nextReleaseReads(item)).calls) ?? [];

/** Whether a failure leaves it open whether the target is live. */
export const isInDoubt = (error: unknown): boolean => String(error).startsWith('outcome unknown');
