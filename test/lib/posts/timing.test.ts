import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from './fixture.ts';

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
 * What each combination of the three fields means: in a request to create a post, and in a change of a draft without a time, of a
 * draft with one, and of a scheduled post. The stored time is one hour ahead.
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
