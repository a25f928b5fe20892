import type * as z from 'zod';
import { type Clock, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import { batchGet } from '../../table/batch-get.ts';
import { absent } from '../../table/condition.ts';
import { deleteItem, type Item, updateItem } from '../../table/items.ts';
import { mediaKey, renditionKey, renditionsPartition } from '../../table/keys.ts';
import { countAll, queryAll } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import { checkPart, putPart, transact } from '../../table/transaction.ts';
import { removed } from '../../table/update.ts';
import type { MediaStatus } from '../schemas.ts';
import { renditionObjectKeyFor } from '../urls.ts';
import { type Recipe, renditionIdOf } from './recipe.ts';
import { Rendition, type RenditionMessage } from './schemas.ts';

/** The maximum number of renditions of a file: each platform needs one or two, and each change of `fit` another. */
export const maxRenditions = 30;

export interface RenditionPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Sends the message that has a rendition made. */
  readonly enqueueRendition: (message: RenditionMessage) => Promise<void>;
}

/** A rendition, named by its file and by all that determines it. */
export interface RenditionName {
  readonly workspaceId: string;
  readonly mediaId: string;
  readonly recipe: Recipe;
}

/** Returns the item of a rendition. */
export const renditionItem = (rendition: Rendition): Item => ({
  ...renditionKey(rendition.workspaceId, rendition.mediaId, rendition.id),
  kind: 'rendition',
  ...rendition,
});

/** Reads renditions with one request, in the order of their names; `undefined` for one that nobody has asked for. */
export async function readRenditions(
  table: Table,
  names: readonly RenditionName[],
): Promise<(Rendition | undefined)[]> {
  const keys = names.map(keyOf);
  const found = await batchGet(table, keys);
  return keys.map((key) => {
    const item = found.get(key);
    return item && Rendition.parse(item);
  });
}

/** The outcome of a request. `too many`: the file has the maximum number. `no file`: it is being deleted. */
export type RenditionRequest =
  | { readonly state: 'wanted'; readonly sinceMs: number }
  | { readonly state: 'too many' | 'no file' };

/**
 * Asks for a rendition that does not exist yet, and sends its message. Idempotent and safe to call concurrently.
 *
 * Its record is written in a transaction that checks that the file is there: once a file is marked as removed, it gets no further
 * renditions, so its removal ends. The number is counted before. So requests at the same moment may exceed it by as many as they
 * are, which is less than an item for all of them to change would cost.
 *
 * A crash before the message is sent is harmless: see {@link awaitRendition}.
 */
export async function requestRendition(
  ports: RenditionPorts,
  { workspaceId, mediaId, recipe }: RenditionName,
): Promise<RenditionRequest> {
  const { table } = ports;
  if ((await countAll(table, { partition: renditionsPartition(workspaceId, mediaId) })) >= maxRenditions)
    return { state: 'too many' };
  const nowMs = ports.now();
  const now = toTimestamp(nowMs);
  const name = { id: renditionIdOf(recipe), workspaceId, mediaId };
  const rendition: Rendition = {
    ...name,
    recipe,
    objectKey: renditionObjectKeyFor(name, recipe.contentType),
    status: 'wanted',
    createdAt: now,
    wantedAt: now,
    sentAt: now,
    version: 1,
  };
  const outcome = await transact(table, [
    checkPart(table, mediaKey(workspaceId, mediaId), {
      status: 'ready' satisfies MediaStatus,
      removedAt: absent,
    }),
    putPart(table, renditionItem(rendition), { pk: absent }),
  ]);
  if (!outcome.committed && outcome.failedIndex === 0) return { state: 'no file' };
  if (outcome.committed) await ports.enqueueRendition(messageOf(rendition));
  return { state: 'wanted', sinceMs: nowMs };
}

/** The shortest and longest time after which the message of a rendition is sent again. */
const shortestPauseMs = minuteMs;
const longestPauseMs = 30 * minuteMs;

/** Returns the time at which the message of a rendition may have been lost. The pauses double, so a long queue grows little. */
function nextMessageMs({ wantedAt, sentAt }: Rendition): number {
  const sentMs = Date.parse(sentAt);
  const waitedMs = sentMs - Date.parse(wantedAt);
  return sentMs + Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs));
}

/**
 * Sends the message of a wanted rendition again if it may have been lost. Everybody who waits for the rendition calls this; the
 * write of the time decides who of them sends.
 */
export async function awaitRendition(ports: RenditionPorts, rendition: Rendition): Promise<void> {
  if (ports.now() < nextMessageMs(rendition)) return;
  const { sentAt, status } = rendition;
  const update = { set: { sentAt: toTimestamp(ports.now()) }, if: { sentAt, status } };
  const { written } = await updateItem(ports.table, keyOf(rendition), update);
  if (written) await ports.enqueueRendition(messageOf(rendition));
}

/**
 * Asks again for a rendition that has failed, after a person's retry. Later looks of the same retry find it asked for since.
 *
 * @param retriedAt the time of the person's latest retry, as a timestamp; absent if there was none
 * @returns true if the rendition is wanted now
 */
export async function retryRendition(
  ports: RenditionPorts,
  rendition: Rendition,
  retriedAt: string | undefined,
): Promise<boolean> {
  const { status, version, wantedAt } = rendition;
  if (retriedAt === undefined || retriedAt <= wantedAt) return false;
  const now = toTimestamp(ports.now());
  const set = { status: 'wanted', wantedAt: now, sentAt: now, reason: removed, version: version + 1 };
  const { written } = await updateItem(ports.table, keyOf(rendition), { set, if: { status, version } });
  if (written) await ports.enqueueRendition(messageOf(rendition));
  // If not, another target has asked for it, or it was removed. The next look shows which.
  return true;
}

/** The fields of a rendition that its removal needs. */
const RemovableRendition = Rendition.pick({
  id: true,
  workspaceId: true,
  mediaId: true,
  objectKey: true,
  status: true,
  version: true,
});
export type RemovableRendition = z.infer<typeof RemovableRendition>;

/** Returns all renditions of a file. */
export async function renditionsOf(
  table: Table,
  workspaceId: string,
  mediaId: string,
): Promise<RemovableRendition[]> {
  const items = await queryAll(table, { partition: renditionsPartition(workspaceId, mediaId) });
  return items.map((item) => RemovableRendition.parse(item));
}

/**
 * Deletes the record of a rendition whose object was removed.
 *
 * @returns false if it has changed since it was read: a worker may have put the object again
 */
export async function deleteRendition(table: Table, rendition: RemovableRendition): Promise<boolean> {
  return deleteItem(table, keyOf(rendition), { version: rendition.version });
}

const keyOf = (rendition: RenditionName | RemovableRendition) => {
  const id = 'id' in rendition ? rendition.id : renditionIdOf(rendition.recipe);
  return renditionKey(rendition.workspaceId, rendition.mediaId, id);
};

const messageOf = ({ workspaceId, mediaId, id }: Rendition): RenditionMessage => ({
  workspaceId,
  mediaId,
  renditionId: id,
});
