import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { minuteMs } from '../../../../lib/kernel/clock.ts';
import type { HeraldError } from '../../../../lib/kernel/errors.ts';
import { isImporting, maxOpenImports } from '../../../../lib/media/imports/open-import.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { deleteMediaRecord, settleMedia } from '../../../../lib/media/store.ts';
import { updateItem } from '../../../../lib/table/items.ts';
import { mediaKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { removed } from '../../../../lib/table/update.ts';
import { referenceTo, storePost } from '../../../support/builders.ts';
import { openImportsOf, setOpenImports } from '../../../support/open-imports.ts';
import { stopTime } from '../../../support/stopped-time.ts';
import { createTestTable } from '../../../support/table.ts';
import { openImports } from './fixture.ts';
import { image, startSource } from './source-server.ts';

type Imports = Awaited<ReturnType<typeof openImports>>;

let table: Table;
let source: Awaited<ReturnType<typeof startSource>>;
beforeAll(async () => {
  [table, source] = await Promise.all([createTestTable(), startSource()]);
});
afterAll(() => source.close());
beforeEach(() => stopTime());
afterEach(() => void vi.useRealTimers());

const openOf = ({ workspaceId }: Imports) => openImportsOf(table, workspaceId);
const request = (imports: Imports, path = '/image.jpg') => imports.request(source.urlOf(path));
/** Changes the record behind the back of the code, without a new version. */
const rewrite = ({ workspaceId, id }: Media, set: object) =>
  updateItem(table, mediaKey(workspaceId, id), { set: { ...set }, if: { id } });
const refusal = (attempt: Promise<unknown>): Promise<HeraldError> =>
  attempt.then(
    () => Promise.reject(new Error('it was accepted')),
    (error) => error,
  );

/** Ways in which imports end, with the step that may be repeated. */
const endings: readonly [
  how: string,
  end: (imports: Imports, media: Media) => Promise<unknown>,
  path?: string,
][] = [
  [
    'is ready',
    async (imports, media) => {
      await imports.run(media);
      expect(await openOf(imports)).toBe(1);
      return imports.arrived(media);
    },
  ],
  ['cannot be fetched', (imports, media) => imports.run(media), '/missing.jpg'],
  [
    'is given up after half an hour of failures',
    async (imports, media) => {
      for (let outcome = 'waiting'; outcome === 'waiting'; ) {
        expect(await openOf(imports)).toBe(1);
        outcome = await imports.run(media);
        imports.pass(10 * minuteMs);
      }
    },
    '/limited.jpg',
  ],
  [
    'is rejected by the inspection',
    async (imports, media) => {
      await imports.run(media);
      imports.upload(media, 3, false);
      expect(await imports.arrived(media)).toBe('invalid');
    },
  ],
  [
    'cannot be inspected',
    async (imports, media) => {
      await imports.run(media);
      await imports.giveUp(media);
    },
  ],
  ['is deleted', async (imports, media) => imports.delete(media).catch(() => undefined)],
  [
    'is deleted while a worker fetches it',
    async (imports, media) => {
      imports.before(async (call) => {
        if (call === 'open') await imports.delete(media);
      });
      await imports.run(media);
    },
  ],
  [
    'is deleted, and its file arrives all the same',
    async (imports, media) => {
      await imports.delete(media).catch(() => undefined);
      imports.upload(media, 5);
      await imports.arrived(media);
    },
  ],
  [
    'crashes its worker too often',
    async (imports, media) => {
      await rewrite(media, { 'import.attempts': 20 });
      await imports.run(media);
    },
  ],
];

describe('an open import', () => {
  it.each(endings)('counts once until it %s', async (_how, end, path) => {
    const imports = await openImports(table);
    expect(await openOf(imports)).toBeUndefined();
    const media = await request(imports, path);
    expect(await openOf(imports)).toBe(1);
    await end(imports, media);
    expect(await openOf(imports)).toBe(0);
    // Messages, notifications and requests may come again.
    const again = [() => end(imports, media), () => imports.run(media), () => imports.arrived(media)];
    for (const repeat of again) await repeat().catch(() => undefined);
    for (let day = 0; day < 3; day += 1) {
      imports.pass(24 * 60 * minuteMs);
      await imports.sweep();
    }
    expect(await openOf(imports)).toBe(0);
  });

  it('counts once if messages, notifications and a deletion come at the same time', async () => {
    const imports = await openImports(table);
    const media = await Promise.all(Array.from({ length: 4 }, () => request(imports)));
    expect(await openOf(imports)).toBe(4);
    await Promise.all(media.flatMap((each) => [imports.run(each), imports.run(each)]));
    const ends = media.flatMap((each) => [
      imports.arrived(each),
      imports.arrived(each),
      imports.delete(each),
      imports.delete(each),
    ]);
    await Promise.allSettled(ends);
    expect(await openOf(imports)).toBe(0);
  });

  it('gives back its share of the quota and of the open imports together', async () => {
    const imports = await openImports(table, image.length);
    const media = await request(imports);
    await imports.run(media);
    expect([await imports.free(), await openOf(imports)]).toEqual([0, 1]);
    await imports.delete(media);
    expect([await imports.free(), await openOf(imports)]).toEqual([image.length, 0]);
  });

  it('counts again if a post turns out to need its deleted file, even above the limit', async () => {
    const imports = await openImports(table);
    const media = await request(imports);
    await imports.delete(media);
    const { workspaceId } = imports;
    await storePost(table, workspaceId, [{}], { mediaItems: [referenceTo(media)] });
    await setOpenImports(table, workspaceId, maxOpenImports);
    imports.pass(2 * minuteMs);
    expect(await imports.sweep()).toMatchObject({ restored: 1 });
    expect(await openOf(imports)).toBe(maxOpenImports + 1);
    await imports.run(media);
    expect(await imports.arrived(media)).toBe('ready');
    expect(await openOf(imports)).toBe(maxOpenImports);
  });

  it('is given back when its damaged record is deleted', async () => {
    const imports = await openImports(table);
    const media = await request(imports);
    await rewrite(media, { import: 'damaged' });
    await imports.delete(media);
    expect(await openOf(imports)).toBe(0);
  });
});

describe('a record of an earlier release', () => {
  it('was not counted, so its end gives nothing back', async () => {
    const imports = await openImports(table);
    const [old] = [await request(imports), await request(imports)];
    await rewrite(old, { isCountedImport: removed });
    await setOpenImports(table, imports.workspaceId, 1);
    expect(await imports.run(old)).toBe('fetched');
    expect(await imports.arrived(old)).toBe('ready');
    expect(await openOf(imports)).toBe(1);
  });

  it('that it has ended without giving back is given back by the next write', async () => {
    const imports = await openImports(table);
    const media = await request(imports);
    await rewrite(media, { status: 'invalid', importUrl: removed });
    const stored = (await imports.find(media)) as Media;
    expect(await settleMedia(table, stored, { reservedBytes: 0 })).toBe('settled');
    expect(await openOf(imports)).toBe(0);
    expect(await settleMedia(table, stored, { reservedBytes: 0 })).toBe('changed');
    expect(await openOf(imports)).toBe(0);
  });

  it('that it has removed without giving back is given back with the record', async () => {
    const imports = await openImports(table);
    const media = await request(imports);
    await rewrite(media, { removedAt: media.createdAt });
    const stored = (await imports.find(media)) as Media;
    const outcomes = await Promise.all([1, 2].map(() => deleteMediaRecord(table, stored)));
    expect(outcomes.toSorted()).toEqual([false, true]);
    expect(await openOf(imports)).toBe(0);
  });
});

describe('the limit of open imports', () => {
  it('refuses one more, says how many are open and when to try again, and stores nothing', async () => {
    const imports = await openImports(table);
    await setOpenImports(table, imports.workspaceId, maxOpenImports - 1);
    const last = await request(imports);
    const error = await refusal(request(imports));
    expect(error).toMatchObject({
      code: 'too_many_imports',
      kind: 'rate_limited',
      param: 'url',
      retryAfterSeconds: 60,
    });
    expect(error.message).toBe(
      'url: the workspace has 500 open imports, and may have 500; this request needs 1. Wait until some have ended, then send it again',
    );
    expect(await openOf(imports)).toBe(maxOpenImports);
    await imports.delete(last);
    await request(imports);
    expect(await openOf(imports)).toBe(maxOpenImports);
  });

  it('is never exceeded by requests at the same time', async () => {
    const imports = await openImports(table);
    await setOpenImports(table, imports.workspaceId, maxOpenImports - 5);
    const attempts = await Promise.allSettled(Array.from({ length: 25 }, () => request(imports)));
    const codes = attempts.map((each) => (each.status === 'rejected' ? each.reason.code : 'accepted'));
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_imports')).toHaveLength(20);
    expect(await openOf(imports)).toBe(maxOpenImports);
  });

  it('is that of each workspace by itself', async () => {
    const [full, other] = await Promise.all([openImports(table), openImports(table)]);
    await setOpenImports(table, full.workspaceId, maxOpenImports);
    await request(other);
    expect(await openOf(other)).toBe(1);
  });
});

type Step =
  | { readonly kind: 'request' }
  | { readonly kind: 'run' | 'arrived' | 'delete' | 'give up'; readonly file: number }
  | { readonly kind: 'upload'; readonly file: number; readonly isFit: boolean }
  | { readonly kind: 'sweep'; readonly minutes: number };

const file = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('request' as const) }),
  fc.record({ kind: fc.constantFrom('run' as const, 'arrived' as const, 'delete' as const), file }),
  fc.record({ kind: fc.constant('give up' as const), file }),
  fc.record({ kind: fc.constant('upload' as const), file, isFit: fc.boolean() }),
  fc.record({ kind: fc.constant('sweep' as const), minutes: fc.constantFrom(0, 3, 40, 24 * 60) }),
);

async function take(imports: Imports, files: Media[], next: Step): Promise<unknown> {
  if (next.kind === 'request') return files.push(await request(imports));
  if (next.kind === 'sweep') {
    imports.pass(next.minutes * minuteMs);
    return imports.sweep();
  }
  const media = files[next.file];
  if (!media) return undefined;
  if (next.kind === 'upload') return imports.upload(media, 3, next.isFit);
  if (next.kind === 'give up') return imports.giveUp(media);
  if (next.kind === 'run') return imports.run(media);
  if (next.kind === 'arrived') return imports.arrived(media);
  // A file that is gone cannot be deleted, nor one that is changed all the time.
  return imports.delete(media).catch((error) => expect(error).toHaveProperty('code'));
}

describe('the number of open imports is right', () => {
  /** Compares it with the records, which are read one by one. */
  async function expectExact(imports: Imports, files: readonly Media[]): Promise<void> {
    const found = await Promise.all(files.map((media) => imports.find(media)));
    const stored = found.filter((media) => media !== undefined);
    const open = stored.filter(isImporting).map(({ id }) => id);
    expect(stored.filter(({ isCountedImport }) => isCountedImport).map(({ id }) => id)).toEqual(open);
    expect((await openOf(imports)) ?? 0).toBe(open.length);
  }

  it('after any sequence of requests, attempts, uploads, deletions, sweeps and repeated notifications', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
        const imports = await openImports(table);
        const files: Media[] = [];
        for (const each of [{ kind: 'request' as const }, ...steps]) {
          await take(imports, files, each);
          await expectExact(imports, files);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('after they happen at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const imports = await openImports(table);
        const files: Media[] = [];
        for (let index = 0; index < 3; index += 1) files.push(await request(imports));
        await Promise.all(steps.map((each) => take(imports, files, each)));
        await expectExact(imports, files);
      }),
      { numRuns: 25 },
    );
  });
});
