import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getItem } from '../../../../lib/table/items.ts';
import { privateReplyCapKey } from '../../../../lib/table/keys.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  const [table, opened] = await Promise.all([createTestTable(), openInstagram()]);
  instagram = opened;
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());

let people = 0;
let name = '';
beforeEach(() => {
  people += 1;
  name = `late.${people}`;
});

const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
const lost = ['drop-reply', 'timeout-after', 'error-after:2'];
const lags = [0, 30, 120, 'forever'] as const;

async function countedReplies(): Promise<number> {
  const { platform, platformAccountId } = fixture.account;
  const cap = await getItem(fixture.ports.table, privateReplyCapKey(platform, platformAccountId));
  return Number(cap?.['total'] ?? 0);
}

describe.each(lags)('if Instagram’s lists lag by %s seconds', (readLagSeconds) => {
  beforeEach(() => instagram.put('settings', { readLagSeconds }));
  const found = readLagSeconds === 'forever' ? 'unknown' : 'done';

  it.each(lost)('a public reply whose response is lost (%s) is not posted twice', async (fault) => {
    const automation = await fixture.automation({ dmMessage: null });
    const comment = await fixture.comment(automation, name);
    await instagram.plan('replies', fault);
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
    expect(action?.state).toBe(found);
  });

  it.each(lost)('a private reply whose response is lost (%s) is not sent twice', async (fault) => {
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    await instagram.plan('messages', fault);
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(action?.state).toBe(found);
  });

  it.each(lost)('a message whose response is lost (%s) is not sent twice', async (fault) => {
    const automation = await fixture.automation({ commentReply: null, followGate });
    await instagram.act('follows', { username: name, follows: true });
    await fixture.comment(automation, name);
    await fixture.runToEnd(automation);
    await (await fixture.tap((await fixture.messagesTo(name))[0]))();
    await instagram.plan('messages', fault);
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(2);
    expect(action?.state).toBe(found);
  });

  it('a private reply that never arrived is sent by a repeated call', async () => {
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'timeout');
    const before = await countedReplies();
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(action?.state).toBe('done');
    // Both calls count towards the cap of private replies.
    expect((await countedReplies()) - before).toBe(2);
  });
});

describe('if no lookup shows a trace of', () => {
  beforeEach(() => instagram.put('settings', { readLagSeconds: 'forever' }));
  const sends = async () =>
    (await instagram.list('requests')).filter(({ operation }) => operation === 'messages').length;

  it('a private reply, the call is repeated once if Instagram refuses the second for good', async () => {
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'drop-reply');
    const before = await sends();
    const [action] = await fixture.runToEnd(automation);
    expect((await sends()) - before).toBe(2);
    expect(action?.calls).toMatchObject([{ outcome: 'repeated' }, { outcome: 'unknown' }]);
    expect(action?.error).toMatch(/^outcome unknown, so it is not sent again: check the conversation with/);
    expect(await fixture.counts(automation.id)).toMatchObject({ messages: 0, failures: 1 });
  });

  it('a private reply, the call is repeated later if Instagram refuses the second for now', async () => {
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'timeout');
    await fixture.work();
    await instagram.plan('messages', 'rate-limit');
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(action?.calls?.map(({ outcome }) => outcome)).toEqual(['absent', 'absent', 'live']);
  });

  it('a private reply, the call is not repeated for an automation that is switched off', async () => {
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'timeout');
    await fixture.work();
    await fixture.rewrite({ ...automation, isActive: false });
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toEqual([]);
    expect(action).toMatchObject({ state: 'unknown', error: expect.stringContaining('switched off') });
  });

  it('a public reply, the error says where to look', async () => {
    const automation = await fixture.automation({ dmMessage: null });
    const comment = await fixture.comment(automation, name);
    await instagram.plan('replies', 'timeout');
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.repliesTo(comment)).toEqual([]);
    expect(action?.error).toBe(
      'outcome unknown, so it is not sent again: check the replies to the comment on Instagram',
    );
  });

  it('a question, a tap settles it', async () => {
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'drop-reply');
    await fixture.runToEnd(automation);
    await instagram.act('follows', { username: name, follows: true });
    await (await fixture.tap((await fixture.messagesTo(name))[0]))();
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(2);
    expect(action).toMatchObject({ state: 'done', stage: 'closed' });
    expect(action?.calls?.map(({ outcome }) => outcome)).toEqual(['absent', 'live', 'live']);
  });
});

describe('the records of calls', () => {
  beforeEach(() => instagram.put('settings', { readLagSeconds: 0 }));

  it('are kept for the whole conversation, with the id of each message', async () => {
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await fixture.work();
    for (let taps = 0; taps < 3; taps += 1) {
      await (await fixture.tap((await fixture.messagesTo(name)).at(-1)))();
      await fixture.work();
    }
    const [action] = await fixture.actions(automation.id);
    const ids = (await fixture.messagesTo(name)).map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(action?.calls).toMatchObject(ids.map((id) => ({ outcome: 'live', token: { id } })));
  });

  it('distinguish a message from an earlier one with the same text', async () => {
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await fixture.work();
    for (let taps = 0; taps < 2; taps += 1) {
      await (await fixture.tap((await fixture.messagesTo(name)).at(-1)))();
      await fixture.work();
    }
    await instagram.plan('messages', 'timeout');
    await (await fixture.tap((await fixture.messagesTo(name)).at(-1)))();
    const [action] = await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(3);
    expect(action?.state).toBe('unknown');
  });
});
