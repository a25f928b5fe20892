import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../lib/access/actor.ts';
import { listAccounts } from '../../../lib/accounts/read.ts';
import { readAttempt } from '../../../lib/connections/attempts.ts';
import { beginConnection } from '../../../lib/connections/begin.ts';
import { claimAttempt } from '../../../lib/connections/claim.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import type { BeginConnectionBody } from '../../../lib/connections/schemas.ts';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { setRedirectHosts } from '../../../lib/workspaces/manage.ts';
import { anOperator } from '../../support/acts.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture, platform } from '../../support/connecting.ts';
import { aPerson } from '../../support/members.ts';

const panelOrigin = 'https://panel.example';
const redirectUrl = `${panelOrigin}/accounts?connecting=youtube`;
const ada = aPerson({ role: 'member' });
const inAnotherSession = aPerson({ role: 'member', sessionId: newId(noon) });
const bob = aPerson({ id: '7a6d0b1c-09cd-8a6c-9a3e-0c4ff8f4a102', sessionId: newId(noon) });
const key: Actor = { kind: 'key', id: newId(noon) };
const ofLimitedKey: Actor = { kind: 'key', id: ada.id, permissions: ['connect'] };

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('a', noon)];
});

const by = (actor: Actor) => ({ ...fixture.context(), actor, panelOrigin });
const begin = (actor: Actor, body: BeginConnectionBody) => beginConnection(by(actor), platform, body);
const accounts = async () => (await listAccounts(fixture.context(), {})).accounts;
const unknown = { code: 'not_found', message: 'attempt not found' };

/** Begins, confirms on our pages, and takes what the browser brings back to the panel. */
async function confirm(actor: Actor): Promise<{ state: string; code: string; returnedTo: URL }> {
  const { state } = await begin(actor, { claim: true, redirectUrl });
  await fixture.leave(state);
  await fixture.comeBack({ state, code: 'code-1' });
  fixture.clock.time += minuteMs;
  const answer = answerTo(await fixture.choose(state, ['a']));
  const returnedTo = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
  return { state, code: returnedTo.searchParams.get('code') ?? '', returnedTo };
}

describe('a connection that a person begins', () => {
  it('returns to the panel, and is connected when the same session claims it', async () => {
    const { state, code, returnedTo } = await confirm(ada);
    expect(returnedTo.href.startsWith(redirectUrl)).toBe(true);
    expect(await readAttempt(by(ada), state)).toMatchObject({ status: 'choosing' });
    expect(await claimAttempt(by(ada), state, code)).toMatchObject({ status: 'connected' });
    expect(await accounts()).toMatchObject([{ username: 'a' }]);
    expect(await readAttempt(by(ada), state)).toMatchObject({ status: 'connected' });
    const actor = { kind: 'person', id: ada.id };
    expect(await auditLogOf(fixture.context().table, fixture.workspaceId)).toMatchObject([
      { verb: 'account.connect', actor },
      { verb: 'account.connect', actor, accountIds: [expect.any(String)] },
    ]);
  });

  it.each([
    ['another session of the same person', inAnotherSession],
    ['another person', bob],
    ['an API key', key],
    ['an API key whose id is the person’s', ofLimitedKey],
  ])('does not exist for %s', async (_who, actor) => {
    const { state, code } = await confirm(ada);
    await expect(readAttempt(by(actor), state)).rejects.toMatchObject(unknown);
    await expect(claimAttempt(by(actor), state, code)).rejects.toMatchObject(unknown);
    expect(await accounts()).toEqual([]);
  });

  it.each([
    ['without claim', 'claim', { redirectUrl }],
    ['with claim: false', 'claim', { redirectUrl, claim: false }],
    ['without redirectUrl', 'redirectUrl', { claim: true }],
    ['to another host', 'redirectUrl', { claim: true, redirectUrl: 'https://evil.example/accounts' }],
    ['to another port', 'redirectUrl', { claim: true, redirectUrl: 'https://panel.example:8443/' }],
    [
      'to a host that begins alike',
      'redirectUrl',
      { claim: true, redirectUrl: 'https://panel.example.evil.example/' },
    ],
    ['to the API', 'redirectUrl', { claim: true, redirectUrl: 'https://api.example/' }],
  ])('is refused %s, naming the field', async (_what, param, body) => {
    await expect(begin(ada, body)).rejects.toMatchObject({ kind: 'invalid', param });
  });

  it('is refused if nobody knows the panel’s origin', async () => {
    const begun = beginConnection({ ...fixture.context(), actor: ada }, platform, {
      claim: true,
      redirectUrl,
    });
    await expect(begun).rejects.toMatchObject({ param: 'redirectUrl' });
  });

  it('needs no entry for the panel in the hosts that the operator allows, and those are not for persons', async () => {
    const operator = anOperator(fixture.context().table, noon, 'workspace.set-redirect-hosts');
    await setRedirectHosts(operator, { workspaceId: fixture.workspaceId, hosts: ['app.example'] });
    expect(await begin(ada, { claim: true, redirectUrl })).toMatchObject({ state: expect.any(String) });
    const elsewhere = { claim: true, redirectUrl: 'https://app.example/' };
    expect(await begin(key, elsewhere)).toMatchObject({ state: expect.any(String) });
    await expect(begin(ada, elsewhere)).rejects.toMatchObject({ code: 'redirect_host_not_allowed' });
    await expect(begin(key, { redirectUrl })).rejects.toMatchObject({ code: 'redirect_host_not_allowed' });
  });
});

it('a connection that an API key begins does not exist for a person', async () => {
  const { state, code } = await confirm(key);
  await expect(readAttempt(by(ada), state)).rejects.toMatchObject(unknown);
  await expect(claimAttempt(by(ada), state, code)).rejects.toMatchObject(unknown);
  expect(await claimAttempt(by(key), state, code)).toMatchObject({ status: 'connected' });
});
