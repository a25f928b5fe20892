import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia, settleMedia } from '../../../lib/media/store.ts';
import type { PublishableContent } from '../../../lib/platforms/contract/rules.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { nextLookMs } from '../../../lib/publishing/await-files.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const verbs = ({ platform }: Fixture): string => platform.calls.map(({ verb }) => verb).join(' ');
const sha256 = 'ab'.repeat(32);

async function fileOf(fixture: Fixture): Promise<Media> {
  const { workspaceId, postId } = await fixture.find();
  const mediaId = (await findPost(table, workspaceId, postId))?.post.mediaItems[0]?.mediaId ?? '';
  const media = await findMedia(table, workspaceId, mediaId);
  if (!media) throw new Error('there is no file');
  return media;
}

/** Settles the target's file, as its arrival does. */
async function arrive(fixture: Fixture, status: 'ready' | 'invalid'): Promise<Media | undefined> {
  const media = await fileOf(fixture);
  const fields = status === 'ready' ? { sha256, sizeBytes: 5 } : { statusMessage: 'it is a web page' };
  await settleMedia(table, media, { status, reservedBytes: media.reservedBytes, ...fields });
  return media;
}

/** Works the target's wakes, each at its time, until the given time. @returns the times of the wakes that were worked */
async function runUntil(fixture: Fixture, untilMs: number, ports = fixture.ports): Promise<number[]> {
  const worked: number[] = [];
  for (;;) {
    const target = await fixture.find();
    const wakeMs = Date.parse(target.wakeAt ?? '');
    if (target.wakeAt === undefined || wakeMs > untilMs) return worked;
    fixture.clock.time = Math.max(fixture.clock.time, wakeMs);
    worked.push(fixture.clock.time);
    await fixture.deliver(messageOf(target), undefined, ports);
  }
}

const pending = { media: { status: 'pending' } } as const;

describe('a target whose file has not been uploaded', () => {
  it('goes live within seconds of an upload that arrives right after the request', async () => {
    for (const afterMs of [500, 2 * secondMs, 5 * secondMs, 20 * secondMs]) {
      const fixture = await openFixture(table, pending);
      let hasArrived = false;
      const sleep = async (milliseconds: number) => {
        fixture.clock.time += milliseconds;
        if (hasArrived || fixture.clock.time < startMs + afterMs) return;
        hasArrived = true;
        await arrive(fixture, 'ready');
      };
      const ports = { ...fixture.ports, sleep };
      await runUntil(fixture, startMs + afterMs, ports);
      if (!hasArrived) await arrive(fixture, 'ready');
      await runUntil(fixture, startMs + hourMs, ports);
      expect(await fixture.find()).toMatchObject({ status: 'published' });
      expect(fixture.platform.ledger[0]).toBeLessThanOrEqual(startMs + 1.5 * afterMs + 2 * secondMs);
    }
  });

  it('is looked at a few times before its due time, and sends nothing', async () => {
    const dueMs = startMs + hourMs;
    const target = { scheduledFor: at(hourMs), wakeAt: at(50 * minuteMs) };
    const fixture = await openFixture(table, { ...pending, target, nowMs: startMs + 50 * minuteMs });
    const worked = await runUntil(fixture, dueMs - 1);
    expect(worked.length).toBeLessThan(10);
    expect(verbs(fixture)).toBe('');
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs), failures: 0 });
    await arrive(fixture, 'ready');
    await runUntil(fixture, dueMs);
    expect(fixture.platform.ledger).toEqual([dueMs]);
  });

  it('says what it waits for', async () => {
    const fixture = await openFixture(table, pending);
    await fixture.deliver();
    expect((await fixture.find()).timeline.at(-1)).toMatchObject({
      event: 'waiting',
      reason: 'mediaItems[0]: the file image.jpg has not been uploaded yet',
    });
  });

  it('fails ten minutes after its due time, and names the file', async () => {
    const fixture = await openFixture(table, pending);
    const worked = await runUntil(fixture, startMs + hourMs);
    expect(worked.length).toBeLessThan(30);
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file image.jpg was not uploaded',
    });
    expect(fixture.clock.time).toBe(startMs + 10 * minuteMs);
    expect(verbs(fixture)).toBe('');
  });

  it('waits a minute more if an outage made its worker late, because the upload may be late for the same reason', async () => {
    for (const hasArrived of [true, false]) {
      const fixture = await openFixture(table, { ...pending, nowMs: startMs + hourMs });
      await fixture.deliver();
      expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs + minuteMs) });
      if (hasArrived) await arrive(fixture, 'ready');
      await runUntil(fixture, startMs + 2 * hourMs);
      expect(await fixture.find()).toMatchObject({ status: hasArrived ? 'published' : 'failed' });
      expect(fixture.clock.time).toBe(startMs + hourMs + minuteMs);
    }
  });

  it('fails once the file proves invalid, and names it', async () => {
    const fixture = await openFixture(table, pending);
    await runUntil(fixture, startMs + minuteMs);
    await arrive(fixture, 'invalid');
    await runUntil(fixture, startMs + 3 * minuteMs);
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file image.jpg cannot be used: it is a web page',
    });
  });

  it('is checked by its platform’s rules once the file is there', async () => {
    const fixture = await openFixture(table, pending);
    const rules = { check: () => [{ field: 'mediaItems[0]', message: 'is too wide' }] };
    const ports = { ...fixture.ports, rulesFor: () => rules as never };
    await fixture.deliver(undefined, undefined, ports);
    await arrive(fixture, 'ready');
    const target = await fixture.find();
    fixture.clock.time = Date.parse(target.wakeAt ?? '');
    await fixture.deliver(messageOf(target), undefined, ports);
    expect(await fixture.find()).toMatchObject({ status: 'failed', error: 'mediaItems[0]: is too wide' });
  });
});

describe('a target whose file is imported', () => {
  const importing = {
    media: {
      status: 'pending',
      contentType: 'application/octet-stream',
      sourceUrl: 'https://files.example.com/image.jpg',
      importUrl: 'https://files.example.com/image.jpg',
      import: { status: 'waiting', attempts: 1, receivedBytes: 0, notBefore: at(0) },
    },
  } as const;

  it.each([
    ['the server responded 503', 'media_unreachable'],
    [undefined, 'media_delayed'],
  ])('waits while it is tried, and says after 45 minutes why not: %s', async (error, code) => {
    const fixture = await openFixture(table, {
      media: { ...importing.media, import: { ...importing.media.import, ...(error && { error }) } },
    });
    await fixture.deliver();
    expect((await fixture.find()).timeline.at(-1)).toMatchObject({
      event: 'waiting',
      reason: 'mediaItems[0]: the file image.jpg has not been fetched yet',
    });
    await runUntil(fixture, startMs + 45 * minuteMs - 1);
    expect(await fixture.find()).toMatchObject({ status: 'scheduled' });
    const worked = await runUntil(fixture, startMs + 2 * hourMs);
    expect(worked).toEqual([startMs + 45 * minuteMs]);
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: `mediaItems[0].url: could not be fetched: ${error ?? 'its turn has not come'}`,
      errorDetail: { code },
    });
  });

  it('says after 45 minutes that its file was fetched, but not inspected', async () => {
    const progress = { ...importing.media.import, status: 'checking' } as const;
    const fixture = await openFixture(table, { media: { ...importing.media, import: progress } });
    await fixture.deliver();
    expect((await fixture.find()).timeline.at(-1)).toMatchObject({
      reason: 'mediaItems[0]: the file image.jpg has not been inspected yet',
    });
    await runUntil(fixture, startMs + 2 * hourMs);
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0].url: was fetched, but has not been inspected in time',
      errorDetail: { code: 'media_delayed' },
    });
  });

  it('goes live when the file arrives half an hour late', async () => {
    const fixture = await openFixture(table, importing);
    await fixture.deliver();
    await runUntil(fixture, startMs + 30 * minuteMs);
    const media = await fileOf(fixture);
    await settleMedia(table, media, {
      status: 'ready',
      reservedBytes: media.reservedBytes,
      contentType: 'image/jpeg',
      sizeBytes: 5,
    });
    await runUntil(fixture, startMs + hourMs);
    expect(await fixture.find()).toMatchObject({ status: 'published' });
  });

  it('fails once it cannot be fetched, and names the field and the reason', async () => {
    const fixture = await openFixture(table, importing);
    await runUntil(fixture, startMs + minuteMs);
    const media = await fileOf(fixture);
    const error = 'the server responded 404';
    await settleMedia(table, media, {
      status: 'invalid',
      reservedBytes: media.reservedBytes,
      statusMessage: `could not be fetched: ${error}`,
      import: { ...importing.media.import, status: 'failed', error },
    });
    await runUntil(fixture, startMs + 3 * minuteMs);
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0].url: could not be fetched: the server responded 404',
      errorDetail: { code: 'media_unreachable' },
    });
  });

  it('fails if the file is of another type than the post says', async () => {
    const fixture = await openFixture(table, importing);
    await fixture.deliver();
    const media = await fileOf(fixture);
    await settleMedia(table, media, {
      status: 'ready',
      reservedBytes: media.reservedBytes,
      sizeBytes: 5,
      contentType: 'video/mp4',
    });
    await runUntil(fixture, startMs + minuteMs);
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0].type: the file is video/mp4',
    });
    expect(verbs(fixture)).toBe('');
  });
});

describe('a target whose file is imported, with a guessed type', () => {
  it.each([
    [true, 'published', undefined],
    [undefined, 'failed', 'mediaItems[0].type: the file is video/mp4'],
  ] as const)(
    'takes the real type of the file if nobody has said another one: %s',
    async (isTypeGuessed, status, error) => {
      const id = newId(startMs);
      const item = {
        type: 'image',
        mediaId: id,
        objectKey: 'a',
        ...(isTypeGuessed && { isTypeGuessed }),
      } as const;
      const fixture = await openFixture(table, {
        media: { id, contentType: 'video/mp4', sourceUrl: 'https://files.example.com/image.jpg' },
        post: { mediaItems: [item] },
      });
      const seen: string[] = [];
      const check = ({ media }: PublishableContent) => {
        seen.push(...media.map(({ type }) => type));
        return [];
      };
      const ports = { ...fixture.ports, rulesFor: () => ({ check }) as never };
      await runUntil(fixture, startMs + minuteMs, ports);
      expect(await fixture.find()).toMatchObject({ status, ...(error && { error }) });
      if (isTypeGuessed) expect(seen).toEqual(['video']);
    },
  );

  it('is not published as a document if it is none', async () => {
    const id = newId(startMs);
    const fixture = await openFixture(table, {
      media: { id, sourceUrl: 'https://files.example.com/report' },
      post: { mediaItems: [{ type: 'image', isDocument: true, mediaId: id, objectKey: 'a' }] },
    });
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0].type: the file is image/jpeg',
    });
  });
});

describe('the next look at a missing file', () => {
  it('is later than now, never skips the due time, and is at most a minute away after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -hourMs, max: 24 * hourMs }), (leftMs) => {
        const lookMs = nextLookMs(startMs, startMs + leftMs);
        expect(lookMs).toBeGreaterThan(startMs);
        if (leftMs > 0) expect(lookMs).toBeLessThanOrEqual(startMs + leftMs);
        else expect(lookMs).toBeLessThanOrEqual(startMs + minuteMs);
      }),
    );
  });
});

describe('the timeline', () => {
  it('records the digest of each file that is published', async () => {
    const fixture = await openFixture(table, { media: { sha256 } });
    const { timeline } = await fixture.runToEnd();
    const entries = timeline.filter(({ files }) => files !== undefined);
    expect(entries).toEqual([
      expect.objectContaining({
        event: 'going live',
        files: [{ mediaId: expect.stringMatching(/^[0-9a-f-]{36}$/), sha256 }],
      }),
    ]);
  });
});
