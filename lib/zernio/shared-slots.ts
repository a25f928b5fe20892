import * as z from 'zod';
import type { Context } from '../api-contract/context.ts';
import { operation } from '../api-contract/operation.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { listSharedSlots as findSharedSlots } from '../rhythm/choose-slot.ts';

/** The accounts that one post can have. */
const mostAccounts = 50;

/** The slots of Zernio's queue: the next times at which a post to several accounts could go out. It has no route of its own. */
export const listSharedSlotsOperation = operation({
  id: 'listSharedSlots',
  handler: 'zernio',
  verb: 'rhythm.read',
  method: 'GET',
  path: '/zernio/shared-slots',
  summary: 'List the next slots that are free on all accounts',
  query: z.object({
    accountIds: z.string().transform((text) => text.split(',').slice(0, mostAccounts)),
    count: z.coerce.number().int().min(1).max(100),
  }),
  replies: { 200: { description: 'The slots', body: z.object({ slots: z.array(z.string()) }) } },
  rights: {
    // A claim that is only partly visible is read as the transaction that it is.
    reads: { BatchGetItem: ['CALENDAR#'], GetItem: ['CALENDAR#'], Query: ['CALENDAR#'] },
  },
});

/** @throws HeraldError `unavailable` if a claim on one of the accounts is just being committed */
export async function listSharedSlots(
  context: Context,
  accountIds: readonly string[],
  count: number,
): Promise<string[]> {
  const slots = await findSharedSlots(context, accountIds, count);
  if (!slots)
    throw new HeraldError('unavailable', 'a slot is being taken at this moment; try again', {
      retryAfterSeconds: 1,
    });
  return slots.map(toTimestamp);
}
