import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Adaptation } from '../../../lib/media/renditions/adapt.ts';
import { type ImageRecipe, renditionIdOf } from '../../../lib/media/renditions/recipe.ts';
import { readRenditions, renditionItem, requestRendition } from '../../../lib/media/renditions/records.ts';
import type { Rendition } from '../../../lib/media/renditions/schemas.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia } from '../../../lib/media/store.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { ConversionFailure, type OriginalFile, withRenditions } from '../../../lib/publishing/adapt-files.ts';
import { putItem } from '../../../lib/table/items.ts';
import type { Table } from '../../../lib/table/table.ts';
import { referenceTo, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, openFixture } from './fixture.ts';

let table: Table;
let fixture: Fixture;
let media: Media;
beforeEach(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
  const { workspaceId, postId } = await fixture.find();
  const mediaId = (await findPost(table, workspaceId, postId))?.post.mediaItems[0]?.mediaId ?? '';
  const found = await findMedia(table, workspaceId, mediaId);
  if (!found) throw new Error('there is no file');
  media = found;
});

const recipe = (widthPixels: number): ImageRecipe => ({
  ...{ kind: 'image', contentType: 'image/jpeg', widthPixels, heightPixels: 600, maxBytes: 1_000 },
  background: '#ffffff',
});
const adaptation = (field: string, widthPixels: number, isOptional = false): Adaptation => ({
  ...{ field, changes: ['pixels'], message: 'scaled', recipe: recipe(widthPixels), isOptional },
});
const fileAt = (field: string): OriginalFile => {
  const reference = referenceTo(media);
  const source = { ...fixture.ports.mediaSource(reference, media), mediaId: media.id };
  return { reference, field, source };
};

async function load(adaptations: readonly Adaptation[], { hasCover = false } = {}) {
  const file = { type: 'image' } as const;
  const content = { content: 'Hello', media: [file, file], ...(hasCover && { cover: file }), options: {} };
  const files = {
    media: [fileAt('platforms[0].customMedia[0]'), fileAt('platforms[0].customMedia[1]')],
    ...(hasCover && { cover: fileAt('coverUrl') }),
  };
  return withRenditions(fixture.ports, { target: await fixture.find() }, files, { content, adaptations });
}

async function store(widthPixels: number, changes: Partial<Rendition>): Promise<void> {
  const name = { workspaceId: media.workspaceId, mediaId: media.id, recipe: recipe(widthPixels) };
  await requestRendition(fixture.ports, name);
  const [rendition] = await readRenditions(table, [name]);
  if (rendition) await putItem(table, renditionItem({ ...rendition, ...changes }), {});
}

describe('the files of a target', () => {
  it('are all asked for at once, and the first one is named', async () => {
    const loaded = await load([adaptation('mediaItems[0]', 100), adaptation('mediaItems[1]', 200)]);
    expect(loaded).toMatchObject({
      kind: 'rendition',
      reason: 'platforms[0].customMedia[0] is being converted for Instagram',
      sinceMs: startMs,
    });
    expect(fixture.renditions.map(({ renditionId }) => renditionId)).toEqual(
      [100, 200].map((width) => renditionIdOf(recipe(width))),
    );
  });

  it('are replaced one by one: media in their order, and the cover', async () => {
    await store(100, { status: 'ready' });
    await store(300, { status: 'ready' });
    const adaptations = [adaptation('mediaItems[1]', 100), adaptation('coverUrl', 300)];
    const loaded = await load(adaptations, { hasCover: true });
    expect(loaded).toMatchObject({
      media: [{}, { renditionId: renditionIdOf(recipe(100)) }],
      cover: { renditionId: renditionIdOf(recipe(300)) },
    });
    expect('media' in loaded && loaded.media[0]).not.toHaveProperty('renditionId');
  });
});

describe('a file that the platform takes too as it is', () => {
  const optional = [adaptation('mediaItems[0]', 100, true)];

  it('is published as it is if it cannot be converted', async () => {
    await store(100, { status: 'failed', reason: 'the picture is damaged' });
    const loaded = await load(optional);
    expect(loaded).toMatchObject({ media: [{ url: expect.stringContaining(media.objectKey) }, {}] });
    expect('media' in loaded && loaded.media[0]).not.toHaveProperty('renditionId');
  });

  it('is waited for until a minute after the due time, then published as it is', async () => {
    expect(await load(optional)).toMatchObject({ kind: 'rendition' });
    fixture.clock.time += minuteMs - 1;
    expect(await load(optional)).toMatchObject({ kind: 'rendition' });
    fixture.clock.time += 1;
    expect(await load(optional)).not.toHaveProperty('kind');
  });
});

describe('a file that must be converted', () => {
  it('fails its target if it cannot be', async () => {
    await store(100, { status: 'failed', reason: 'the picture is damaged' });
    await expect(load([adaptation('mediaItems[0]', 100)])).rejects.toThrow(ConversionFailure);
  });

  it('fails its target if it has the maximum number of renditions', async () => {
    for (let width = 1; width <= 30; width += 1) await store(width, {});
    await expect(load([adaptation('mediaItems[0]', 100)])).rejects.toThrow('too many conversions were made');
  });

  it('is tried again if it is just being deleted: the sweep may restore it', async () => {
    await putItem(
      table,
      { ...media, pk: `MEDIA#${media.workspaceId}`, sk: media.id, removedAt: toTimestamp(startMs) },
      {},
    );
    await expect(load([adaptation('mediaItems[0]', 100)])).rejects.toMatchObject({ remedy: 'retry' });
  });
});
