import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { incomingKeyOf } from '../../../lib/media/urls.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createTestTable } from '../../support/table.ts';
import { granted, grantedMs, openStorage, type Storage } from './fixture.ts';

const quotaBytes = 1_000;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

type Step =
  | { kind: 'grant'; bytes: number }
  | { kind: 'upload'; file: number; bytes: number; isFit: boolean }
  | { kind: 'arrived' | 'delete'; file: number }
  | { kind: 'sweep'; minutes: number };

const file = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('grant' as const), bytes: fc.nat(600) }),
  fc.record({
    kind: fc.constant('upload' as const),
    file,
    bytes: fc.nat(900),
    isFit: fc.boolean(),
  }),
  // Twice as often: S3 may notify of an object more than once, late and out of order.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('arrived' as const), file }) },
  fc.record({ kind: fc.constant('delete' as const), file }),
  fc.record({ kind: fc.constant('sweep' as const), minutes: fc.constantFrom(0, 2, 121, 26 * 60) }),
);

interface Known {
  reserved: number;
  status: Media['status'] | 'deleted' | 'forgotten';
  /** The entity tag of the upload that was accepted. */
  etag?: string | undefined;
  dueMs: number;
  /** The grant's reservation has been released; at the next due time the grant is closed. */
  isReleased?: boolean;
  isClosed?: boolean;
}

/** The expected state of a workspace, computed independently. */
class Model {
  readonly files: Media[] = [];
  readonly known = new Map<Media, Known>();
  readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  free(): number {
    return quotaBytes - [...this.known.values()].reduce((sum, { reserved }) => sum + reserved, 0);
  }

  async take(next: Step): Promise<void> {
    if (next.kind === 'grant') return this.grant(next.bytes);
    if (next.kind === 'sweep') return this.sweep(next.minutes);
    const media = this.files[next.file];
    const known = media && this.known.get(media);
    if (!media || !known) return;
    if (next.kind === 'upload') this.storage.upload(media, next.bytes, next.isFit);
    if (next.kind === 'arrived') await this.arrive(media, known);
    if (next.kind === 'delete') await this.delete(media, known);
  }

  private async grant(bytes: number): Promise<void> {
    const fits = Math.max(1, bytes) <= this.free();
    const media = await this.storage.grant(bytes);
    expect(media !== undefined).toBe(fits);
    if (!media) return;
    this.files.push(media);
    this.known.set(media, { reserved: bytes, status: 'pending', dueMs: this.storage.now() + grantedMs });
  }

  private async arrive(media: Media, known: Known): Promise<void> {
    const { objects } = this.storage.bucket;
    const upload = objects.get(incomingKeyOf(media.objectKey));
    await this.storage.arrived(media);
    expect(objects.has(incomingKeyOf(media.objectKey))).toBe(false);
    if (known.status === 'forgotten') expect(objects.has(media.objectKey)).toBe(false);
    if (!upload || known.status === 'forgotten' || known.status === 'ready' || known.isClosed) return;
    if (known.status === 'deleted') {
      // It is completed, in case a post needs it, and removed a minute later.
      if (known.etag === undefined) known.dueMs = this.storage.now() + minuteMs;
      if (upload.isFit) known.etag ??= upload.etag;
      return;
    }
    const fits = upload.isFit && upload.sizeBytes - known.reserved <= this.free();
    Object.assign(
      known,
      fits
        ? { reserved: upload.sizeBytes, status: 'ready', etag: upload.etag }
        : { reserved: 0, status: 'invalid', etag: undefined },
    );
  }

  private async delete(media: Media, known: Known): Promise<void> {
    const refusal = await this.storage.delete(media).catch((error: unknown) => error);
    if (known.status === 'deleted' || known.status === 'forgotten') {
      expect(refusal).toBeInstanceOf(HeraldError);
      return;
    }
    expect(refusal).toBeUndefined();
    Object.assign(known, { reserved: 0, status: 'deleted', dueMs: this.storage.now() + minuteMs });
  }

  private async sweep(minutes: number): Promise<void> {
    this.storage.pass(minutes * minuteMs);
    await this.storage.sweep();
    for (const [media, known] of this.known) {
      if (known.dueMs > this.storage.now()) continue;
      if (known.status === 'pending' && known.isReleased) {
        Object.assign(known, { status: 'invalid', isClosed: true });
        expect(this.storage.bucket.objects.has(incomingKeyOf(media.objectKey))).toBe(false);
      } else if (known.status === 'pending') {
        Object.assign(known, { reserved: 0, isReleased: true, dueMs: this.storage.now() + dayMs });
      }
      if (known.status !== 'deleted') continue;
      known.status = 'forgotten';
      expect(this.storage.bucket.objects.has(media.objectKey)).toBe(false);
      expect(this.storage.bucket.objects.has(incomingKeyOf(media.objectKey))).toBe(false);
    }
  }

  async verify(): Promise<void> {
    expect(await this.storage.free()).toBe(this.free());
    for (const [media, { status, reserved, etag }] of this.known) {
      const found = await this.storage.find(media);
      if (status === 'forgotten') expect(found).toBeUndefined();
      else if (status === 'deleted') expect(found).toMatchObject({ reservedBytes: 0, removal: 'asked' });
      else expect(found).toMatchObject({ status, reservedBytes: reserved });
      const served = this.storage.served(media);
      if (status === 'ready') expect(served).toMatchObject({ etag, sizeBytes: reserved });
      else if (status !== 'deleted') expect(served).toBeUndefined();
    }
  }
}

describe('the storage usage is exact', () => {
  it('after any sequence of grants, uploads, deletions, sweeps and repeated, reordered notifications', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
        const model = new Model(await openStorage(table, quotaBytes));
        for (const next of steps) await model.take(next);
        await model.verify();
      }),
      { numRuns: 60 },
    );
  });

  it('after concurrent notifications, sweeps and a deletion', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(500), { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        async (sizes, removed) => {
          const storage = await openStorage(table, quotaBytes);
          const files = (await Promise.all(sizes.map(() => storage.grant(0)))).map(granted);
          await Promise.all(
            files.flatMap((media, index) => {
              storage.upload(media, sizes[index] ?? 0);
              const deletion = index === removed ? [storage.delete(media)] : [];
              return [storage.arrived(media), storage.sweep(), ...deletion, storage.arrived(media)];
            }),
          );
          const used = async () => {
            const found = await Promise.all(files.map((media) => storage.find(media)));
            return found.reduce((sum, media) => sum + (media?.reservedBytes ?? 0), 0);
          };
          expect(await storage.free()).toBe(quotaBytes - (await used()));
          storage.pass(2 * minuteMs);
          await storage.sweep();
          const left = [...storage.bucket.objects.values()].reduce(
            (sum, { sizeBytes }) => sum + sizeBytes,
            0,
          );
          expect(await used()).toBe(left);
        },
      ),
      { numRuns: 15 },
    );
  });
});
