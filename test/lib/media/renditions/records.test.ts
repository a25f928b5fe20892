import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { type ImageRecipe, renditionIdOf } from '../../../../lib/media/renditions/recipe.ts';
import {
  awaitRendition,
  deleteRendition,
  maxRenditions,
  type RenditionPorts,
  readRenditions,
  renditionItem,
  renditionsOf,
  requestRendition,
  retryRendition,
} from '../../../../lib/media/renditions/records.ts';
import type { Rendition, RenditionMessage } from '../../../../lib/media/renditions/schemas.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { parseUploadKey } from '../../../../lib/media/urls.ts';
import { putItem } from '../../../../lib/table/items.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs, storeMedia } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

const recipe: ImageRecipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 1_080,
  heightPixels: 1_350,
  maxBytes: 8_000_000,
  background: '#ffffff',
};
const workspaceId = newId(startMs);

let table: Table;
let media: Media;
let now: number;
let sent: RenditionMessage[];
let ports: RenditionPorts;
beforeEach(async () => {
  table = await createTestTable();
  media = await storeMedia(table, workspaceId, { status: 'ready' });
  now = startMs;
  sent = [];
  ports = {
    table,
    now: () => now,
    enqueueRendition: async (message) => {
      sent.push(message);
    },
  };
});

const nameOf = (changes: Partial<ImageRecipe> = {}) => ({
  workspaceId,
  mediaId: media.id,
  recipe: { ...recipe, ...changes },
});

async function find(): Promise<Rendition> {
  const [rendition] = await readRenditions(table, [nameOf()]);
  if (!rendition) throw new Error('there is no rendition');
  return rendition;
}

async function store(changes: Partial<Rendition>): Promise<Rendition> {
  await requestRendition(ports, nameOf());
  sent = [];
  const rendition = { ...(await find()), ...changes };
  await putItem(table, renditionItem(rendition), {});
  return rendition;
}

describe('a request for a rendition', () => {
  it('stores what is wanted, under an object key of the original, and sends its message', async () => {
    expect(await requestRendition(ports, nameOf())).toEqual({ state: 'wanted', sinceMs: startMs });
    const rendition = await find();
    expect(rendition).toMatchObject({ status: 'wanted', recipe, wantedAt: toTimestamp(startMs) });
    // No upload can have it.
    expect(parseUploadKey(rendition.objectKey)).toBeUndefined();
    expect(rendition.objectKey).toBe(
      `media/${workspaceId}/${media.id}/renditions/${renditionIdOf(recipe)}.jpg`,
    );
    expect(sent).toEqual([{ workspaceId, mediaId: media.id, renditionId: renditionIdOf(recipe) }]);
  });

  it('sends one message, however many ask at the same moment', async () => {
    await Promise.all(Array.from({ length: 7 }, () => requestRendition(ports, nameOf())));
    expect(sent).toHaveLength(1);
  });

  it('leaves a rendition that exists as it is', async () => {
    await store({ status: 'ready', version: 2 });
    await requestRendition(ports, nameOf());
    expect(await find()).toMatchObject({ status: 'ready', version: 2 });
    expect(sent).toEqual([]);
  });

  it.each([
    ['is being deleted', { removedAt: toTimestamp(startMs) }],
    ['has not arrived', { status: 'pending' }],
  ] as const)('makes nothing of a file that %s', async (_case, changes) => {
    media = await storeMedia(table, workspaceId, { status: 'ready', ...changes });
    expect(await requestRendition(ports, nameOf())).toEqual({ state: 'no file' });
    expect(await renditionsOf(table, workspaceId, media.id)).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('is refused once the file has the maximum number of renditions', async () => {
    for (let width = 1; width <= maxRenditions; width += 1)
      expect(await requestRendition(ports, nameOf({ widthPixels: width }))).toMatchObject({
        state: 'wanted',
      });
    expect(await requestRendition(ports, nameOf())).toEqual({ state: 'too many' });
    expect(await renditionsOf(table, workspaceId, media.id)).toHaveLength(maxRenditions);
  });
});

describe('a rendition that is waited for', () => {
  it('gets another message after a minute, and then at growing intervals', async () => {
    await requestRendition(ports, nameOf());
    const times: number[] = [];
    for (; now < startMs + 130 * minuteMs; now += 10 * secondMs) {
      const before = sent.length;
      await awaitRendition(ports, await find());
      if (sent.length > before) times.push((now - startMs) / minuteMs);
    }
    expect(times).toEqual([1, 2, 4, 8, 16, 32, 62, 92, 122]);
  });

  it('gets one message from all who look at the same moment', async () => {
    const rendition = await store({});
    now += minuteMs;
    await Promise.all(Array.from({ length: 7 }, () => awaitRendition(ports, rendition)));
    expect(sent).toHaveLength(1);
  });

  it('gets no message once it is ready', async () => {
    const rendition = await store({});
    await putItem(table, renditionItem({ ...rendition, status: 'ready' }), {});
    now += minuteMs;
    await awaitRendition(ports, rendition);
    expect(sent).toEqual([]);
    expect(await find()).toMatchObject({ status: 'ready' });
  });
});

describe('a rendition that has failed', () => {
  const failed = { status: 'failed', reason: 'the picture is damaged', version: 2 } as const;

  it('stays failed for those who did not ask for another try since', async () => {
    const rendition = await store(failed);
    expect(await retryRendition(ports, rendition, undefined)).toBe(false);
    expect(await retryRendition(ports, rendition, toTimestamp(startMs - 1))).toBe(false);
    expect(await find()).toEqual(rendition);
  });

  it('is wanted again once after a retry', async () => {
    const rendition = await store(failed);
    now += minuteMs;
    const retriedAt = toTimestamp(now);
    now += secondMs;
    expect(await retryRendition(ports, rendition, retriedAt)).toBe(true);
    const again = await find();
    expect(again).toMatchObject({ status: 'wanted', wantedAt: toTimestamp(now), version: 3 });
    expect(again.reason).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect(await retryRendition(ports, { ...again, ...failed }, retriedAt)).toBe(false);
  });
});

describe('the removal of renditions', () => {
  it('deletes the record of one that is unchanged', async () => {
    await store({});
    const [rendition] = await renditionsOf(table, workspaceId, media.id);
    expect(rendition && (await deleteRendition(table, rendition))).toBe(true);
    expect(await renditionsOf(table, workspaceId, media.id)).toEqual([]);
  });

  it('keeps the record of one that a worker has made meanwhile, so that its object is removed too', async () => {
    await store({});
    const [rendition] = await renditionsOf(table, workspaceId, media.id);
    await putItem(table, renditionItem({ ...(await find()), status: 'ready', version: 2 }), {});
    expect(rendition && (await deleteRendition(table, rendition))).toBe(false);
    expect(await renditionsOf(table, workspaceId, media.id)).toHaveLength(1);
  });
});
