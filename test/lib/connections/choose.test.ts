import { beforeEach, describe, expect, it } from 'vitest';
import { listAccounts } from '../../../lib/accounts/read.ts';
import type { AuditEntry } from '../../../lib/audit/schemas.ts';
import { readAttempt } from '../../../lib/connections/attempts.ts';
import { confirmChoice, declineChoice, showChoice } from '../../../lib/connections/choose.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { connectionKey } from '../../../lib/table/keys.ts';
import { removed } from '../../../lib/table/update.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../support/connecting.ts';

const redirectUrl = 'https://app.example/done';

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => ['a', 'b', 'c'].map((id) => connectable(id, noon));
});

const arrive = () => fixture.arrive({ redirectUrl });
const show = (state: string, changes = {}) =>
  showChoice(fixture.context(), fixture.visit(state, fixture.browser, changes));
const choose = (state: string, ...ids: string[]) => fixture.choose(state, ids);
const connectedNames = async () =>
  (await listAccounts(fixture.context(), {})).accounts.map(({ username }) => username).sort();
const attempt = (state: string) => readAttempt(fixture.context(), state);

const log = () => auditLogOf(fixture.context().table, fixture.workspaceId);

/** Makes calls wait until this many have come. */
function barrier(calls: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come === calls) resolve();
    return promise;
  };
}

describe('the page to choose accounts', () => {
  it('names the workspace and has a checkbox for each account', async () => {
    const answer = answerTo(await show(await arrive()));
    expect(answer).toMatchObject({ status: 200 });
    const { html } = answer as { html: string };
    expect(html).toContain('<b><bdi>Harbour Coffee</bdi></b> will be able to publish as you');
    for (const id of ['a', 'b', 'c']) {
      expect(html).toContain(`<input type="checkbox" name="account" value="${id}">`);
      expect(html).toContain(`The ${id}`);
    }
  });

  it('is shown for a single account too, which is selected already', async () => {
    fixture.authorization.answers.exchange = async () => [connectable('a', noon)];
    const answer = answerTo(await show(await arrive()));
    expect(answer).toMatchObject({
      html: expect.stringContaining('<input type="checkbox" name="account" value="a" checked>'),
    });
    expect(await connectedNames()).toEqual([]);
  });

  it('counts an account that is listed twice only once', async () => {
    fixture.authorization.answers.exchange = async () => [connectable('a', noon), connectable('a', noon)];
    expect(await show(await arrive())).toMatchObject({ candidates: { length: 1 } });
  });

  it('connects nothing by itself, and stores no token in plain text', async () => {
    const state = await arrive();
    await show(state);
    const stored = await fixture.dump();
    expect(stored).not.toMatch(/"(ACCOUNT|TOKENS)#/);
    expect(stored).not.toContain('secret-');
    expect(stored).not.toContain(state);
    expect(fixture.authorization.asked).toEqual(['exchange code-1']);
  });
});

describe('confirming', () => {
  it('connects the chosen accounts', async () => {
    const outcome = await choose(await arrive(), 'a', 'c');
    expect(await connectedNames()).toEqual(['a', 'c']);
    const answer = answerTo(outcome);
    const back = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
    const ids = (await listAccounts(fixture.context(), {})).accounts.map(({ id }) => id);
    expect(back.searchParams.get('connected')?.split(',').sort()).toEqual(ids.sort());
    expect(fixture.authorization.asked).toEqual(['exchange code-1', 'afterConnect a', 'afterConnect c']);
  });

  it('shows a page with the workspace and the accounts if no redirectUrl was given', async () => {
    const outcome = await choose(await fixture.arrive(), 'a');
    expect(answerTo(outcome)).toMatchObject({
      status: 200,
      html: expect.stringMatching(/Harbour Coffee.*can now publish as.*The a \(YouTube\)/s),
    });
  });

  it('asks again if the choice is empty or names no offered account', async () => {
    const state = await arrive();
    for (const ids of [[], ['someone-else']]) {
      const answer = answerTo(await choose(state, ...ids));
      expect(answer).toMatchObject({ status: 400, html: expect.stringContaining('at least one account') });
    }
    expect(await connectedNames()).toEqual([]);
    expect(await choose(state, 'b')).toMatchObject({ kind: 'connected' });
  });

  it('connects at most as many accounts at a time as fit in one transaction', async () => {
    const many = Array.from({ length: 25 }, (_, index) => `page-${index}`);
    fixture.authorization.answers.exchange = async () =>
      many.map((id) => connectable(id, noon, { loginId: 'person' }));
    const state = await arrive();
    expect(await choose(state, ...many)).toMatchObject({
      kind: 'choose',
      problem: expect.stringMatching(/24/),
    });
    expect(await choose(state, ...many.slice(1))).toMatchObject({ kind: 'connected' });
    expect(await connectedNames()).toHaveLength(24);
  });

  it('gives each account the externalId of the attempt', async () => {
    const state = await fixture.arrive({ externalId: 'customer-17' });
    await choose(state, 'a');
    expect(await attempt(state)).toMatchObject({ externalId: 'customer-17', accounts: [{ username: 'a' }] });
    expect(await fixture.items()).toContainEqual(
      expect.objectContaining({ kind: 'account', externalId: 'customer-17' }),
    );
  });

  const again = { kind: 'unusable', why: 'completed' };
  const sentBackAgain = async (state: string) => {
    const connected = (await attempt(state)).accounts.map(({ id }) => id).join(',');
    expect(connected).not.toBe('');
    return { kind: 'confirmed before', redirectUrl, result: { connected } };
  };

  it('works once', async () => {
    const state = await arrive();
    await choose(state, 'a');
    expect(await choose(state, 'b')).toEqual(await sentBackAgain(state));
    expect(await show(state)).toEqual(again);
    expect(await connectedNames()).toEqual(['a']);
  });

  it('again shows only a page if no redirectUrl was given, the step is over, or another browser asks', async () => {
    const withoutUrl = await fixture.arrive();
    await choose(withoutUrl, 'a');
    expect(await choose(withoutUrl, 'a')).toEqual(again);
    const state = await arrive();
    await choose(state, 'a');
    const stranger = { kind: 'unusable', why: 'other browser' };
    expect(await fixture.choose(state, ['a'], { secret: 'x'.repeat(43) })).toEqual(stranger);
    fixture.clock.time += 10 * minuteMs;
    expect(await choose(state, 'a')).toEqual(again);
  });

  it('works once if the form is sent several times concurrently', async () => {
    const state = await arrive();
    const outcomes = await Promise.all(['a', 'b', 'c', 'a', 'b'].map((id) => choose(state, id)));
    expect(outcomes.filter(({ kind }) => kind === 'connected')).toHaveLength(1);
    expect(await connectedNames()).toHaveLength(1);
  });

  it('twice at the same time gets the same redirect twice', async () => {
    const state = await arrive();
    const bothArrived = barrier(2);
    fixture.authorization.answers.afterConnect = bothArrived;
    const outcomes = await Promise.all([choose(state, 'a'), choose(state, 'a')]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['confirmed before', 'connected']);
    const [first, second] = outcomes.map(answerTo);
    expect(first).toHaveProperty('redirectTo');
    expect(second).toEqual(first);
  });

  it('can be repeated if the platform failed, because nothing was connected', async () => {
    const state = await arrive();
    fixture.authorization.answers.afterConnect = async ({ platformAccountId }) => {
      if (platformAccountId === 'b') throw new PlatformError('rejected', 'Page b is <locked>');
    };
    const failed = await choose(state, 'a', 'b');
    expect(failed).toMatchObject({
      kind: 'choose',
      problem: 'Nothing was connected: YouTube refused an account. Try again, or choose other accounts.',
    });
    expect(fixture.warned).toMatchObject([{ reason: 'Page b is <locked>' }]);
    expect(await connectedNames()).toEqual([]);
    expect(await choose(state, 'a')).toMatchObject({ kind: 'connected' });
  });

  it('writes the accounts and the status of the attempt in one transaction', async () => {
    const state = await arrive();
    const { table } = fixture.context();
    const send = table.client.send.bind(table.client);
    let writes = 0;
    Object.assign(table.client, {
      send: async (command: { constructor: { name: string } }) => {
        const result = await send(command as never);
        // The process dies right after the commit.
        if (command.constructor.name === 'TransactWriteCommand') {
          writes += 1;
          throw new Error('killed');
        }
        return result;
      },
    });
    const problem = 'Something went wrong on our side. Try again.';
    expect(await choose(state, 'a', 'b')).toMatchObject({ kind: 'choose', problem });
    Object.assign(table.client, { send });
    expect(writes).toBe(1);
    expect(await attempt(state)).toMatchObject({
      status: 'connected',
      accounts: [{ username: 'a' }, { username: 'b' }],
    });
    expect(await choose(state, 'c')).toEqual(await sentBackAgain(state));
  });

  it('has one entry in the audit log, in the name of who began the attempt', async () => {
    const state = await arrive();
    fixture.clock.time += secondMs;
    await choose(state, 'a', 'b');
    await choose(state, 'a', 'b');
    const { accounts } = await attempt(state);
    const [begun, connected, ...others] = await log();
    expect(others).toEqual([]);
    expect(begun).toMatchObject({ verb: 'account.connect', subjectId: sha256(state), outcome: 'done' });
    const { actor, verb, subjectId, requestId, outcome } = begun as AuditEntry;
    expect(connected).toEqual({
      id: expect.any(String),
      at: toTimestamp(fixture.clock.time),
      ...{ actor, verb, subjectId, subjectName: 'YouTube', requestId, outcome },
      accountIds: accounts.map(({ id }) => id),
    });
    expect(JSON.stringify(await log())).not.toContain(state);
  });

  it('has no entry if an earlier release began the attempt, because nobody knows who did', async () => {
    const state = await arrive();
    const { table } = fixture.context();
    const key = connectionKey(sha256(state));
    await updateItem(table, key, { set: { begunBy: removed }, if: { pk: present } });
    expect((await choose(state, 'a')).kind).toBe('connected');
    expect(await log()).toHaveLength(1);
  });

  it('removes the tokens of the other accounts', async () => {
    const state = await arrive();
    expect(await fixture.dump()).toContain('"candidates"');
    await choose(state, 'a');
    expect(await fixture.dump()).not.toContain('"candidates"');
  });
});

describe('declining on our page', () => {
  const decline = (state: string) => declineChoice(fixture.context(), fixture.visit(state));

  it('ends the attempt and removes the tokens', async () => {
    const state = await arrive();
    expect(answerTo(await decline(state))).toEqual({ redirectTo: `${redirectUrl}?error=access_denied` });
    expect(await attempt(state)).toMatchObject({ status: 'refused', error: 'access_denied', accounts: [] });
    expect(await fixture.dump()).not.toContain('"candidates"');
    expect(await choose(state, 'a')).toEqual({ kind: 'unusable', why: 'used' });
  });

  it('comes too late after confirming', async () => {
    const state = await arrive();
    await choose(state, 'a');
    expect(await decline(state)).toEqual({ kind: 'unusable', why: 'completed' });
    expect(await attempt(state)).toMatchObject({ status: 'connected' });
  });
});

describe('a choice', () => {
  it('expires ten minutes after the return from the platform', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    fixture.clock.time += 9 * minuteMs;
    await fixture.leave(state);
    await fixture.comeBack({ state, code: 'code-1' });
    fixture.clock.time += 9 * minuteMs;
    expect(await show(state)).toMatchObject({ kind: 'choose' });
    fixture.clock.time += minuteMs;
    const expired = { kind: 'unusable', why: 'expired' };
    expect(await show(state)).toEqual(expired);
    expect(await choose(state, 'a')).toEqual(expired);
    expect(await connectedNames()).toEqual([]);
    fixture.clock.time += 30 * secondMs;
    expect(await attempt(state)).toMatchObject({ status: 'expired', accounts: [] });
  });

  it('can only be found by its own state', async () => {
    const { state: pending } = await fixture.begin();
    const state = await arrive();
    for (const forged of ['', `${state}x`, state.slice(1), 'CONNECTION']) {
      expect(await choose(forged, 'a')).toEqual({ kind: 'unusable', why: 'unknown' });
    }
    expect(await choose(pending, 'a')).toEqual({ kind: 'unusable', why: 'other browser' });
    expect(await connectedNames()).toEqual([]);
  });

  it('cannot be used before the browser has returned', async () => {
    const { state } = await fixture.begin();
    await fixture.leave(state);
    expect(await choose(state, 'a')).toEqual({ kind: 'unusable', why: 'used' });
  });

  it('cannot be used at the URL of another platform', async () => {
    expect(await show(await arrive(), { platform: 'instagram' })).toEqual({
      kind: 'unusable',
      why: 'wrong platform',
    });
  });

  it('is shown to no browser but its own, and confirmed by no other', async () => {
    const state = await arrive();
    for (const browserSecret of [undefined, '', 'x'.repeat(43)]) {
      const refused = { kind: 'unusable', why: 'other browser' };
      expect(await show(state, { browserSecret })).toEqual(refused);
      expect(await fixture.choose(state, ['a'], { secret: browserSecret })).toEqual(refused);
    }
    expect(await connectedNames()).toEqual([]);
  });

  it('is not confirmed or declined by a form that another site sent', async () => {
    const state = await arrive();
    const visit = fixture.visit(state, fixture.browser, { isSameOrigin: false });
    const refused = { kind: 'unusable', why: 'foreign form' };
    expect(await confirmChoice(fixture.context(), visit, ['a'])).toEqual(refused);
    expect(await declineChoice(fixture.context(), visit)).toEqual(refused);
    expect(await connectedNames()).toEqual([]);
    expect(await attempt(state)).toMatchObject({ status: 'choosing' });
  });
});
