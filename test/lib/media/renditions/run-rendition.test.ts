import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import { type Recipe, renditionIdOf } from '../../../../lib/media/renditions/recipe.ts';
import type { Render } from '../../../../lib/media/renditions/render.ts';
import {
  giveUpRendition,
  type LocalObject,
  runRendition,
} from '../../../../lib/media/renditions/run-rendition.ts';
import { Rendition } from '../../../../lib/media/renditions/schemas.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { deleteItem, getItem } from '../../../../lib/table/items.ts';
import { mediaKey, renditionKey } from '../../../../lib/table/keys.ts';
import { openWorkspace, startMs, storeMedia } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

const table = await createTestTable();
const { context } = await openWorkspace(table);
const { workspaceId } = context;

const recipe: Recipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 1080,
  heightPixels: 1350,
  maxBytes: 8_000_000,
  background: '#ffffff',
};

/** Hook just before a call: tests interrupt it, or let something else happen. */
type Before = (call: 'describe' | 'render' | 'put' | 'remove') => unknown;

let original: Media;
let rendition: Rendition;
/** The digests of the objects in the bucket, by key. */
let objects: Map<string, string>;
let renders: number;
let before: Before;
/** The result of rendering. */
let rendered: { sha256: string } | { reason: string };

beforeEach(async () => {
  original = await storeMedia(table, workspaceId);
  const id = renditionIdOf(recipe);
  rendition = {
    id,
    workspaceId,
    mediaId: original.id,
    recipe,
    objectKey: `media/${workspaceId}/${original.id}/renditions/${id}.jpg`,
    status: 'wanted',
    createdAt: toTimestamp(startMs),
    wantedAt: toTimestamp(startMs),
    sentAt: toTimestamp(startMs),
    version: 1,
  };
  await put();
  objects = new Map([[original.objectKey, 'the original']]);
  renders = 0;
  before = () => undefined;
  rendered = { sha256: 'first' };
});

/** Stores the record of the rendition. */
async function put(changes: Partial<Rendition> = {}): Promise<void> {
  const key = renditionKey(workspaceId, original.id, rendition.id);
  const Item = { ...key, kind: 'rendition', ...rendition, ...changes };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}

const render: Render = async (_recipe, { sizeBytes, readRange }) => {
  await before('render');
  renders += 1;
  await readRange(0, sizeBytes - 1);
  if ('reason' in rendered) return { state: 'failed', ...rendered };
  return { state: 'rendered', path: '/rendition', sizeBytes: rendered.sha256.length, ...rendered };
};

const ports = {
  table,
  render,
  withFolder: async <Result>(use: (folder: string) => Promise<Result>) => use('/folder'),
  bucket: {
    describe: async (objectKey: string) => {
      await before('describe');
      const sha256 = objects.get(objectKey);
      return sha256 === undefined ? undefined : { sizeBytes: sha256.length, etag: '"1"', sha256 };
    },
    readRange: async (objectKey: string, first: number, last: number) =>
      objects.has(objectKey) ? new Uint8Array(last - first + 1) : undefined,
    putNew: async (objectKey: string, { sha256 }: LocalObject) => {
      await before('put');
      if (!objects.has(objectKey)) objects.set(objectKey, sha256);
    },
    remove: async (objectKey: string) => {
      await before('remove');
      objects.delete(objectKey);
    },
  },
};

const messageOf = () => ({ workspaceId, mediaId: original.id, renditionId: rendition.id });
const run = () => runRendition(ports, messageOf());

async function stored(): Promise<Rendition | undefined> {
  const item = await getItem(table, renditionKey(workspaceId, original.id, rendition.id));
  return item && Rendition.parse(item);
}

/** Does something once, just before a call. */
function once(call: Parameters<Before>[0], act: () => unknown): void {
  before = async (called) => {
    if (called !== call) return;
    before = () => undefined;
    await act();
  };
}

const crash = () => {
  throw new Error('crash');
};
const removeOriginal = () => storeMedia(table, workspaceId, { ...original, removedAt: toTimestamp(startMs) });
const deleteRecord = async () => {
  const { version = 0 } = (await stored()) ?? {};
  await deleteItem(table, renditionKey(workspaceId, original.id, rendition.id), { version });
};
/** The deletion of an original with its renditions: objects first. */
const deleteAll = async () => {
  objects.clear();
  await deleteRecord();
  await deleteItem(table, mediaKey(workspaceId, original.id), { version: original.version });
};

describe('a rendition', () => {
  it('is put, and its record says what was put', async () => {
    expect(await run()).toBe('ready');
    expect(objects.get(rendition.objectKey)).toBe('first');
    expect(await stored()).toEqual({
      ...rendition,
      status: 'ready',
      sizeBytes: 5,
      sha256: 'first',
      version: 2,
    });
  });

  it('that cannot be made is marked with the reason', async () => {
    rendered = { reason: 'the picture moves' };
    expect(await run()).toBe('failed');
    expect(await stored()).toEqual({
      ...rendition,
      status: 'failed',
      reason: 'the picture moves',
      version: 2,
    });
    expect(objects.has(rendition.objectKey)).toBe(false);
  });

  it.each(['ready', 'failed'] as const)('that is %s is not made again', async (status) => {
    await put({ status });
    expect(await run()).toBe(status);
    expect(renders).toBe(0);
  });

  it('waits for an original that has not arrived', async () => {
    await storeMedia(table, workspaceId, { ...original, status: 'pending' });
    expect(await run()).toBe('too early');
    expect(await stored()).toEqual(rendition);
  });

  it('whose original has lost its object is tried again, until it is given up', async () => {
    objects.clear();
    await expect(run()).rejects.toThrow('is gone');
    await giveUpRendition(table, messageOf());
    expect(await stored()).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('upload it again'),
    });
  });

  it('that is made stays as it is if it is given up', async () => {
    await run();
    await giveUpRendition(table, messageOf());
    expect(await stored()).toMatchObject({ status: 'ready' });
  });
});

describe('after a crash', () => {
  it.each(['describe', 'render', 'put'] as const)('before %s, the next message makes it', async (call) => {
    once(call, crash);
    await expect(run()).rejects.toThrow('crash');
    expect(await stored()).toEqual(rendition);
    expect(await run()).toBe('ready');
    expect(objects.get(rendition.objectKey)).toBe('first');
  });

  it('between the object and the record, the next message marks the record, and renders nothing', async () => {
    objects.set(rendition.objectKey, 'put before the crash');
    expect(await run()).toBe('ready');
    expect(renders).toBe(0);
    expect(await stored()).toMatchObject({ status: 'ready', sha256: 'put before the crash' });
  });

  it('and the deletion of the record, the next message removes the object', async () => {
    objects.set(rendition.objectKey, 'put before the crash');
    await deleteRecord();
    expect(await run()).toBe('gone');
    expect([...objects.keys()]).toEqual([original.objectKey]);
  });
});

describe('two messages at the same time', () => {
  it.each(['render', 'put'] as const)('put one object, if the second comes before %s', async (call) => {
    once(call, async () => {
      rendered = { sha256: 'second' };
      expect(await run()).toBe('ready');
      rendered = { sha256: 'first' };
    });
    expect(await run()).toBe('ready');
    expect(objects.get(rendition.objectKey)).toBe('second');
    expect(await stored()).toMatchObject({ status: 'ready', sha256: 'second', version: 2 });
  });
});

describe('if the original is removed', () => {
  it('before the message, nothing is made, and what was put is removed', async () => {
    await removeOriginal();
    objects.set(rendition.objectKey, 'put before the crash');
    expect(await run()).toBe('gone');
    expect(objects.has(rendition.objectKey)).toBe(false);
    expect(renders).toBe(0);
  });

  it.each(['render', 'put'] as const)('with its records before %s, no object stays', async (call) => {
    once(call, async () => {
      const source = objects.get(original.objectKey) ?? '';
      await deleteAll();
      // The worker has read the original already.
      if (call === 'render') objects.set(original.objectKey, source);
    });
    expect(await run()).toBe('gone');
    expect(objects.has(rendition.objectKey)).toBe(false);
    expect(await stored()).toBeUndefined();
  });

  it('with its records while the record is marked, no object stays', async () => {
    let describes = 0;
    // The third looks at the object that was put.
    before = async (call) => {
      if (call === 'describe') describes += 1;
      if (describes === 3) await deleteRecord();
    };
    expect(await run()).toBe('gone');
    expect(objects.has(rendition.objectKey)).toBe(false);
  });

  it('the version that a deletion has read no longer holds once the record is marked', async () => {
    const { version = 0 } = (await stored()) ?? {};
    await run();
    expect(await deleteItem(table, renditionKey(workspaceId, original.id, rendition.id), { version })).toBe(
      false,
    );
  });
});
