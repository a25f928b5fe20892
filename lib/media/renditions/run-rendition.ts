import { getItem, updateItem } from '../../table/items.ts';
import { renditionKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Media } from '../schemas.ts';
import { findMedia } from '../store.ts';
import type { StoredObject } from '../uploads/complete-upload.ts';
import { renditionObjectKeyFor } from '../urls.ts';
import { renditionContentTypes } from './recipe.ts';
import type { Render } from './render.ts';
import { Rendition, type RenditionMessage } from './schemas.ts';

/** A file to put, on the local disk. */
export interface LocalObject {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
}

/** The bucket operations for making a rendition. */
export interface RenditionBucket {
  /** Describes an object; `undefined` if there is none. */
  readonly describe: (objectKey: string) => Promise<StoredObject | undefined>;
  /** Reads bytes of an object, both ends included; `undefined` if the object is gone. */
  readonly readRange: (
    objectKey: string,
    first: number,
    last: number,
    etag: string,
  ) => Promise<Uint8Array | undefined>;
  /** Puts a public object. Never overwrites: does nothing if there is one. */
  readonly putNew: (objectKey: string, object: LocalObject) => Promise<void>;
  /** Removes an object; also succeeds if there is none. */
  readonly remove: (objectKey: string) => Promise<void>;
}

export interface RenditionPorts {
  readonly table: Table;
  readonly bucket: RenditionBucket;
  readonly render: Render;
  /** Calls with a new, empty folder, and removes it afterwards. */
  readonly withFolder: <Result>(use: (folder: string) => Promise<Result>) => Promise<Result>;
}

/** `gone`: the original or the record is deleted. `too early`: the original has not arrived. */
export type RenditionOutcome = 'ready' | 'failed' | 'gone' | 'too early';

/**
 * Makes a rendition: renders the original, puts the public object, and marks the record as `ready` or `failed`. Idempotent and
 * safe to run concurrently. The object is put once; whoever finds it marks the record with what the object is.
 *
 * An interruption ends as follows:
 * - Before the object is put: the message returns, and the original is rendered again.
 * - After the object is put, while the record is `wanted`: the message returns, finds the object, and marks the record.
 * - After the record is marked: the message returns, and does nothing.
 * - Two messages: both render. The second object is not put, and both mark the record from the first one.
 * - The original or the record is deleted meanwhile: the mark fails, because the record is gone, and the object is removed.
 *   Whoever deletes a record removes its object first, and deletes on the condition of the version that it has read. So
 *   a mark in between makes the deletion begin again, and removes the object that was put late.
 * - A crash after the object is put, and the record is deleted before the message returns: the message removes the object.
 * - The original is removed and then restored, because a post needs it: whoever waits for the rendition asks again.
 * - The message is lost: whoever waits for the rendition asks again.
 * - Five failed receives: the last one marks the record as `failed` (see {@link giveUpRendition}).
 */
export async function runRendition(
  ports: RenditionPorts,
  message: RenditionMessage,
): Promise<RenditionOutcome> {
  const { table, bucket } = ports;
  for (;;) {
    const rendition = await findRendition(table, message);
    if (!rendition) {
      for (const objectKey of possibleKeys(message)) await bucket.remove(objectKey);
      return 'gone';
    }
    if (rendition.status !== 'wanted') return rendition.status;
    const original = await findMedia(table, message.workspaceId, message.mediaId);
    if (!original || original.removedAt !== undefined) {
      await bucket.remove(rendition.objectKey);
      return 'gone';
    }
    if (original.status !== 'ready') return 'too early';
    const outcome = await make(ports, rendition, original);
    if (outcome !== 'changed') return outcome;
  }
}

/** Marks a rendition as `failed` that Herald could not make in any attempt. One that is made stays as it is. */
export async function giveUpRendition(table: Table, message: RenditionMessage): Promise<void> {
  for (;;) {
    const rendition = await findRendition(table, message);
    if (rendition?.status !== 'wanted') return;
    const reason = 'Herald cannot convert this file. Convert it to a usual format, and upload it again';
    if (await mark(table, rendition, { status: 'failed', reason })) return;
  }
}

async function findRendition(
  table: Table,
  { workspaceId, mediaId, renditionId }: RenditionMessage,
): Promise<Rendition | undefined> {
  const item = await getItem(table, renditionKey(workspaceId, mediaId, renditionId));
  return item && Rendition.parse(item);
}

/** Returns the keys that a rendition's object can have. Only its record says which. */
const possibleKeys = ({ renditionId: id, ...file }: RenditionMessage): string[] =>
  renditionContentTypes.map((contentType) => renditionObjectKeyFor({ ...file, id }, contentType));

/** @returns `changed` if the record must be read again */
async function make(
  { table, bucket, render, withFolder }: RenditionPorts,
  rendition: Rendition,
  original: Media,
): Promise<RenditionOutcome | 'changed'> {
  const { objectKey, recipe } = rendition;
  const reason =
    (await bucket.describe(objectKey)) === undefined &&
    (await withFolder(async (folder) => {
      const rendered = await render(recipe, await openOriginal(bucket, original), folder);
      if (rendered.state === 'failed') return rendered.reason;
      const { contentType } = recipe;
      await bucket.putNew(objectKey, { ...rendered, contentType });
      return undefined;
    }));
  if (reason) return (await mark(table, rendition, { status: 'failed', reason })) ? 'failed' : 'changed';
  const object = await bucket.describe(objectKey);
  // It was removed together with the original.
  if (!object) return 'changed';
  const { sizeBytes, sha256 } = object;
  if (await mark(table, rendition, { status: 'ready', sizeBytes, sha256 })) return 'ready';
  return 'changed';
}

/** @returns false if the record has changed or is gone */
async function mark(
  table: Table,
  { workspaceId, mediaId, id, version }: Rendition,
  set: Partial<Rendition>,
): Promise<boolean> {
  const key = renditionKey(workspaceId, mediaId, id);
  const update = { set: { ...set, version: version + 1 }, if: { version } };
  return (await updateItem(table, key, update)).written;
}

/** @throws Error if the object is gone, which only a loss of data explains while the record is there */
async function openOriginal({ describe, readRange }: RenditionBucket, { objectKey, contentType }: Media) {
  const lost = () => new Error(`the object ${objectKey} of a file is gone`);
  const object = await describe(objectKey);
  if (!object) throw lost();
  const { sizeBytes, etag } = object;
  return {
    contentType,
    sizeBytes,
    readRange: async (first: number, last: number) => {
      const bytes = await readRange(objectKey, first, last, etag);
      if (!bytes) throw lost();
      return bytes;
    },
  };
}
