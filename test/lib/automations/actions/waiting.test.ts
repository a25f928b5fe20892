import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markAccount } from '../../../../lib/accounts/store.ts';
import { actionKey } from '../../../../lib/automations/actions/store.ts';
import { countUpdate } from '../../../../lib/automations/counts.ts';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { endPause, putPause } from '../../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import { accountKey, automationKey, inboundPartition, type Key } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { transact } from '../../../../lib/table/transaction.ts';
import { operatorAct } from '../../../support/acts.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  fixture = await openFixture(table, instagram);
  automation = await fixture.automation();
  name = `waiting.${++people}`;
});
afterAll(() => instagram.close());

let people = 0;
let name: string;
let automation: Automation;
const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };

const set = ({ pk, sk }: Key, attribute: string, value: unknown) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: value === undefined ? 'REMOVE #a' : 'SET #a = :v',
      ExpressionAttributeNames: { '#a': attribute },
      ...(value !== undefined && { ExpressionAttributeValues: { ':v': value } }),
    }),
  );
const account = () => accountKey(fixture.workspaceId, fixture.account.id);
const operator = () => ({ ...operatorAct('pause.begin'), table, now: fixture.clock.now() });
const platform = { kind: 'platform', platform: 'instagram' } as const;

interface Obstacle {
  readonly code: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

/** Temporary conditions that keep anything from being sent. */
const obstacles: Obstacle[] = [
  {
    code: 'account_expired',
    begin: () => markAccount(table, fixture.account, 'expired', 'withdrawn', fixture.clock.now()),
    end: () => set(account(), 'status', 'ok'),
  },
  {
    code: 'account_disconnected',
    begin: () => set(account(), 'disconnectedAt', '2026-01-01T00:00:00.000Z'),
    end: () => set(account(), 'disconnectedAt', undefined),
  },
  {
    code: 'automation_off',
    begin: () => fixture.rewrite({ ...automation, isActive: false }),
    end: () => fixture.rewrite(automation),
  },
  {
    code: 'paused',
    begin: () => putPause(operator(), { scope: platform, reason: 'an incident' }),
    end: () => endPause(operator(), platform),
  },
  {
    code: 'feature_off',
    begin: async () => Object.assign(fixture.ports, { stageFeatures: { instagram: ['publish'] } }),
    end: async () => Object.assign(fixture.ports, { stageFeatures: {} }),
  },
];

const pass = (milliseconds: number) => fixture.pass(automation, milliseconds);
/** The notes about actions that wait. */
const notes = async () => {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :partition AND begins_with(sk, :wait)',
      ExpressionAttributeValues: {
        ':partition': inboundPartition(fixture.workspaceId, fixture.account.id),
        ':wait': 'WAIT#',
      },
    }),
  );
  return Items;
};

describe.each(obstacles)('while $code', ({ code, begin, end }) => {
  it('a reply and a message wait, and go out with the first sweep after it ends', async () => {
    const comment = await fixture.comment(automation, name);
    await begin();
    expect(await fixture.work()).toEqual(['waiting', 'waiting']);
    await pass(26 * hourMs);
    expect(await notes()).toHaveLength(2);
    expect(await fixture.actions(automation.id)).toMatchObject([
      { state: 'waiting', waitsFor: code, failures: 0 },
      { state: 'waiting', waitsFor: code, failures: 0 },
    ]);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: { [code]: 1 }, failures: 0 });
    await end();
    fixture.clock.time += minuteMs;
    await fixture.sweep();
    await fixture.work();
    expect(await notes()).toEqual([]);
    expect([await fixture.repliesTo(comment), await fixture.messagesTo(name)]).toMatchObject([[{}], [{}]]);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: {}, failures: 0, messages: 1 });
  });

  // Also what an earlier release has put off.
  it('without notes, a reply and a message wait, and go out once within about an hour after it ends', async () => {
    const comment = await fixture.comment(automation, name);
    await begin();
    await fixture.work();
    await pass(hourMs);
    await end();
    for (const { pk, sk } of await notes())
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    await pass(hourMs + 20 * minuteMs);
    expect([await fixture.repliesTo(comment), await fixture.messagesTo(name)]).toMatchObject([[{}], [{}]]);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: {}, failures: 0, messages: 1 });
  });

  it('both fail after seven days with what stopped them, not earlier', async () => {
    const comment = await fixture.comment(automation, name);
    const begunMs = fixture.clock.now();
    await begin();
    for (const state of ['waiting', 'failed']) {
      instagram.advance(
        (begunMs + 7 * dayMs - fixture.clock.now()) / 1_000 - (state === 'waiting' ? 600 : 0),
      );
      await fixture.sweepAt(fixture.clock.now() + hourMs);
      await fixture.work();
      for (const action of await fixture.actions(automation.id)) {
        expect(action.state).toBe(state);
        if (state === 'waiting')
          expect(Date.parse(action.wakeAt ?? '')).toBeLessThanOrEqual(begunMs + 7 * dayMs);
        else expect(action.errorCode).toBe(code);
      }
    }
    expect(await fixture.repliesTo(comment)).toEqual([]);
    expect(await fixture.counts(automation.id)).toMatchObject({
      failures: 2,
      failuresByCode: { [code]: 2 },
      waiting: {},
    });
  });
});

// What people write to a disconnected account is not stored.
describe.each(obstacles.filter(({ code }) => code !== 'account_disconnected'))(
  'while $code',
  ({ code, begin, end }) => {
    it('a tap is stored, and its message goes out within 24 hours of the latest tap or fails with the reason', async () => {
      automation = await fixture.automation({ commentReply: null, followGate });
      await fixture.comment(automation, name);
      await fixture.work();
      await instagram.act('follows', { username: name, follows: true });
      const [question] = await fixture.messagesTo(name);
      await begin();
      await (await fixture.tap(question))();
      expect(await fixture.work()).toEqual(['waiting']);
      await pass(20 * hourMs);
      // Another tap lets the platform accept the message for longer.
      await (await fixture.tap(question))();
      await pass(20 * hourMs);
      expect(await fixture.actions(automation.id)).toMatchObject([{ state: 'waiting', waitsFor: code }]);
      await pass(5 * hourMs);
      expect(await fixture.actions(automation.id)).toMatchObject([
        { state: 'failed', stage: 'gated', errorCode: code },
      ]);
      await end();
      await (await fixture.tap(question))();
      await fixture.work();
      expect((await fixture.messagesTo(name)).map(({ text }) => text)).toEqual([
        'Tap',
        expect.stringMatching(/^Here it is/),
      ]);
      expect(await fixture.counts(automation.id)).toMatchObject({
        failures: 0,
        failuresByCode: {},
        waiting: {},
      });
    });
  },
);

it.each([
  [['publish', 'comments'], { replies: 1, messages: 0, waiting: { feature_off: 1 } }],
  [['publish', 'messages'], { replies: 0, messages: 1, waiting: {} }],
  [['publish', 'comments', 'messages'], { replies: 1, messages: 1, waiting: {} }],
] as const)(
  'a stage with %j sends what these features allow, and the rest waits',
  async (instagram, sent) => {
    await fixture.comment(automation, name);
    await fixture.work({ ...fixture.ports, stageFeatures: { instagram } });
    const { replies, messages, waiting, failures } = await fixture.counts(automation.id);
    expect({ replies, messages, waiting, failures }).toEqual({ ...sent, failures: 0 });
  },
);

it('while an automation is off, new comments are not matched', async () => {
  await fixture.rewrite({ ...automation, isActive: false });
  await fixture.comment(automation, name);
  expect(await fixture.actions(automation.id)).toEqual([]);
});

it('what waits fails at once if the automation is deleted', async () => {
  await fixture.comment(automation, name);
  await fixture.rewrite({ ...automation, isActive: false });
  await fixture.work();
  const Key = automationKey(automation.workspaceId, automation.id);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  await pass(20 * minuteMs);
  expect(await fixture.actions(automation.id)).toMatchObject([
    { state: 'failed', errorCode: 'automation_deleted' },
    { state: 'failed', errorCode: 'automation_deleted' },
  ]);
});

describe('a call that the platform refuses because of the account', () => {
  it.each([
    ['error:190', 'account_expired'],
    ['error:25/2207050', 'account_restricted'],
    ['error:368', 'account_restricted'],
  ])('(%s) waits, and is sent once the account may send again', async (fault, code) => {
    automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    await instagram.plan('messages', fault);
    expect(await fixture.work()).toEqual(['waiting']);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: { [code]: 1 }, failures: 0 });
    expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'done' }]);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: {}, failures: 0 });
  });

  it('fails in the end with the code of the refusal, and keeps few records of calls', async () => {
    automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    const real = fixture.ports.commentPlatformFor('instagram');
    if (!real) throw new Error('no platform');
    const sendPrivateReply = () => Promise.reject(new PlatformError('restricted', 'restricted'));
    const restricted = { ...fixture.ports, commentPlatformFor: () => ({ ...real, sendPrivateReply }) };
    const looks = await fixture.pass(automation, 7 * dayMs + hourMs, restricted);
    expect(looks.length).toBeGreaterThan(150);
    const [action] = await fixture.actions(automation.id);
    expect(action).toMatchObject({ state: 'failed', stage: 'opening', errorCode: 'account_restricted' });
    expect(action?.calls?.length).toBeLessThanOrEqual(50);
  });
});

it('an interrupted call is looked up while the account is expired, and does not become unknown early', async () => {
  automation = await fixture.automation({ commentReply: null });
  await fixture.comment(automation, name);
  await instagram.plan('messages', 'drop-reply');
  expect(await fixture.work()).toEqual(['intended']);
  await markAccount(table, fixture.account, 'expired', 'withdrawn', fixture.clock.now());
  const expired = {
    ...fixture.ports,
    accessToken: () => Promise.reject(new PlatformError('reauthorise', 'expired')),
  };
  instagram.advance(2);
  await fixture.work(expired);
  expect(await fixture.actions(automation.id)).toMatchObject([
    { state: 'intended', waitsFor: 'account_expired' },
  ]);
  expect(await fixture.counts(automation.id)).toMatchObject({ waiting: { account_expired: 1 } });
  await set(account(), 'status', 'ok');
  expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'done' }]);
  expect(await fixture.messagesTo(name)).toHaveLength(1);
});

describe('under a full hourly cap', () => {
  const onePlace = (): Fixture['ports'] => ({ ...fixture.ports, privateRepliesPerHour: 1 });
  /** The platform refuses each private reply. */
  const refusing = (error: PlatformError): Fixture['ports'] => {
    const real = fixture.ports.commentPlatformFor('instagram');
    if (!real) throw new Error('no platform');
    const sendPrivateReply = () => Promise.reject(error);
    return { ...onePlace(), commentPlatformFor: () => ({ ...real, sendPrivateReply }) };
  };
  const lookAfter = async (minutes: number, ports = onePlace()) => {
    instagram.advance(minutes * 60);
    await fixture.sweep();
    return fixture.work(ports);
  };
  beforeEach(async () => {
    automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
  });

  it('operators get the reason for each time that a message is put off, and nothing once it is sent', async () => {
    const reasons: string[] = [];
    const counting = (ports: Fixture['ports']) => ({
      ...ports,
      onPutOff: (reason: string) => void reasons.push(reason),
    });
    await fixture.work(counting(refusing(new PlatformError('retry', 'temporarily unavailable'))));
    await lookAfter(2, counting(onePlace()));
    await lookAfter(7 * 60, counting(onePlace()));
    expect(reasons).toEqual(['platform_unavailable', 'hourly_limit']);
  });

  it('a message that waits for a place keeps its full time for transient failures', async () => {
    const failing = refusing(new PlatformError('retry', 'temporarily unavailable'));
    expect(await fixture.work(failing)).toEqual(['waiting']);
    expect(await fixture.actions(automation.id)).toMatchObject([{ failures: 1 }]);
    await lookAfter(2);
    expect(await fixture.actions(automation.id)).toMatchObject([{ waitsFor: 'hourly_limit', failures: 0 }]);
    expect(await lookAfter(7 * 60, failing)).toEqual(['waiting']);
    expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'done' }]);
  });

  it.each([
    ['a restriction of the account', new PlatformError('restricted', 'restricted')],
    ['a missing permission', new PlatformError('restricted', 'restricted', { concerns: 'feature' })],
  ])('a message that looks whether %s has ended takes no place', async (_title, refusal) => {
    expect(await fixture.work(refusing(refusal))).toEqual(['waiting']);
    for (let looks = 0; looks < 3; looks += 1)
      expect(await lookAfter(10, refusing(refusal))).toEqual(['waiting']);
    expect(await fixture.counts(automation.id)).not.toMatchObject({ waiting: { hourly_limit: 1 } });
    expect(await lookAfter(10)).toEqual(['done']);
    // The message itself has taken the place.
    await fixture.comment(automation, `${name}.next`);
    expect(await fixture.work(onePlace())).toEqual(['waiting']);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: { hourly_limit: 1 } });
  });

  it('a message for which no token can be had takes no place', async () => {
    const accessToken = () => Promise.reject(new PlatformError('retry', 'the login does not answer'));
    const failing = { ...onePlace(), accessToken };
    expect(await fixture.work(failing)).toEqual(['waiting']);
    for (let looks = 0; looks < 3; looks += 1) expect(await lookAfter(2, failing)).toEqual(['waiting']);
    expect(await lookAfter(2)).toEqual(['done']);
  });
});

describe('during a deployment, an action that an earlier release has gone on with', () => {
  const onAction = async (attribute: string, value: unknown) => {
    const [action] = await fixture.actions(automation.id);
    if (!action) throw new Error('no action');
    await set(actionKey(action), attribute, value);
  };
  beforeEach(async () => {
    automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
  });

  it('no longer counts as waiting for the hourly limit if that release has ended the wait', async () => {
    // That release has counted the wait back, and knows only `awaitsCap`.
    await onAction('waitsFor', 'hourly_limit');
    await fixture.work();
    await fixture.comment(automation, `${name}.next`);
    await fixture.work({ ...fixture.ports, privateRepliesPerHour: 1 });
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: { hourly_limit: 1 }, messages: 1 });
  });

  it('no longer counts as waiting for the hourly limit if it waited for something else before', async () => {
    await fixture.rewrite({ ...automation, isActive: false });
    await fixture.work();
    await onAction('awaitsCap', true);
    const [action] = await fixture.actions(automation.id);
    if (!action) throw new Error('no action');
    const counted = countUpdate(table, automation.id, action.commentId, { waiting: { hourly_limit: 1 } });
    await transact(table, [counted]);
    await fixture.rewrite({ ...automation, isActive: true });
    await pass(hourMs);
    const { waiting, messages } = await fixture.counts(automation.id);
    expect({ waiting, messages }).toEqual({ waiting: {}, messages: 1 });
  });
});
