import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { placeOf } from '../../../lib/daily-limits/place.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { renditionItem, renditionsOf } from '../../../lib/media/renditions/records.ts';
import { Rendition } from '../../../lib/media/renditions/schemas.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia, settleMedia } from '../../../lib/media/store.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import type { PlatformRules, PublishableContent } from '../../../lib/platforms/contract/rules.ts';
import { dryRunRetry, retryPost } from '../../../lib/posts/retry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { messageOf, queueOf } from '../../../lib/publishing/message.ts';
import { nextLookAheadMs } from '../../../lib/publishing/ready-files.ts';
import { getItem, putItem } from '../../../lib/table/items.ts';
import { renditionKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { operatorAct } from '../../support/acts.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const leadMs = 10 * minuteMs;
const digest = 'cd'.repeat(32);

/** A platform that takes JPEG alone, and begins its preparation ten minutes ahead. */
const rules = {
  check: ({ media, content }: PublishableContent) => [
    ...media.flatMap(({ contentType }, index) =>
      contentType === 'image/jpeg' ? [] : [{ field: `mediaItems[${index}]`, message: 'must be a JPEG' }],
    ),
    ...(content === 'too long' ? [{ field: 'content', message: 'is too long' }] : []),
  ],
  fileLimits: ({ media }: PublishableContent) => ({
    media: media.map(() => ({ contentTypes: ['image/jpeg'], bytes: 8_000_000 })),
  }),
  leadSeconds: () => leadMs / secondMs,
} as unknown as PlatformRules;

type Options = NonNullable<Parameters<typeof openFixture>[1]>;
const png = { contentType: 'image/png', probe: { width: 800, height: 600 } } as const;

/** A target with a picture that must be converted. */
async function open({ media, ...options }: Options = {}): Promise<Fixture> {
  const fixture = await openFixture(table, { media: { ...png, ...media }, ...options });
  Object.assign(fixture.ports, { rulesFor: () => rules });
  return fixture;
}

/** The same, planned for an hour later, whose files are made ready from the start. */
const openAhead = (options: Options = {}, dueMs = hourMs): Promise<Fixture> =>
  open({
    ...options,
    target: {
      scheduledFor: at(dueMs),
      wakeAt: at(0),
      awaitsFiles: { since: at(0), until: at(dueMs - leadMs) },
      ...options.target,
    },
  });

async function work(fixture: Fixture): Promise<Target> {
  const target = await fixture.find();
  fixture.clock.time = Math.max(fixture.clock.time, Date.parse(target.wakeAt ?? ''));
  await fixture.deliver(messageOf(target));
  return fixture.find();
}

/** Works the target's wakes, each at its time, until the given time. */
async function workUntil(fixture: Fixture, untilMs: number): Promise<number> {
  for (let worked = 0; ; worked += 1) {
    const { wakeAt } = await fixture.find();
    if (wakeAt === undefined || Date.parse(wakeAt) > untilMs) return worked;
    await work(fixture);
  }
}

async function renditionFrom({ renditions: [message] }: Pick<Fixture, 'renditions'>): Promise<Rendition> {
  if (!message) throw new Error('no rendition was asked for');
  const { workspaceId, mediaId, renditionId } = message;
  return Rendition.parse(await getItem(table, renditionKey(workspaceId, mediaId, renditionId)));
}

/** Settles the rendition that the target has asked for, as its worker does. */
async function settle(fixture: Fixture, changes: Partial<Rendition>): Promise<void> {
  const rendition = await renditionFrom(fixture);
  await putItem(table, renditionItem({ ...rendition, version: rendition.version + 1, ...changes }), {});
}
const made = { status: 'ready', sizeBytes: 77, sha256: digest } as const;
const failed = { status: 'failed', reason: 'the picture is damaged' } as const;

async function fileOf(fixture: Fixture): Promise<Media> {
  const { workspaceId, postId } = await fixture.find();
  const mediaId = (await findPost(table, workspaceId, postId))?.post.mediaItems[0]?.mediaId ?? '';
  const media = await findMedia(table, workspaceId, mediaId);
  if (!media) throw new Error('there is no file');
  return media;
}

async function arrive(fixture: Fixture, status: 'ready' | 'invalid'): Promise<void> {
  const media = await fileOf(fixture);
  await settleMedia(table, media, { status, reservedBytes: media.reservedBytes, sizeBytes: 5 });
}

const verbs = ({ platform }: Fixture): string => platform.calls.map(({ verb }) => verb).join(' ');
const waiting = 'mediaItems[0] is being converted for Instagram';
const refusal = 'mediaItems[0]: the file cannot be converted for Instagram: the picture is damaged';

describe('a target that is due and whose picture must be converted', () => {
  it('asks for the rendition, says what it waits for, and goes live with it', async () => {
    const fixture = await open();
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'scheduled',
      failures: 0,
      timeline: [{ event: 'waiting', reason: waiting }],
    });
    expect(fixture.renditions).toHaveLength(1);
    expect(verbs(fixture)).toBe('');
    await settle(fixture, made);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    const { id, mediaId, objectKey } = await renditionFrom(fixture);
    expect(fixture.platform.calls.map(({ job }) => job.media)).toEqual(
      fixture.platform.calls.map(() => [
        expect.objectContaining({
          ...{ mediaId, renditionId: id, sha256: digest, contentType: 'image/jpeg', sizeBytes: 77 },
          ...{ widthPixels: 800, heightPixels: 600, type: 'image' },
          url: `https://media.example.com/${objectKey}`,
        }),
      ]),
    );
    expect(verbs(fixture)).toBe('prepare goLive finish');
  });

  it('records the digest of the rendition, and whose it is', async () => {
    const fixture = await open();
    await fixture.deliver();
    await settle(fixture, made);
    const { timeline } = await fixture.runToEnd();
    const { id: renditionId, mediaId } = await renditionFrom(fixture);
    expect(timeline.flatMap(({ files = [] }) => files)).toEqual([{ mediaId, renditionId, sha256: digest }]);
  });

  it('waits in place for a rendition that takes a moment', async () => {
    const fixture = await open();
    const sleep = async (milliseconds: number) => {
      fixture.clock.time += milliseconds;
      if (fixture.clock.time >= startMs + secondMs) await settle(fixture, made);
    };
    await fixture.deliver(undefined, undefined, { ...fixture.ports, sleep });
    expect(await fixture.find()).toMatchObject({ status: 'published' });
    expect(fixture.platform.ledger).toEqual([startMs + secondMs]);
  });

  it('has the message sent again if it was lost', async () => {
    const fixture = await open();
    await workUntil(fixture, startMs + 5 * minuteMs);
    expect(fixture.renditions.length).toBeGreaterThanOrEqual(3);
    expect(fixture.renditions.length).toBeLessThanOrEqual(4);
  });

  it('fails with the reason if the picture cannot be converted', async () => {
    const fixture = await open();
    await fixture.deliver();
    await settle(fixture, failed);
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: refusal,
      errorDetail: { code: 'media_invalid' },
    });
    expect(verbs(fixture)).toBe('');
  });

  it('fails 35 minutes after its time if nobody makes the rendition', async () => {
    const fixture = await open();
    await fixture.runToEnd();
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file was not converted for Instagram in time',
      errorDetail: { code: 'media_delayed' },
    });
    expect(fixture.clock.time).toBe(startMs + 35 * minuteMs);
  });

  it('asks for nothing if its content breaks another rule', async () => {
    const fixture = await open({ post: { content: 'too long' } });
    const { id: mediaId } = await fileOf(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error: 'content: is too long' });
    expect(await renditionsOf(table, (await fixture.find()).workspaceId, mediaId)).toEqual([]);
  });

  it('costs one read more than one whose picture is taken as it is, once it is converted', async () => {
    const requestsOf = async (fixture: Fixture) => {
      const { counted, requests } = countRequests({ table } as Context);
      await fixture.deliver(messageOf(await fixture.find()), undefined, {
        ...fixture.ports,
        table: counted.table,
      });
      expect(await fixture.find()).toMatchObject({ status: 'published' });
      return requests;
    };
    const asItIs = await open({ media: { contentType: 'image/jpeg' } });
    const usual = await requestsOf(asItIs);
    const [seen, taken, read, files] = usual;
    expect([seen, taken, read, files]).toEqual([
      'BatchGetCommand',
      'UpdateCommand',
      'BatchGetCommand',
      'BatchGetCommand',
    ]);
    // The fake platform names its posts alike.
    table = await createTestTable();
    const converted = await open();
    await converted.deliver();
    await settle(converted, made);
    converted.clock.time = Date.parse((await converted.find()).wakeAt ?? '');
    expect(await requestsOf(converted)).toEqual([...usual.slice(0, 4), 'BatchGetCommand', ...usual.slice(4)]);
    expect(asItIs.renditions).toEqual([]);
  });

  it('is looked up and finished with its rendition after a crash', async () => {
    const fixture = await open();
    await fixture.deliver();
    await settle(fixture, made);
    fixture.platform.script.goLive.push('reply lost');
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    const lookUps = fixture.platform.calls.filter(({ verb }) => verb === 'lookUp');
    expect(lookUps.map(({ job }) => job.media[0]?.sha256)).toEqual([digest]);
  });
});

describe('a retry of a target whose picture could not be converted', () => {
  it('tries the conversion again, once', async () => {
    const { context } = await openWorkspace(table);
    const fixture = await open({ workspaceId: context.workspaceId });
    await fixture.deliver();
    await settle(fixture, failed);
    const { postId } = await fixture.runToEnd();
    fixture.clock.time += minuteMs;
    await retryPost({ ...context, now: fixture.clock.time }, postId);
    await work(fixture);
    expect(fixture.renditions).toHaveLength(2);
    expect(await renditionFrom(fixture)).toMatchObject({ status: 'wanted' });
    await settle(fixture, failed);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error: refusal });
    expect(fixture.renditions).toHaveLength(2);
  });

  it('goes live if it succeeds', async () => {
    const { context } = await openWorkspace(table);
    const fixture = await open({ workspaceId: context.workspaceId });
    await fixture.deliver();
    await settle(fixture, failed);
    const { postId } = await fixture.runToEnd();
    fixture.clock.time += minuteMs;
    await retryPost({ ...context, now: fixture.clock.time }, postId);
    await work(fixture);
    await settle(fixture, made);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });
});

describe('a planned target whose picture must be converted', () => {
  it('has it converted ahead, is left to its usual wake, and goes live on time', async () => {
    const fixture = await openAhead();
    await work(fixture);
    expect(fixture.renditions).toHaveLength(1);
    await settle(fixture, made);
    const ready = await work(fixture);
    expect(ready).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs - leadMs), failures: 0 });
    expect(ready.awaitsFiles).toBeUndefined();
    expect(ready.timeline).toMatchObject([
      { event: 'waiting', reason: waiting },
      { laterEvent: 'files ready', reason: 'mediaItems[0]: converted to JPEG', nextAt: at(hourMs - leadMs) },
    ]);
    expect(fixture.clock.time).toBeLessThan(startMs + minuteMs);
    expect(verbs(fixture)).toBe('');
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([startMs + hourMs]);
  });

  it('fails at once if it cannot be converted, long before its time', async () => {
    const fixture = await openAhead({}, dayMs);
    await work(fixture);
    await settle(fixture, failed);
    expect(await work(fixture)).toMatchObject({
      status: 'failed',
      error: refusal,
      errorDetail: { code: 'media_invalid' },
    });
    expect(fixture.clock.time).toBeLessThan(startMs + minuteMs);
  });

  it('keeps its time when a person retries it', async () => {
    const { context } = await openWorkspace(table);
    const fixture = await openAhead({ workspaceId: context.workspaceId }, dayMs);
    await work(fixture);
    await settle(fixture, failed);
    const { postId } = await work(fixture);
    fixture.clock.time += minuteMs;
    const now = fixture.clock.time;
    const [foreseen] = (await dryRunRetry({ ...context, now }, postId)).targets;
    const { targets } = await retryPost({ ...context, now }, postId);
    expect(targets).toMatchObject([
      { status: 'scheduled', scheduledFor: at(dayMs), wakeAt: toTimestamp(now) },
    ]);
    expect(foreseen?.scheduledFor).toBe(at(dayMs));
    await work(fixture);
    await settle(fixture, made);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(fixture.platform.ledger).toEqual([startMs + dayMs]);
    expect((await fixture.find()).isImmediate).toBeUndefined();
  });

  it('is due at once when it is retried after its time', async () => {
    const { context } = await openWorkspace(table);
    const fixture = await openAhead({ workspaceId: context.workspaceId });
    await work(fixture);
    await settle(fixture, failed);
    const { postId } = await work(fixture);
    const now = startMs + 2 * hourMs;
    const { targets } = await retryPost({ ...context, now }, postId);
    expect(targets).toMatchObject([{ scheduledFor: toTimestamp(now), isImmediate: true }]);
    expect(targets[0]?.awaitsFiles).toBeUndefined();
  });

  it('waits in its usual way if the rendition is not made by its usual wake', async () => {
    const fixture = await openAhead();
    await workUntil(fixture, startMs + hourMs - leadMs - 1);
    const target = await fixture.find();
    expect(target).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs - leadMs) });
    expect(target.awaitsFiles).toBeUndefined();
    await workUntil(fixture, startMs + hourMs - minuteMs);
    await settle(fixture, made);
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([startMs + hourMs]);
  });

  it('looks rarely, and its timeline says once what it waits for', async () => {
    const fixture = await openAhead({}, 30 * dayMs);
    const worked = await workUntil(fixture, startMs + 29 * dayMs);
    expect(worked).toBeLessThan(150);
    const { timeline, wakeAt } = await fixture.find();
    expect(timeline).toEqual([
      expect.objectContaining({ event: 'waiting', reason: waiting, nextAt: wakeAt }),
    ]);
  });

  it.each([
    [
      'is paused',
      async () => {
        const context = { ...operatorAct('pause.begin'), table, now: startMs };
        await putPause(context, { scope: { kind: 'platform', platform: 'instagram' }, reason: 'why' });
      },
      {},
    ],
    ['has a disconnected account', async () => {}, { disconnectedAt: at(0) }],
    ['has an account whose authorization has ended', async () => {}, { status: 'expired' }],
  ] as const)(
    'has it converted although it %s, which counts from its usual wake on',
    async (_case, begin, account) => {
      const fixture = await openAhead({ account });
      await begin();
      await work(fixture);
      await settle(fixture, made);
      const ready = await work(fixture);
      expect(ready).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs - leadMs) });
      expect(ready.error).toBeUndefined();
      await work(fixture);
      expect(await fixture.find()).toMatchObject({ status: 'scheduled', error: expect.any(String) });
      expect(verbs(fixture)).toBe('');
    },
  );

  it('takes a place of its day, as planned, and uses none', async () => {
    const fixture = await openAhead({}, dayMs);
    const before = placeOf(await fixture.find(), 'UTC');
    await work(fixture);
    await settle(fixture, made);
    expect(placeOf(await work(fixture), 'UTC')).toEqual(before);
    expect(before).toMatchObject({ day: '2026-03-02', isUsed: false });
  });

  it('is worked by the common workers, also if it will send a file', async () => {
    const fixture = await openAhead({ target: { sendsFile: true } });
    expect(queueOf(await fixture.find())).toBe('publish');
    Object.assign(fixture.ports, { rulesFor: () => ({ ...rules, sendsFile: () => true }) });
    await work(fixture);
    await settle(fixture, made);
    expect(queueOf(await work(fixture))).toBe('upload');
  });

  it('is tried again after an error on our side, and keeps waiting for its files', async () => {
    const fixture = await openAhead();
    const enqueueRendition = () => Promise.reject(new Error('the queue is away'));
    await fixture.deliver(undefined, undefined, { ...fixture.ports, enqueueRendition });
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', awaitsFiles: { since: at(0) } });
    fixture.clock.time += 2 * minuteMs;
    await work(fixture);
    expect(fixture.renditions).toHaveLength(1);
  });
});

describe('a planned target whose file has not arrived', () => {
  const awaited = { media: { ...png, status: 'pending' } } as const;

  it('has it converted soon after it arrives, and goes live on time', async () => {
    for (const arrivesMs of [20 * secondMs, 10 * minuteMs, 45 * minuteMs]) {
      const fixture = await openAhead(awaited);
      await workUntil(fixture, startMs + arrivesMs);
      expect(fixture.renditions).toEqual([]);
      await arrive(fixture, 'ready');
      while (fixture.renditions.length === 0) await work(fixture);
      expect(fixture.clock.time).toBeLessThan(startMs + hourMs - leadMs);
      await settle(fixture, made);
      await fixture.runToEnd();
      expect(fixture.platform.ledger).toEqual([startMs + hourMs]);
    }
  });

  it('is left to its usual wake at once if the file fits', async () => {
    const fixture = await openAhead({ media: { status: 'pending' } });
    Object.assign(fixture.ports, { rulesFor: () => ({ ...rules, check: () => [], fileLimits: undefined }) });
    await work(fixture);
    await arrive(fixture, 'ready');
    const ready = await work(fixture);
    expect(ready).toMatchObject({ wakeAt: at(hourMs - leadMs) });
    expect(ready.timeline.at(-1)?.reason).toBeUndefined();
    expect(ready.timeline.at(-1)?.laterEvent).toBe('files ready');
  });

  it('does not fail ahead of its time because of the file, which may still be uploaded again', async () => {
    const fixture = await openAhead(awaited);
    await work(fixture);
    await arrive(fixture, 'invalid');
    expect(await work(fixture)).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs - leadMs) });
    await arrive(fixture, 'ready');
    await workUntil(fixture, startMs + hourMs - leadMs);
    await settle(fixture, made);
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([startMs + hourMs]);
  });
});

describe('the next look at a file ahead', () => {
  it('is some seconds to six hours away, and before half of the time that is left has passed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -hourMs, max: 40 * dayMs }),
        fc.integer({ min: 0, max: 40 * dayMs }),
        (leftMs, waitedMs) => {
          const lookMs = nextLookAheadMs(startMs, startMs - waitedMs, startMs + leftMs);
          if (lookMs === undefined) expect(leftMs).toBeLessThan(10 * secondMs);
          else {
            expect(lookMs).toBeGreaterThanOrEqual(startMs + 5 * secondMs);
            expect(lookMs).toBeLessThanOrEqual(startMs + Math.min(6 * hourMs, Math.ceil(leftMs / 2)));
          }
        },
      ),
    );
  });
});
