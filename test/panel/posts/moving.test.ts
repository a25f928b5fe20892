import { describe, expect, it, vi } from 'vitest';
import {
  afterDays,
  afterMinutes,
  atWallClock,
  changeFor,
  lockOf,
  type Move,
  Mover,
  moved,
  onDay,
  undoing,
} from '../../../lib/panel/posts/move.ts';

import type { ListedPost } from '../../../lib/panel/posts/post.ts';
import { editPostOperation } from '../../../lib/posts/request/operations.ts';
import { instagram, linkedin, threads } from '../support/accounts.ts';
import { listedPostOf, postOf, targetOf } from '../support/posts.ts';

const berlin = 'Europe/Berlin';
const now = Date.parse('2026-03-01T12:00:00.000Z');
const at = '2026-03-28T01:30:00.000Z';

describe('another time for a post', () => {
  it('keeps the time of day on another day', () => {
    expect(onDay(at, '2026-03-27', berlin, now)).toMatchObject({
      kind: 'time',
      at: new Date('2026-03-27T01:30:00.000Z'),
    });
    // After the change of the clocks, 02:30 is an hour earlier in UTC.
    expect(onDay(at, '2026-03-30', berlin, now)).toMatchObject({ at: new Date('2026-03-30T00:30:00.000Z') });
    expect(onDay(at, '2026-03-28', berlin, now)).toEqual({ kind: 'same' });
  });

  it('says which time the clocks skip, and which they show twice', () => {
    expect(onDay(at, '2026-03-29', berlin, now)).toMatchObject({
      kind: 'time',
      reading: { kind: 'skipped', shown: { time: '03:30' } },
      typed: { date: '2026-03-29', time: '02:30' },
    });
    expect(onDay(at, '2026-10-25', berlin, now)).toMatchObject({ reading: { kind: 'repeated' } });
    expect(afterDays(at, 1, berlin, now)).toMatchObject({ reading: { kind: 'skipped' } });
  });

  it('is refused in the past', () => {
    expect(onDay(at, '2026-02-28', berlin, now)).toMatchObject({ kind: 'past' });
    expect(afterMinutes('2026-03-01T12:10:00.000Z', -15, now)).toMatchObject({ kind: 'past' });
    expect(atWallClock({ date: '2026-03-01', time: '12:59' }, null, berlin, now)).toMatchObject({
      kind: 'past',
    });
  });

  it('is a quarter of an hour away across a change of the clocks', () => {
    expect(afterMinutes('2026-03-29T00:50:00.000Z', 15, now)).toMatchObject({
      at: new Date('2026-03-29T01:05:00.000Z'),
    });
  });

  it.each([
    ['scheduled', undefined],
    ['draft', undefined],
    ['publishing', 'publishing'],
    ['published', 'published'],
    ['failed', 'failed'],
    ['partial', 'partial'],
  ] as const)('is possible or not with a destination that is %s', (status, lock) => {
    expect(
      lockOf(listedPostOf(1, { platforms: [targetOf(instagram), targetOf(linkedin, { status })] })),
    ).toBe(lock);
  });
});

describe('the request that moves a post', () => {
  const post = listedPostOf(1, { scheduledFor: at, platforms: [targetOf(instagram, { scheduledFor: at })] });
  const to = '2026-03-30T00:30:00.000Z';

  it('gives the post a time, and leaves a draft one', () => {
    expect(changeFor({ post, from: at, to })).toEqual({ scheduledFor: to });
    const draft = { ...post, status: 'draft' as const };
    expect(changeFor({ post: draft, from: at, to })).toEqual({ scheduledFor: to, isDraft: true });
    expect(changeFor({ post: draft, from: at, to: null })).toEqual({ scheduledFor: null });
  });

  it('keeps the own times of destinations that do not move, and all else of theirs', () => {
    const later = '2026-03-31T08:00:00.000Z';
    const staggered = listedPostOf(2, {
      scheduledFor: at,
      platforms: [
        targetOf(instagram, { scheduledFor: at }),
        targetOf(linkedin, { scheduledFor: later }),
        targetOf(threads),
      ],
    });
    const whole = postOf(staggered);
    const first = whole.platforms[0];
    if (first)
      Object.assign(first, {
        customContent: 'Hallo',
        fit: 'crop',
        platformSpecificData: { firstComment: 'hi' },
      });
    const move: Move = { post: staggered, accountIds: [linkedin.id], from: later, to };
    const change = changeFor(move, whole);
    expect(editPostOperation.body?.parse(change)).toBeTruthy();
    expect(change).toEqual({
      platforms: [
        {
          accountId: instagram.id,
          customContent: 'Hallo',
          customMedia: undefined,
          fit: 'crop',
          platformSpecificData: { firstComment: 'hi' },
          scheduledFor: at,
        },
        expect.objectContaining({ accountId: linkedin.id, scheduledFor: to }),
        expect.objectContaining({ accountId: threads.id, scheduledFor: at }),
      ],
    });
    expect(moved(move)).toMatchObject({
      scheduledFor: at,
      platforms: [{ scheduledFor: at }, { scheduledFor: to }, { scheduledFor: null }],
    });
    // It is taken back from where the destination is now.
    expect(undoing(move, staggered)).toMatchObject({ accountIds: [linkedin.id], from: later, to: later });
    expect(undoing(move, moved(move))).toMatchObject({ accountIds: [linkedin.id], from: to, to: later });
  });
});

describe('a mover', () => {
  const post = listedPostOf(1, { scheduledFor: at, platforms: [targetOf(instagram)] });
  const time = (minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString();

  function moverThat(send: (move: Move) => Promise<{ post: ListedPost }>) {
    const sent: Move[] = [];
    const done: string[] = [];
    const mover = new Mover<{ post: ListedPost }>({
      now: () => now,
      send: (move) => {
        sent.push(move);
        return send(move);
      },
      onDone: () => done.push('done'),
      onFailed: () => done.push('failed'),
    });
    return { mover, sent, done, timeIn: () => mover.overlay([post], mover.shown.get())[0]?.scheduledFor };
  }

  it('shows the new time at once, and then what the service has stored', async () => {
    const stored = { ...post, scheduledFor: time(16), updatedAt: '2026-02-01T00:00:00.000Z' };
    const { mover, done, timeIn } = moverThat(async () => ({ post: stored }));
    mover.move({ post, from: at, to: time(15) });
    expect(timeIn()).toBe(time(15));
    await vi.waitFor(() => expect(done).toEqual(['done']));
    expect(timeIn()).toBe(time(16));
    // The list has caught up, or is ahead.
    const newer = { ...post, scheduledFor: time(30), updatedAt: '2026-02-02T00:00:00.000Z' };
    expect(mover.overlay([newer], mover.shown.get())[0]).toBe(newer);
  });

  it('puts it back if the service refuses', async () => {
    const { mover, done, timeIn } = moverThat(() => Promise.reject(new Error('no')));
    mover.move({ post, from: at, to: time(15) });
    await vi.waitFor(() => expect(done).toEqual(['failed']));
    expect(timeIn()).toBe(at);
  });

  it('sends steps that follow each other as one, and none if they lead back', async () => {
    const { mover, sent, done } = moverThat(async (move) => ({ post: moved(move) }));
    mover.move({ post, from: at, to: time(15) }, 30);
    mover.move({ post, from: time(15), to: time(30) }, 30);
    await vi.waitFor(() => expect(done).toEqual(['done']));
    expect(sent).toMatchObject([{ from: at, to: time(30) }]);
    mover.move({ post, from: time(30), to: time(45) }, 1);
    mover.move({ post, from: time(45), to: time(30) }, 1);
    mover.flush();
    await Promise.resolve();
    expect(sent).toHaveLength(1);
  });

  it('takes an older move back from where the post is by now', async () => {
    const { mover, sent, done } = moverThat(async (move) => ({ post: moved(move) }));
    const first: Move = { post, from: at, to: time(15) };
    mover.move(first);
    await vi.waitFor(() => expect(done).toHaveLength(1));
    mover.move({ post: moved(first), from: time(15), to: time(30) });
    await vi.waitFor(() => expect(done).toHaveLength(2));
    mover.undo(first, moved(first));
    await vi.waitFor(() => expect(done).toHaveLength(3));
    expect(sent.at(-1)).toMatchObject({ from: time(30), to: at });
    // A step that was not sent yet and its undoing are nothing to send.
    mover.move({ post, from: at, to: time(45) }, 60_000);
    mover.undo({ post, from: at, to: time(45) }, post);
    mover.flush();
    await Promise.resolve();
    expect(sent).toHaveLength(3);
  });

  it('sends moves of one post one after the other', async () => {
    const first = Promise.withResolvers<{ post: ListedPost }>();
    let calls = 0;
    const { mover, sent, done } = moverThat((move) => {
      calls += 1;
      return calls === 1 ? first.promise : Promise.resolve({ post: moved(move) });
    });
    mover.move({ post, from: at, to: time(15) });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    mover.move({ post, from: time(15), to: time(30) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toHaveLength(1);
    first.resolve({ post: { ...post, scheduledFor: time(15) } });
    await vi.waitFor(() => expect(done).toEqual(['done', 'done']));
    expect(sent.map(({ to }) => to)).toEqual([time(15), time(30)]);
  });
});
