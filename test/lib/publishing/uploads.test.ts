import { beforeEach, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { sendsFile as sendsFileToTiktok } from '../../../lib/platforms/tiktok/prepare.ts';
import { youtubeAdapter } from '../../../lib/platforms/youtube/adapter.ts';
import { messageOf, queueOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, openFixture } from './fixture.ts';

const minuteMs = 60_000;

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** A target that is due in ten minutes, on a platform to which one step must send a file. */
async function openUpload(target: Partial<Target> = {}): Promise<Fixture & { uploader: PublishingPorts }> {
  const dueMs = startMs + 10 * minuteMs;
  const fixture = await openFixture(table, {
    target: { scheduledFor: toTimestamp(dueMs), wakeAt: toTimestamp(startMs), ...target },
  });
  const adapter = {
    ...fixture.platform.adapter,
    sendsFile: ({ preparation }: Pick<Target, 'preparation'>) => preparation?.['containerId'] === undefined,
  };
  const ports: PublishingPorts = { ...fixture.ports, adapterFor: () => adapter };
  return { ...fixture, ports, uploader: { ...ports, queue: 'upload' } };
}

describe('a target that must send a file', () => {
  it('is passed on by the worker of other targets, before a byte is sent', async () => {
    const { ports, find, deliver, message, platform } = await openUpload();

    await deliver(message, 300, ports);

    expect(platform.calls).toEqual([]);
    const target = await find();
    expect(target).toMatchObject({ status: 'scheduled', sendsFile: true, wakeAt: toTimestamp(startMs) });
    expect(target.preparation).toBeUndefined();
    expect(messageOf(target)).toMatchObject({ queue: 'upload', wakeNumber: message.wakeNumber + 1 });
  });

  it('is left to the other workers for its last call', async () => {
    const { uploader, find, deliver, message, platform } = await openUpload({ sendsFile: true });

    await deliver(message, 300, uploader);

    expect(platform.calls.map(({ verb }) => verb)).toEqual(['prepare']);
    const target = await find();
    expect(target.sendsFile).toBeUndefined();
    expect(target).toMatchObject({ preparation: { containerId: 'c1' }, wakeAt: target.scheduledFor });
    expect(messageOf(target).queue).toBeUndefined();
  });

  it('is left to them also if its time has passed meanwhile', async () => {
    const { uploader, ports, find, deliver, message, platform, clock } = await openUpload({
      sendsFile: true,
    });
    clock.time = startMs + 20 * minuteMs;

    await deliver(message, 300, uploader);
    expect(platform.ledger).toEqual([]);
    await deliver(messageOf(await find()), 300, ports);

    expect(platform.ledger).toHaveLength(1);
  });

  it('is passed on again if its upload starts over', async () => {
    const { uploader, ports, find, deliver, message, platform, clock } = await openUpload({
      sendsFile: true,
    });
    await deliver(message, 300, uploader);
    platform.script.prepare.push({ state: 'waiting', preparation: { renewals: 1 }, waitSeconds: 10 });
    clock.time = startMs + 10 * minuteMs;

    await deliver(messageOf(await find()), 300, ports);

    expect(platform.ledger).toEqual([]);
    expect(messageOf(await find())).toMatchObject({ queue: 'upload' });
  });
});

describe('a target with the card of a link', () => {
  const card = { url: 'https://example.com/a', title: 'A', imageUrl: 'https://cdn.example.com/a.jpg' };

  it('brings the adapter the card, and a way to fetch its picture for the workspace', async () => {
    const { ports, deliver, message, platform } = await openFixture(table, { target: { card } });
    const fetched: string[][] = [];
    const fetchPicture = async (...asked: [string, string]) => {
      fetched.push(asked);
      return { problem: 'gone' };
    };
    await deliver(message, 300, { ...ports, fetchPicture });
    const [{ job } = { job: undefined }] = platform.calls;
    expect(job?.card).toMatchObject(card);
    expect(await job?.card?.fetchPicture?.()).toEqual({ problem: 'gone' });
    expect(fetched).toEqual([[card.imageUrl, message.workspaceId]]);
  });

  it('has nothing to fetch if the page names no picture', async () => {
    const { imageUrl: _, ...plain } = card;
    const { ports, deliver, message, platform } = await openFixture(table, { target: { card: plain } });
    await deliver(message, 300, { ...ports, fetchPicture: async () => ({ problem: 'gone' }) });
    expect(platform.calls[0]?.job.card).toEqual(plain);
  });
});

it.each([300, 1])(
  'a remark about a step of the preparation is told in the timeline, with %i seconds left',
  async (seconds) => {
    const remark = 'The card of the link has no picture: the server responded 404';
    const { platform, deliver, message, find } = await openFixture(table, {});
    platform.script.prepare.push({ state: 'continue', preparation: {}, isCheap: true, remark });
    await deliver(message, seconds);
    expect((await find()).timeline).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ event: 'preparing', reason: remark })]),
    );
  },
);

it('a step that has no time left is taken by the next run, and not again and again until the end', async () => {
  const { ports, platform, deliver, message, find, clock } = await openFixture(table, {});
  let steps = 0;
  const prepare: typeof platform.adapter.prepare = async (job, tools) => {
    if (job.deadline - tools.now() > 15_000) return platform.adapter.prepare(job, tools);
    steps += 1;
    clock.time += 10;
    return { state: 'continue', preparation: { assets: [] } };
  };
  const hurried = { ...ports, adapterFor: () => ({ ...platform.adapter, prepare }) };
  await deliver(message, 20, hurried);
  expect(steps).toBe(2);
  const target = await find();
  expect(target).toMatchObject({ status: 'scheduled', wakeAt: toTimestamp(clock.time) });
  await deliver(messageOf(target), 300, hurried);
  expect(platform.ledger).toHaveLength(1);
});

describe('the queue of a wake', () => {
  it.each([
    ['a target that must send a file', { status: 'scheduled', sendsFile: true }, 'upload'],
    ['any other target', { status: 'scheduled' }, 'publish'],
    ['a target of an earlier release', { status: 'scheduled', sendsFile: undefined }, 'publish'],
    ['a target whose last call is unsettled', { status: 'publishing', sendsFile: true }, 'publish'],
    ['a live target', { status: 'published', sendsFile: true }, 'publish'],
  ] as const)('of %s', (_title, { status, ...rest }, queue) => {
    const { sendsFile } = { sendsFile: undefined, ...rest };
    expect(queueOf({ status, ...(sendsFile && { sendsFile }) })).toBe(queue);
  });
});

describe('an adapter', () => {
  const video = (sizeBytes: number) => ({
    media: [{ type: 'video', sizeBytes } as never],
    content: '',
    options: {},
  });

  it.each([
    ['not begun', {}, true],
    ['in the middle', { sessionUri: 'u', offset: 8 * 1_048_576, sessions: 1 }, true],
    ['all but the last chunk', { sessionUri: 'u', offset: 20 * 1_048_576 - 262_144, sessions: 1 }, false],
  ])('of YouTube sends a file: %s', (_title, preparation, expected) => {
    expect(youtubeAdapter.sendsFile?.({ ...video(20 * 1_048_576), preparation })).toBe(expected);
  });

  it.each([
    ['one chunk, which the last call sends', 9 * 1_048_576, {}, false],
    ['several chunks', 11 * 1_048_576, {}, true],
    ['all but the last chunk', 11 * 1_048_576, { isUploaded: true }, false],
  ])('of TikTok sends a file: %s', (_title, sizeBytes, preparation, expected) => {
    expect(sendsFileToTiktok({ ...video(sizeBytes), preparation })).toBe(expected);
  });
});
