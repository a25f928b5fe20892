import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import type { Table } from '../../../lib/table/table.ts';
import { changeTarget, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

const now = toTimestamp(startMs);
const later = '2026-03-01T14:00:00.000Z';

/** The status and time that a post gets; or the refusal. */
type Result = readonly [status: 'draft' | 'scheduled', time: string | undefined] | string;

const bothTimes = 'publishNow: cannot be combined with scheduledFor';
const nowAsDraft = 'publishNow: cannot be combined with isDraft';
const noTime = 'isDraft: cannot be false without a time: send scheduledFor or publishNow';
const noDraft = 'isDraft: cannot be false if scheduledFor is null';

/**
 * Meanings of each combination of the three fields: in a request to create a post, and in a change of a draft without a time,
 * of a draft with one, and of a scheduled post. The stored time is one hour ahead.
 */
const combinations: readonly (readonly [
  request: object,
  create: Result,
  bare: Result,
  timed: Result,
  scheduled: Result,
])[] = [
  [{}, ['draft', undefined], ['draft', undefined], ['draft', inOneHour], ['scheduled', inOneHour]],
  [
    { scheduledFor: later },
    ['scheduled', later],
    ['scheduled', later],
    ['scheduled', later],
    ['scheduled', later],
  ],
  [{ publishNow: true }, ['scheduled', now], ['scheduled', now], ['scheduled', now], ['scheduled', now]],
  [
    { publishNow: false },
    ['draft', undefined],
    ['draft', undefined],
    ['draft', inOneHour],
    ['scheduled', inOneHour],
  ],
  [{ isDraft: true }, ['draft', undefined], ['draft', undefined], ['draft', inOneHour], ['draft', inOneHour]],
  [{ isDraft: false }, noTime, noTime, ['scheduled', inOneHour], ['scheduled', inOneHour]],
  [
    { scheduledFor: later, isDraft: true },
    ['draft', later],
    ['draft', later],
    ['draft', later],
    ['draft', later],
  ],
  [
    { scheduledFor: later, isDraft: false },
    ['scheduled', later],
    ['scheduled', later],
    ['scheduled', later],
    ['scheduled', later],
  ],
  [
    { publishNow: true, isDraft: false },
    ['scheduled', now],
    ['scheduled', now],
    ['scheduled', now],
    ['scheduled', now],
  ],
  [{ publishNow: true, isDraft: true }, nowAsDraft, nowAsDraft, nowAsDraft, nowAsDraft],
  [{ publishNow: true, scheduledFor: later }, bothTimes, bothTimes, bothTimes, bothTimes],
  [{ publishNow: true, scheduledFor: 'auto' }, bothTimes, bothTimes, bothTimes, bothTimes],
  [
    { scheduledFor: 'auto', isDraft: true },
    ['draft', undefined],
    ['draft', undefined],
    ['draft', undefined],
    ['draft', undefined],
  ],
];

/** Null exists in a change only: in a request to create a post it counts as absent. */
const nullRows: readonly (readonly [request: object, bare: Result, timed: Result, scheduled: Result])[] = [
  [{ scheduledFor: null }, ['draft', undefined], ['draft', undefined], ['draft', undefined]],
  [{ scheduledFor: null, isDraft: true }, ['draft', undefined], ['draft', undefined], ['draft', undefined]],
  [{ scheduledFor: null, isDraft: false }, noDraft, noDraft, noDraft],
  [{ scheduledFor: null, publishNow: true }, bothTimes, bothTimes, bothTimes],
];

async function expectResult(request: () => Promise<{ post: { id: string } }>, expected: Result) {
  if (typeof expected === 'string') {
    expect(await refusalsOf(request())).toEqual([expected]);
    return;
  }
  const [status, time] = expected;
  const { id } = (await request()).post;
  const { post, targets } = await readPost(fixture.context, id);
  expect([post.status, post.scheduledFor]).toEqual([status, time]);
  for (const target of targets) {
    expect([target.status, target.scheduledFor]).toEqual([status, time]);
    expect(target.wakeAt !== undefined).toBe(status === 'scheduled');
  }
}

const stored = {
  'a draft without a time': { isDraft: true },
  'a draft with a time': { scheduledFor: inOneHour, isDraft: true },
  'a scheduled post': { scheduledFor: inOneHour },
};
const names = Object.keys(stored) as (keyof typeof stored)[];

describe('a request to create a post', () => {
  it.each(combinations.map(([request, expected]) => [request, expected] as const))(
    'with %j',
    async (request, expected) => {
      await expectResult(() => fixture.create(request), expected);
    },
  );
});

const changes = [
  ...combinations.map(([request, _, ...expected]) => [request, expected] as const),
  ...nullRows.map(([request, ...expected]) => [request, expected] as const),
].flatMap(([request, expected]) =>
  names.map((name, index) => [name, request, expected[index] as Result] as const),
);

describe('a change of', () => {
  it.each(changes)('%s with %j', async (name, request, expected) => {
    const { post } = await fixture.create(stored[name]);
    await expectResult(() => editPost(fixture.context, post.id, EditPostBody.parse(request)), expected);
  });
});

describe('a time for the whole post', () => {
  const own = (scheduledFor: string) => ({ accountId: fixture.instagram.id, scheduledFor });
  const other = (changes: object = {}) => ({
    accountId: fixture.youtube.id,
    platformSpecificData: { title: 'Harbour', privacy: 'public' },
    customMedia: [mediaItem(fixture.video)],
    ...changes,
  });
  const noEffect = 'has no effect: every destination has a time of its own';

  it.each([
    [{ publishNow: true }, `publishNow: ${noEffect}`],
    [{ scheduledFor: 'auto' }, `scheduledFor: ${noEffect}`],
    [{ scheduledFor: 'auto', isDraft: true }, `scheduledFor: ${noEffect}`],
  ])('is refused in %j if all destinations sent with it have their own', async (request, refusal) => {
    const platforms = [own(later), other({ scheduledFor: inOneHour })];
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const change = EditPostBody.parse({ ...request, platforms });
    for (const attempt of [
      () => fixture.create({ ...request, platforms }),
      () => editPost(fixture.context, post.id, change),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ problems: [{ code: 'contradictory_fields' }] });
      expect(await refusalsOf(attempt())).toEqual([refusal]);
    }
  });

  it('is for the destinations without their own, if some have one', async () => {
    const platforms = [own(later), other()];
    const created = await fixture.create({ publishNow: true, platforms });
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const edited = await editPost(fixture.context, post.id, { publishNow: true, platforms });
    for (const { targets } of [created, edited])
      expect(targets.map(({ scheduledFor }) => scheduledFor)).toEqual([later, now]);
  });

  it('is for all destinations of a post if the change sends none', async () => {
    for (const request of [{ publishNow: true }, { scheduledFor: 'auto' }]) {
      const { post } = await fixture.create({ platforms: [own(later), other({ scheduledFor: later })] });
      const { targets } = await editPost(fixture.context, post.id, request);
      for (const { scheduledFor } of targets) expect(scheduledFor).not.toBe(later);
    }
  });
});

describe('a change that gives every destination its own time', () => {
  const latest = '2026-03-02T09:00:00.000Z';
  const at = (scheduledFor?: string) => [{ accountId: fixture.instagram.id, scheduledFor }];
  const timeOf = async (stored: object, change: object = {}, afterMs = 0) => {
    const { post } = await fixture.create(stored);
    const context = { ...fixture.context, now: startMs + afterMs };
    await editPost(context, post.id, { platforms: at(latest), ...change });
    return (await readPost(fixture.context, post.id)).post.scheduledFor;
  };

  it('moves a post whose time came from its destinations, also a draft', async () => {
    expect(await timeOf({ platforms: at(later) })).toBe(latest);
    expect(await timeOf({ platforms: at(later), isDraft: true })).toBe(latest);
  });

  it('moves a post whose destinations have the time of the post', async () => {
    expect(await timeOf({ scheduledFor: later })).toBe(latest);
    expect(await timeOf({ scheduledFor: later, isDraft: true })).toBe(latest);
  });

  it('moves a post whose time is a slot', async () => {
    expect(await timeOf({ scheduledFor: 'auto' })).toBe(latest);
  });

  it('does not complain about the time that the post had before', async () => {
    expect(await timeOf({ platforms: at(inOneHour) }, {}, 90 * minuteMs)).toBe(latest);
  });

  it('moves a post that was retried', async () => {
    const { post, targets } = await fixture.create({ scheduledFor: inOneHour });
    for (const target of targets) await changeTarget(table, target, { status: 'failed', wakeAt: null });
    const context = { ...fixture.context, now: startMs + 90 * minuteMs };
    await retryPost(context, post.id);
    await editPost(context, post.id, { platforms: at(latest) });
    expect((await readPost(context, post.id)).post.scheduledFor).toBe(latest);
  });

  it('leaves a time that only the post itself has, and a time that it brings along', async () => {
    expect(await timeOf({ scheduledFor: inOneHour, platforms: at(later) })).toBe(inOneHour);
    expect(await timeOf({ scheduledFor: later, isDraft: true, platforms: [] })).toBe(later);
    expect(await timeOf({ platforms: at(later) }, { scheduledFor: inOneHour })).toBe(inOneHour);
  });

  it('has no effect on the time if a destination has none', async () => {
    expect(await timeOf({ platforms: at(later) }, { platforms: at() })).toBe(later);
  });
});

describe('a draft with a time', () => {
  it('is checked when it is scheduled, not before', async () => {
    const { post } = await fixture.create({ scheduledFor: '2020-01-01T00:00:00Z', isDraft: true });
    const edit = (change: object) => editPost(fixture.context, post.id, change);
    expect((await edit({ content: 'New' })).post.status).toBe('draft');
    expect(await refusalsOf(edit({ isDraft: false }))).toEqual(['scheduledFor: is in the past']);
  });

  it('keeps the times of its destinations as a draft, and loses them if it is published now', async () => {
    const platforms = [{ accountId: fixture.instagram.id, scheduledFor: later }];
    const { post } = await fixture.create({ scheduledFor: inOneHour, platforms });
    const times = async (change: object) => {
      const { targets } = await editPost(fixture.context, post.id, change);
      return targets.map(({ scheduledFor }) => scheduledFor);
    };
    expect(await times({ isDraft: true })).toEqual([later]);
    expect(await times({ isDraft: false })).toEqual([later]);
    expect(await times({ publishNow: true })).toEqual([now]);
  });

  it('takes no slot, and the warning says so', async () => {
    const { warnings } = await fixture.create({ scheduledFor: 'auto', isDraft: true });
    expect(warnings).toEqual([
      {
        field: 'scheduledFor',
        code: 'content_ignored',
        message: 'a draft takes no slot: send auto again when you schedule it',
      },
    ]);
  });
});
