import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { FunctionDefinition } from '../../../infra/functions/definition.ts';
import { Rendition, RenditionMessage } from '../../../lib/media/renditions/schemas.ts';
import { findMedia } from '../../../lib/media/store.ts';
import { getItem, updateItem } from '../../../lib/table/items.ts';
import { type Key, renditionKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { World } from '../world/world.ts';
import type { SimulatedBucket } from './bucket.ts';
import type { LoadedFunction } from './functions.ts';

const jpeg = readFileSync(join(import.meta.dirname, '../../fixtures/image.jpg'));
const digest = createHash('sha256').update(jpeg).digest('hex');

/** The time limit of the function that makes renditions. */
export const rendererTimeoutSeconds = 900;

/**
 * A model of the function that makes renditions. It reads the original, writes the object under its immutable key, then settles
 * the record. If the record or the original is gone by then, it removes the object that it may have put.
 */
export function createRenderer(
  world: World,
  table: Table,
  { bucket, putRendition }: SimulatedBucket,
): LoadedFunction<FunctionDefinition> {
  async function render(message: RenditionMessage): Promise<void> {
    const { workspaceId, mediaId, renditionId } = message;
    const key = renditionKey(workspaceId, mediaId, renditionId);
    const found = await find(key);
    const media = await findMedia(table, workspaceId, mediaId);
    const objectKey = found?.objectKey ?? `media/${workspaceId}/${mediaId}/${renditionId}.jpg`;
    if (!found || !media || media.removedAt !== undefined) return bucket.remove(objectKey);
    if (found.status !== 'wanted') return;
    await bucket.openRange(media.objectKey, 0, 0);
    if (world.happens('renditionFails')) {
      await settle(key, { status: 'failed', reason: 'the picture is damaged', version: found.version + 1 });
      return;
    }
    await putRendition(objectKey, jpeg);
    const made = {
      status: 'ready',
      sizeBytes: jpeg.length,
      sha256: digest,
      version: found.version + 1,
    };
    if (await settle(key, made)) return;
    if ((await find(key)) === undefined) await bucket.remove(objectKey);
  }

  async function find(key: Key): Promise<Rendition | undefined> {
    const item = await getItem(table, key);
    return item && Rendition.parse(item);
  }

  const settle = async (key: Key, set: Record<string, unknown>): Promise<boolean> =>
    (await updateItem(table, key, { set, if: { status: 'wanted' } })).written;

  const handler = async (event: unknown): Promise<SQSBatchResponse> => {
    const { Records } = event as SQSEvent;
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const { body, messageId } of Records) {
      try {
        await render(RenditionMessage.parse(JSON.parse(body)));
      } catch {
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
  const definition = { name: 'render-media', entry: '', rights: {}, timeoutSeconds: rendererTimeoutSeconds };
  return { definition, build: Object.assign(() => handler, { wires: {} }) as never };
}
