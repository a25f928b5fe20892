import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calendarEntryItem, takesTime } from '../../../lib/calendar/entries.ts';
import { freeTime } from '../../../lib/calendar/free.ts';
import { settlePlace } from '../../../lib/daily-limits/settle.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putRiskCheck } from '../../../lib/overdue/risk-checks.ts';
import { newPause, putPauseParts } from '../../../lib/pauses/manage.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { accountLimits } from '../../../lib/platforms/registry/account-limits.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { listPosts } from '../../../lib/posts/list/list-posts.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { effectsOf } from '../../../lib/publishing/relay/effects.ts';
import { checkAhead } from '../../../lib/risks/check-ahead.ts';
import type { RiskPorts } from '../../../lib/risks/ports.ts';
import { runRiskChecks } from '../../../lib/risks/run-checks.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { getItem, putItem, updateItem } from '../../../lib/table/items.ts';
import { accountKey, postAtRiskKey, postKey, riskCheckKey, targetKey } from '../../../lib/table/keys.ts';
import { transact } from '../../../lib/table/transaction.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { login, rowOf } from '../../contract/rows.ts';
import { type Connected, openRiskWorld, type RiskWorld } from './world.ts';

let world: RiskWorld;
let connected: Connected;
let dueMs: number;
let onlyPost: string;

/** A request to the table: the values of its expressions, and all of it as text. */
interface Sent {
  readonly values: readonly unknown[];
  readonly text: string;
}

beforeEach(async () => {
  world = await openRiskWorld((row) => row === rowOf('threads'));
  [connected] = world.accounts as [Connected];
  dueMs = world.now() + 26 * hourMs;
});
/** Goes on in a world with an account of another platform. */
async function open(platform: Platform): Promise<void> {
  await world.close();
  world = await openRiskWorld((row) => row === rowOf(platform));
  [connected] = world.accounts as [Connected];
}
afterEach(() => world.close());

const limit = (posts: number) => connected.fixture.control('limits', 'PUT', { posts });
const findTarget = async (postId: string): Promise<Target> => {
  const [target] = (await findPost(world.table, world.workspaceId, postId))?.targets ?? [];
  if (!target) throw new Error('no target');
  return target;
};
const codes = async (postId: string) => (await world.findings(postId)).map(({ code }) => code);

describe('a question to a platform', () => {
  it('is asked once for all posts of an account within half an hour, and its answer counts for all of them', async () => {
    await limit(0);
    const ids = await Promise.all(
      [0, 5, 10, 15].map((minutes) => world.schedule(connected, dueMs + minutes * minuteMs)),
    );
    await world.advance(dueMs - 2 * hourMs);
    for (const id of ids) expect(await codes(id)).toEqual(['quota_exhausted']);
    expect(world.questions).toHaveLength(2);
  });

  it('about a limit of 24 hours says nothing about posts that are due later', async () => {
    await limit(0);
    const near = await world.schedule(connected, dueMs);
    const far = await world.schedule(connected, dueMs + 60 * dayMs);
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    expect(world.questions).toHaveLength(1);
    expect(await codes(near)).toEqual([]);
    await world.advance(dueMs - 2 * hourMs, 10 * minuteMs);
    expect(await codes(near)).toEqual(['quota_exhausted']);
    const { workspaceId, table, now } = world;
    const { id: accountId } = connected.account;
    await putRiskCheck(table, { kind: 'account', workspaceId, accountId }, now());
    await runRiskChecks(world.ports, now() + minuteMs);
    expect(await codes(far)).toEqual([]);
  });

  it('that gets no answer finds nothing', async () => {
    const id = await world.schedule(connected, dueMs);
    await connected.fixture.plan('threads_publishing_limit', 'error:500', 1);
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    expect(world.questions).toHaveLength(1);
    expect(await codes(id)).toEqual([]);

    const other = await world.schedule(connected, dueMs + 24 * hourMs);
    await world.advance(dueMs - 3 * hourMs, 30 * minuteMs);
    await limit(0);
    await world.advance(dueMs - 2 * hourMs, 10 * minuteMs);
    expect(await codes(id)).toEqual(['quota_exhausted']);
    await limit(250);
    await connected.fixture.plan('threads_publishing_limit', 'error:500', 1);
    await world.advance(dueMs + 22 * hourMs, 30 * minuteMs);
    expect(world.questions).toHaveLength(3);
    expect(await codes(other)).toEqual([]);
  });

  it('that gets no answer keeps what the platform has said before', async () => {
    await open('pinterest');
    const id = await world.schedule(connected, dueMs);
    await connected.fixture.control(`boards/${String(connected.row.options['boardId'])}`, 'DELETE');
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    expect(await codes(id)).toEqual(['platform_rejected']);
    await connected.fixture.plan('boards.list', 'error:500', 1);
    await world.advance(dueMs - 2 * hourMs, 10 * minuteMs);
    expect(world.questions).toHaveLength(2);
    expect(await codes(id)).toEqual(['platform_rejected']);
  });

  it('is not repeated by a run that is cut off after it and begins again', async () => {
    const id = await world.schedule(connected, dueMs);
    await world.advance(dueMs - 3 * hourMs, 30 * minuteMs);
    const before = world.questions.length;
    await world.advance(dueMs - 140 * minuteMs, 10 * minuteMs);
    expect(world.questions).toHaveLength(before + 1);
    await putRiskCheck(
      world.table,
      { kind: 'post', workspaceId: world.workspaceId, postId: id },
      world.now(),
    );
    await runRiskChecks(world.ports, world.now() + minuteMs);
    expect(world.questions).toHaveLength(before + 1);
  });

  it('of a token that was withdrawn marks the account, as publishing would, so that all its posts are announced', async () => {
    const near = await world.schedule(connected, dueMs);
    const far = await world.schedule(connected, dueMs + 60 * 24 * hourMs);
    await connected.fixture.control('revoke', 'POST', { username: login });
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    const account = await getItem(world.table, accountKey(world.workspaceId, connected.account.id));
    expect(account).toMatchObject({
      status: 'expired',
      statusMessage: expect.stringContaining('while checking the account for its next posts'),
    });
    for (const id of [near, far]) expect(await codes(id)).toEqual(['account_expired']);
  });
});

describe('what was found', () => {
  it('is cleared when the account is connected again, whatever the platform said before', async () => {
    await limit(0);
    const id = await world.schedule(connected, dueMs);
    await world.advance(dueMs - 2 * hourMs, 10 * minuteMs);
    expect(await codes(id)).toEqual(['quota_exhausted']);
    const key = accountKey(world.workspaceId, connected.account.id);
    await world.change(key, { connectedAt: toTimestamp(world.now() + 1) });
    await world.advance(world.now() + 5 * minuteMs);
    expect(await codes(id)).toEqual([]);
  });

  it('about an account is cleared when the account works again, without a new authorization', async () => {
    await open('tiktok');
    const id = await world.schedule(connected, dueMs);
    const setBan = (isBanned: boolean) =>
      connected.fixture.control('users', 'POST', { username: login, isBanned });
    await setBan(true);
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    expect(await codes(id)).toEqual(['account_restricted']);
    await setBan(false);
    const key = accountKey(world.workspaceId, connected.account.id);
    // As publishing another post does.
    await world.change(key, { status: 'ok', statusMessage: null });
    await world.advance(world.now() + 5 * minuteMs);
    expect(await codes(id)).toEqual([]);
  });

  it('about a board stays when the list of boards is read anew', async () => {
    await open('pinterest');
    const id = await world.schedule(connected, dueMs);
    await connected.fixture.control(`boards/${String(connected.row.options['boardId'])}`, 'DELETE');
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    expect(await codes(id)).toEqual(['platform_rejected']);
    await world.change(accountKey(world.workspaceId, connected.account.id), { meta: '{"boards":[]}' });
    await world.advance(dueMs - 2 * hourMs, 10 * minuteMs);
    expect(world.questions).toHaveLength(2);
    expect(await codes(id)).toEqual(['platform_rejected']);
  });

  it('about a pause is not said of posts that are due days later, which the end of the pause does not reach', async () => {
    const far = await world.schedule(connected, dueMs + 30 * dayMs);
    const { table, workspaceId, now } = world;
    const pause = newPause({ now: now() }, { kind: 'workspace', workspaceId }, 'Something is wrong');
    await transact(table, [...putPauseParts({ table, now: now() }, pause)]);
    const { id: accountId } = connected.account;
    await putRiskCheck(table, { kind: 'account', workspaceId, accountId }, now());
    await runRiskChecks(world.ports, now() + minuteMs);
    expect(await codes(far)).toEqual([]);
  });

  it('keeps its beginning, and is stored again only if something else is found', async () => {
    const id = await world.schedule(connected, dueMs);
    const key = accountKey(world.workspaceId, connected.account.id);
    await world.change(key, { status: 'error', statusMessage: 'Spam' });
    await world.advance(world.now() + 5 * minuteMs);
    const { risk } = await findTarget(id);
    await world.change(key, { statusMessage: 'Still spam', meta: '{"a":1}' });
    await world.advance(dueMs - 23 * hourMs, 30 * minuteMs);
    expect((await findTarget(id)).risk).toEqual(risk);
    await limit(0);
    await world.advance(dueMs - 2 * hourMs, 10 * minuteMs);
    const later = (await findTarget(id)).risk;
    expect(later?.since).toBe(risk?.since);
    expect(later?.findings.map(({ code }) => code)).toEqual(['account_restricted', 'quota_exhausted']);
  });

  it('is not stored on a target that was changed in the meantime', async () => {
    const id = await world.schedule(connected, dueMs);
    await world.change(accountKey(world.workspaceId, connected.account.id), { status: 'error' });
    const key = targetKey(world.workspaceId, id, connected.account.id);
    const { table } = world.ports;
    let isMoved = false;
    const client = {
      ...table.client,
      send: async (command: {
        constructor: { name: string };
        input: { Key?: { pk: string; sk: string } };
      }) => {
        const isRisk = command.constructor.name === 'UpdateCommand' && command.input.Key?.sk === key.sk;
        if (isRisk && !isMoved) {
          isMoved = true;
          await updateItem(table, key, { set: { wakeNumber: 2 }, if: {} });
        }
        return table.client.send(command as never);
      },
    };
    const ports = { ...world.ports, table: { ...table, client: client as never } };
    await runRiskChecks(ports, world.now() + minuteMs);
    expect(isMoved).toBe(true);
    expect((await findTarget(id)).risk).toBeUndefined();
  });

  it('ends with the waiting: a target that is tried again begins without it', async () => {
    const id = await world.schedule(connected, dueMs);
    await world.change(accountKey(world.workspaceId, connected.account.id), { status: 'error' });
    await world.advance(world.now() + 5 * minuteMs);
    const target = await findTarget(id);
    expect(target.risk).toBeDefined();
    const failed = await updateTarget(
      world.table,
      target,
      { status: 'failed', wakeAt: null, failedAt: toTimestamp(dueMs) },
      newId(1),
    );
    expect(failed.risk).toBeUndefined();
    expect((await findTarget(id)).risk).toBeUndefined();
  });

  it('about a chain is shown by the first destination', async () => {
    const gone = newId(1);
    const id = await world.schedule(connected, dueMs);
    const chain = [
      {
        kind: 'followUp' as const,
        accountIds: [gone],
        afterMinutes: 5,
        content: 'More',
        options: '{}',
        status: 'waiting' as const,
      },
    ];
    const { post } = (await findPost(world.table, world.workspaceId, id)) ?? {};
    await updateItem(
      world.table,
      { pk: `POST#${world.workspaceId}#${post?.id}`, sk: 'POST' },
      { set: { chain }, if: {} },
    );
    await world.advance(dueMs - 23 * hourMs, 10 * minuteMs);
    expect(await world.findings(id)).toMatchObject([
      { code: 'account_disconnected', param: 'chain[0].accountIds[0]' },
    ]);
  });
});

describe('the list of posts at risk', () => {
  const list = async (changes = {}) =>
    (
      await listPosts(
        {
          ...{ table: world.table, workspaceId: world.workspaceId, cursorSecret: 'secret', now: world.now() },
          ...{ actor: { kind: 'key', id: newId(1) } as never, requestId: 'request' },
          ...changes,
        } as never,
        { limit: 10, atRisk: true },
      )
    ).posts.map(({ id }) => id);

  it('keeps a post that is moved to a later day', async () => {
    const { table, workspaceId, now } = world;
    const id = await world.schedule(connected, dueMs);
    await world.change(accountKey(workspaceId, connected.account.id), { status: 'error' });
    await world.advance(now() + 5 * minuteMs);
    await rollUpPost(table, workspaceId, id, now());
    const scheduledFor = toTimestamp(dueMs + 40 * dayMs);
    const { post, targets } = (await findPost(table, workspaceId, id)) ?? {};
    const moved = post?.targets.map((target) => ({ ...target, scheduledFor }));
    await updateItem(table, postKey(workspaceId, id), { set: { scheduledFor, targets: moved }, if: {} });
    const key = targetKey(workspaceId, id, targets?.[0]?.accountId ?? '');
    await updateItem(table, key, { set: { scheduledFor }, if: {} });
    await rollUpPost(table, workspaceId, id, now());
    const entry = await getItem(table, postAtRiskKey(workspaceId, id));
    expect(Number(entry?.['expiresAtSeconds'])).toBeGreaterThan((dueMs + 40 * dayMs) / secondMs);
  });

  it('has a post from the roll-up that follows a finding until the roll-up that follows its end', async () => {
    const id = await world.schedule(connected, dueMs);
    const other = await world.schedule(connected, dueMs + 1);
    const key = accountKey(world.workspaceId, connected.account.id);
    const rollUp = async () => {
      for (const each of [id, other]) await rollUpPost(world.table, world.workspaceId, each, world.now());
    };
    await rollUp();
    expect(await list()).toEqual([]);
    await world.change(key, { status: 'error' });
    await world.advance(world.now() + 5 * minuteMs);
    await rollUp();
    expect((await list()).toSorted()).toEqual([id, other].toSorted());
    await world.change(key, { status: 'ok' });
    await world.advance(world.now() + 5 * minuteMs);
    await rollUp();
    expect(await list()).toEqual([]);
  });
});

describe('the checks of a minute', () => {
  it('continue where they were cut off, in the middle of a hot second', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 200; number += 1) ids.push(await world.schedule(connected, dueMs));
    await world.advance(dueMs - 3 * hourMs, 30 * minuteMs);
    await limit(0);
    const before = world.questions.length;
    let runs = 0;
    for (; runs < 200; runs += 1) {
      // Each run has time for a part.
      let looks = 0;
      const ports = { ...world.ports, now: () => world.now() + hourMs + (looks++ > 700 ? minuteMs : 0) };
      await checkAhead(ports, world.now() + hourMs + 30 * secondMs);
      if ((await Promise.all(ids.map(codes))).every((found) => found.length > 0)) break;
    }
    expect(runs).toBeGreaterThan(0);
    expect(runs).toBeLessThan(100);
    expect(world.questions).toHaveLength(before + 1);
  });

  it.each([
    ['a post', ({ values }: Sent) => values.includes(`POST#${world.workspaceId}#${onlyPost}`)],
    ['the pauses', ({ values }: Sent) => values.includes('PAUSES')],
    ['the account', ({ text }: Sent) => text.includes(`"ACCOUNT#${connected.account.id}"`)],
  ])('do not leave out a post because one read of %s fails', async (_name, isRead) => {
    onlyPost = await world.schedule(connected, dueMs);
    await world.advance(dueMs - 3 * hourMs, 30 * minuteMs);
    await limit(0);
    const { table } = world;
    let failures = 0;
    const client = {
      send: async (command: { input: { ExpressionAttributeValues?: Record<string, unknown> } }) => {
        const values = Object.values(command.input.ExpressionAttributeValues ?? {});
        if (failures === 0 && isRead({ values, text: JSON.stringify(command.input) })) {
          failures += 1;
          throw new Error('the table is not available');
        }
        return table.client.send(command as never);
      },
    };
    const ports = { ...world.ports, now: () => world.now() + 40 * minuteMs };
    await checkAhead(
      { ...ports, table: { ...table, readItems: undefined, client: client as never } as never },
      ports.now() + minuteMs,
    );
    expect(failures).toBe(1);
    expect(await codes(onlyPost)).toEqual(['quota_exhausted']);
  });

  it('work through an account with many posts in several runs', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 300; number += 1)
      ids.push(await world.schedule(connected, dueMs + number * 24 * hourMs));
    await world.change(accountKey(world.workspaceId, connected.account.id), { status: 'expired' });
    const key = riskCheckKey(world.workspaceId, `account#${connected.account.id}`);
    let runs = 0;
    for (; (await getItem(world.table, key)) !== undefined; runs += 1) {
      let looks = 0;
      const ports = { ...world.ports, now: () => world.now() + (looks++ > 300 ? minuteMs : 0) };
      await runRiskChecks(ports, world.now() + 30 * secondMs);
      expect(runs).toBeLessThan(100);
    }
    expect(runs).toBeGreaterThan(1);
    for (const id of ids) expect(await codes(id)).toEqual(['account_expired']);
    expect(world.reports).toEqual([]);
  });
});

describe('a day that fills up', () => {
  let ports: RiskPorts;
  let targets: Target[];

  /** Runs what the relay does about the limits when a target changes, and then the checks. */
  async function relay(before: Target | undefined, after: Target): Promise<void> {
    const limits = ports.dailyLimits;
    for (const effect of effectsOf(before, after, limits, [], accountLimits)) {
      if (effect.kind === 'settle places')
        for (const place of effect.places) await settlePlace(world.table, place);
      if (effect.kind === 'free time') await freeTime(world.table, effect.time);
      if (effect.kind === 'check posts') await putRiskCheck(world.table, effect.subject, world.now());
    }
    await runRiskChecks(ports, world.now() + minuteMs);
    for (const { postId } of targets) await rollUpPost(world.table, world.workspaceId, postId, world.now());
  }

  /** Schedules a post on the day that is full with two of them. */
  async function plan(changes: Partial<Target> = {}): Promise<string> {
    // Posts of the same millisecond have no order.
    await world.advance(world.now() + secondMs);
    const id = await world.schedule(connected, dueMs + targets.length * minuteMs, changes);
    const target = await findTarget(id);
    targets.push(target);
    if (takesTime(target)) await putItem(world.table, calendarEntryItem(target), unconditionally);
    await relay(undefined, target);
    return id;
  }

  const isFull = async ({ postId }: Target) => (await codes(postId)).includes('quota_exhausted');
  /** True for each of the posts, in the order in which they were planned, that may find the day full. */
  const risks = async () => Promise.all(targets.map(isFull));
  const withdraw = async (index: number) => {
    const before = targets[index] as Target;
    await relay(before, await updateTarget(world.table, before, { status: 'draft', wakeAt: null }, newId(1)));
  };

  async function openFull(platform: Platform): Promise<void> {
    await open(platform);
    targets = [];
    ports = {
      ...world.ports,
      dailyLimits: platform === 'youtube' ? dailyLimitsOf({ youtube: 2 }) : {},
      rulesFor: (name) =>
        Promise.resolve(rulesFor(name)).then((rules) => {
          if (!rules) throw new Error(`no rules for ${name}`);
          const { accountLimit, ...others } = rules;
          return { ...others, ...(accountLimit && { accountLimit: { ...accountLimit, posts: 2 } }) };
        }),
    };
  }

  it.each([
    ['the app', 'youtube', {}],
    ['the account', 'facebook', { options: { contentType: 'reel' } }],
  ] as const)(
    'for %s is a risk of its later posts at once, and until a post leaves it',
    async (_whose, platform, changes) => {
      await openFull(platform);
      for (const _post of [1, 2, 3]) await plan(changes);
      expect(await risks()).toEqual([false, false, true]);
      await withdraw(0);
      expect(await risks()).toEqual([false, false, false]);
    },
  );

  it('is looked through page by page, and the posts beyond it alone get a risk', async () => {
    await openFull('youtube');
    ports = { ...ports, dailyLimits: dailyLimitsOf({ youtube: 110 }) };
    for (let post = 0; post < 112; post += 1) {
      const target = await findTarget(await world.schedule(connected, dueMs + post * secondMs));
      targets.push(target);
      const [place] = effectsOf(undefined, target, ports.dailyLimits).flatMap((effect) =>
        effect.kind === 'settle places' ? effect.places : [],
      );
      if (place) await settlePlace(world.table, place);
    }
    await relay(undefined, targets.at(-1) as Target);
    const found = await risks();
    expect(found.filter(Boolean)).toHaveLength(2);
    const [first = -1, second = -1] = found.flatMap((isAtRisk, index) => (isAtRisk ? [] : [index]));
    await withdraw(first);
    await withdraw(second);
    expect(await risks()).not.toContain(true);
  });
});
