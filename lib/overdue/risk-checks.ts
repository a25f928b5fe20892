import * as z from 'zod';
import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { deleteItem, putItem, updateItem } from '../table/items.ts';
import { riskCheckKey, riskCheckShard } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The reason to check waiting posts before it is their turn: something has happened to what they need. */
export const RiskSubject = z.discriminatedUnion('kind', [
  /** All waiting posts of an account, or those of a day (in UTC) and the next one. */
  z.object({
    kind: z.literal('account'),
    workspaceId: z.string(),
    accountId: z.string(),
    day: z.string().optional(),
  }),
  /** The posts that use a file. */
  z.object({ kind: z.literal('file'), workspaceId: z.string(), mediaId: z.string() }),
  z.object({ kind: z.literal('post'), workspaceId: z.string(), postId: z.string() }),
  /** The posts of the next day in the scope of a pause: see `lib/pauses/scope.ts`. */
  z.object({ kind: z.literal('pause'), scope: z.string(), workspaceId: z.string().optional() }),
  /**
   * The posts of a day of a platform's limit that have no place in it or, if a place has been left, those at risk that may have one
   * now. `workspaceId` is never set.
   */
  z.object({
    kind: z.literal('day'),
    platform: z.string(),
    day: z.string(),
    isLeft: z.boolean().optional(),
    workspaceId: z.undefined().optional(),
  }),
]);
export type RiskSubject = z.infer<typeof RiskSubject>;

/** A check of waiting posts that is to be made, as stored. */
export const RiskCheck = z.object({
  /** Distinguishes it from a later check of the same posts. */
  id: z.string(),
  subject: z.string().transform((text) => RiskSubject.parse(JSON.parse(text))),
  /** The place up to which posts were checked, as JSON text; absent at the beginning. */
  position: z.string().optional(),
});
export type RiskCheck = z.infer<typeof RiskCheck>;

/** The time for which a check is tried. By then the posts have had their regular checks. */
const keptMs = 2 * dayMs;

/**
 * Has waiting posts checked within about a minute. A check of the same posts that is under way begins again. Idempotent.
 *
 * @param now epoch milliseconds
 */
export async function putRiskCheck(table: Table, subject: RiskSubject, now: number): Promise<void> {
  const item = {
    ...keyOf(subject),
    kind: 'riskCheck',
    id: newId(now),
    subject: JSON.stringify(subject),
    dueAt: toTimestamp(now),
    dueShard: riskCheckShard,
    expiresAtSeconds: Math.ceil((now + keptMs) / secondMs),
  };
  await putItem(table, item, unconditionally);
}

/** @throws if the item is not a check */
export const riskCheckFromItem = (item: Record<string, unknown>): RiskCheck => RiskCheck.parse(item);

/** Stores how far a check has come. @returns false if it has begun again in the meantime */
export async function advanceRiskCheck(
  table: Table,
  { id, subject }: RiskCheck,
  position: string,
): Promise<boolean> {
  return (await updateItem(table, keyOf(subject), { set: { position }, if: { id } })).written;
}

/** Lets a check wait that could not be made. @param untilMs epoch milliseconds */
export async function postponeRiskCheck(
  table: Table,
  { id, subject }: RiskCheck,
  untilMs: number,
): Promise<void> {
  await updateItem(table, keyOf(subject), { set: { dueAt: toTimestamp(untilMs) }, if: { id } });
}

/** Removes a check that is done, unless it has begun again in the meantime. */
export async function removeRiskCheck(table: Table, { id, subject }: RiskCheck): Promise<void> {
  await deleteItem(table, keyOf(subject), { id });
}

function keyOf(subject: RiskSubject) {
  const { kind, workspaceId } = subject;
  switch (kind) {
    case 'account':
      return riskCheckKey(workspaceId, [kind, subject.accountId, subject.day].filter(Boolean).join('#'));
    case 'file':
      return riskCheckKey(workspaceId, `${kind}#${subject.mediaId}`);
    case 'post':
      return riskCheckKey(workspaceId, `${kind}#${subject.postId}`);
    case 'day': {
      const { platform, day, isLeft } = subject;
      return riskCheckKey(workspaceId, [kind, platform, day, ...(isLeft ? ['left'] : [])].join('#'));
    }
    case 'pause':
      return riskCheckKey(workspaceId, `${kind}#${subject.scope}`);
  }
}
