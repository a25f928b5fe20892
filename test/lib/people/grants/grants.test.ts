import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PersonActor } from '../../../../lib/access/actor.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { findGrantCaller } from '../../../../lib/people/grants/find-caller.ts';
import { revokeToken } from '../../../../lib/people/grants/redeem.ts';
import { accessMs, codeMs, repeatMs } from '../../../../lib/people/grants/schemas.ts';
import { readToken } from '../../../../lib/people/grants/tokens.ts';
import { listPanelKeys, revokePanelKey, rotatePanelKey } from '../../../../lib/people/keys.ts';
import { changeRole, removeMember } from '../../../../lib/people/members/change.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { deleteItem } from '../../../../lib/table/items.ts';
import { auditPartition, grantKey } from '../../../../lib/table/keys.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { KeyUses } from '../../../../lib/workspaces/key-use.ts';
import { setKeyRateLimit, setWorkspaceRateLimit } from '../../../../lib/workspaces/rate-limits.ts';
import { permissionsOf } from '../../../../lib/workspaces/schemas.ts';
import { resumeWorkspace, suspendWorkspace } from '../../../../lib/workspaces/suspension.ts';
import { anOperator } from '../../../support/acts.ts';
import { publicBaseUrl } from '../../../support/api.ts';
import { openWorkspace, startMs, storeAccount } from '../../../support/builders.ts';
import {
  askedFor,
  clientId,
  giveAccess,
  redeem,
  redeemPorts,
  refresh,
  resource,
  tokensIn,
} from '../../../support/grants.ts';
import { aPerson } from '../../../support/members.ts';
import { storeMember } from '../../../support/people.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let workspaceId: string;
let memberId: string;
const actor = aPerson();
beforeEach(async () => {
  workspaceId = (await openWorkspace(table)).context.workspaceId;
  memberId = (await storeMember(table, workspaceId, { personId: actor.id, role: 'owner' })).member.id;
});

const context = (now = startMs) => ({ ...anOperator(table, now, 'key.create'), actor, workspaceId });
const give = (given: Parameters<typeof giveAccess>[2] = {}) => giveAccess(table, workspaceId, given);
const connect = async (given: Parameters<typeof giveAccess>[2] = {}) =>
  tokensIn(await redeem(table, await give(given)));
const grants = async (now = startMs) =>
  (await listPanelKeys(context(now))).filter(({ grant }) => grant !== null);
const callerOf = async (accessToken: string, now = startMs) => {
  const token = readToken('access', accessToken);
  const caller = token && (await findGrantCaller(table, token, now));
  return caller && (caller.expiresAt ?? '') > toTimestamp(now) ? caller : undefined;
};
/** The time to live deletes the tokens of a grant. */
const expireGrant = (keyId: string) => deleteItem(table, grantKey(keyId), unconditionally);
const invalidGrant = expect.objectContaining({ error: 'invalid_grant' });
const notes = async () =>
  (await queryAll(table, { partition: auditPartition(workspaceId) })).flatMap(({ note }) => note ?? []);

describe('a client to which an owner gives access', () => {
  it('gets tokens for an hour, with the limits that the person chose', async () => {
    const account = await storeAccount(table, workspaceId);
    const expiresAt = toTimestamp(startMs + dayMs);
    const tokens = await connect({ permissions: ['draft', 'read'], accountIds: [account.id], expiresAt });
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read draft' });
    const caller = await callerOf(tokens.access_token);
    expect(caller).toMatchObject({
      workspaceId,
      accountIds: [account.id],
      expiresAt: toTimestamp(startMs + hourMs),
    });
    expect(caller && permissionsOf(caller)).toEqual(['read', 'draft']);
  });

  it('is listed among the keys with its host and who gave the access', async () => {
    await connect();
    expect(await grants()).toEqual([
      expect.objectContaining({
        name: 'Agent',
        lastFour: null,
        permissions: ['read'],
        status: 'active',
        createdBy: { kind: 'person', id: actor.id },
        grant: { clientId, clientHost: 'agent.example.com', end: null },
      }),
    ]);
  });

  it('is in the audit log with both hosts', async () => {
    await give();
    const entries = await queryAll(table, { partition: auditPartition(workspaceId) });
    expect(entries).toContainEqual(
      expect.objectContaining({
        verb: 'key.create',
        actor: { kind: 'person', id: actor.id },
        subjectName: 'Agent',
        note: 'to agent.example.com, which returns to agent.example.com',
      }),
    );
  });

  it('never gets more than a year, nor nothing to do, nor accounts of others', async () => {
    const foreign = await storeAccount(table, (await openWorkspace(table)).context.workspaceId);
    const wrong = [
      [{ expiresAt: toTimestamp(startMs + 400 * dayMs) }, 'expiresAt'],
      [{ permissions: [] }, 'permissions'],
      [{ accountIds: [foreign.id] }, 'accountIds'],
    ] as const;
    for (const [given, param] of wrong) await expect(give(given)).rejects.toMatchObject({ param });
    expect(await grants()).toEqual([]);
  });

  it('gets nothing if its request is not in order, even if the person agrees', async () => {
    await expect(give({ request: askedFor({ code_challenge_method: 'plain' }) })).rejects.toMatchObject({
      code: 'invalid',
      param: 'request',
    });
  });

  it('gets nothing from a key or an operator', async () => {
    const operator = anOperator(table, startMs).actor as unknown as PersonActor;
    await expect(give({ actor: operator })).rejects.toMatchObject({ code: 'permission_missing' });
  });
});

describe('an authorization code', () => {
  it.each([
    ['another verifier', { verifier: 'another-verifier-of-43-characters-or-more-012' }],
    ['an empty verifier', { verifier: '' }],
    ['another redirect URI', { redirectUri: 'http://localhost/callback' }],
    ['another client', { clientId: 'https://evil.example/client.json' }],
    ['another resource', { resource: `${publicBaseUrl}/v1` }],
    ['the resource of another stage', { resource: 'https://other.example.com/mcp' }],
  ])(
    'gives nothing to whoever has stolen it and sends %s, and stays good for its client',
    async (_what, stolen) => {
      const code = await give();
      expect(await redeem(table, code, stolen)).toHaveProperty('error');
      tokensIn(await redeem(table, code));
    },
  );

  it('is good for a minute', async () => {
    const [inTime, late] = [await give(), await give()];
    tokensIn(await redeem(table, inTime, { now: startMs + codeMs - 1 }));
    expect(await redeem(table, late, { now: startMs + codeMs })).toEqual(invalidGrant);
  });

  it('ends the grant if it is redeemed twice', async () => {
    const code = await give();
    const tokens = tokensIn(await redeem(table, code));
    expect(await redeem(table, code)).toEqual(invalidGrant);
    expect(await callerOf(tokens.access_token)).toBeUndefined();
    expect(await refresh(table, tokens.refresh_token)).toEqual(invalidGrant);
    expect(await grants()).toMatchObject([{ status: 'revoked', grant: { end: 'code reused' } }]);
    expect(await notes()).toContain('an authorization code was presented again');
  });

  it('gives tokens to one of two requests at the same time, and the other ends the grant', async () => {
    const code = await give();
    const outcomes = await Promise.all([redeem(table, code), redeem(table, code)]);
    expect(outcomes.filter((each) => 'error' in each)).toHaveLength(1);
    const [tokens] = outcomes.flatMap((each) => ('error' in each ? [] : [each]));
    expect(await callerOf(tokens?.access_token ?? '')).toBeUndefined();
  });

  it('of a client that never redeems it leaves nothing in the list', async () => {
    await give();
    expect(await grants()).toHaveLength(1);
    expect(await grants(startMs + codeMs)).toEqual([]);
  });

  it('of a client that never redeems it leaves nothing in the list after its expiry either', async () => {
    const expiresAt = toTimestamp(startMs + dayMs);
    await give({ expiresAt });
    await connect({ expiresAt });
    const [used, unused] = await grants();
    await new KeyUses(table).record(used?.id ?? '', startMs);
    for (const each of [used, unused]) await expireGrant(each?.id ?? '');
    expect(await grants(startMs + 3 * dayMs)).toMatchObject([{ id: used?.id, status: 'expired' }]);
  });

  it('is worth nothing as a token', async () => {
    const code = await give();
    expect(await refresh(table, code)).toEqual(invalidGrant);
    expect(await callerOf(code)).toBeUndefined();
  });
});

describe('an access token', () => {
  it('ends after an hour, and with its grant', async () => {
    const expiresAt = toTimestamp(startMs + 10 * minuteMs);
    const [long, short] = [await connect(), await connect({ expiresAt })];
    expect(await callerOf(long.access_token, startMs + accessMs - 1)).toBeDefined();
    expect(await callerOf(long.access_token, startMs + accessMs)).toBeUndefined();
    expect(short.expires_in).toBe(600);
    expect(await callerOf(short.access_token, startMs + 10 * minuteMs)).toBeUndefined();
    expect(await refresh(table, short.refresh_token, { now: startMs + 10 * minuteMs })).toEqual(invalidGrant);
  });

  it('stays good while its client gets the next one', async () => {
    const first = await connect();
    const second = tokensIn(await refresh(table, first.refresh_token));
    for (const { access_token } of [first, second]) expect(await callerOf(access_token)).toBeDefined();
    const third = tokensIn(await refresh(table, second.refresh_token));
    expect(await callerOf(first.access_token)).toBeUndefined();
    expect(await callerOf(third.access_token)).toBeDefined();
  });

  it('of one grant says nothing about another', async () => {
    const [one, other] = [await connect(), await connect()];
    const mixed = one.access_token.slice(0, 47) + other.access_token.slice(47);
    expect(await callerOf(mixed)).toBeUndefined();
  });
});

describe('a refresh token', () => {
  const later = startMs + 2 * repeatMs;

  it('gives other tokens with the same limits', async () => {
    const first = await connect();
    const second = tokensIn(await refresh(table, first.refresh_token));
    expect(second.scope).toBe(first.scope);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
  });

  it('gives the same tokens again to a client that has lost the answer', async () => {
    const { refresh_token } = await connect();
    const answer = tokensIn(await refresh(table, refresh_token));
    const again = tokensIn(await refresh(table, refresh_token, { now: startMs + 10 * secondMs }));
    expect(again).toEqual({ ...answer, expires_in: answer.expires_in - 10 });
    expect(await callerOf(again.access_token)).toBeDefined();
  });

  it('gives the same tokens to two requests at the same time', async () => {
    const { refresh_token } = await connect();
    const [one, other] = await Promise.all([refresh(table, refresh_token), refresh(table, refresh_token)]);
    expect(tokensIn(one)).toEqual(tokensIn(other));
    expect(await grants()).toMatchObject([{ status: 'active' }]);
  });

  it('ends the grant if it is presented again later', async () => {
    const first = await connect();
    const second = tokensIn(await refresh(table, first.refresh_token));
    expect(await refresh(table, first.refresh_token, { now: startMs + repeatMs })).toEqual(invalidGrant);
    expect(await callerOf(second.access_token)).toBeUndefined();
    expect(await refresh(table, second.refresh_token)).toEqual(invalidGrant);
    expect(await grants()).toMatchObject([{ status: 'revoked', grant: { end: 'token reused' } }]);
    expect(await notes()).toContain('a refresh token was presented again');
  });

  it('ends the grant if it is presented again after its successor was used', async () => {
    const first = await connect();
    const second = tokensIn(await refresh(table, first.refresh_token));
    tokensIn(await refresh(table, second.refresh_token));
    expect(await refresh(table, first.refresh_token)).toEqual(invalidGrant);
    expect(await grants()).toMatchObject([{ grant: { end: 'token reused' } }]);
  });

  it('shows that it was stolen: the thief and the client cannot both go on', async () => {
    const { refresh_token: stolen } = await connect();
    const ofThief = tokensIn(await refresh(table, stolen));
    const ofClient = tokensIn(await refresh(table, stolen));
    tokensIn(await refresh(table, ofThief.refresh_token));
    expect(await refresh(table, ofClient.refresh_token, { now: later })).toEqual(invalidGrant);
    expect(await callerOf(ofThief.access_token)).toBeUndefined();
  });

  it('is worth nothing to another client or for another resource', async () => {
    const { refresh_token } = await connect();
    expect(await refresh(table, refresh_token, { clientId: 'https://evil.example/client.json' })).toEqual(
      invalidGrant,
    );
    expect(await refresh(table, refresh_token, { resource: `${resource}/` })).toMatchObject({
      error: 'invalid_target',
    });
    tokensIn(await refresh(table, refresh_token));
  });

  it('is no access token', async () => {
    const { refresh_token, access_token } = await connect();
    expect(await callerOf(refresh_token)).toBeUndefined();
    expect(await refresh(table, access_token)).toEqual(invalidGrant);
  });

  it('is still accepted after a suspension of the workspace, not during it', async () => {
    const { refresh_token, access_token } = await connect();
    await suspendWorkspace(anOperator(table, startMs, 'workspace.suspend'), workspaceId);
    expect(await refresh(table, refresh_token)).toMatchObject({ error: 'temporarily_unavailable' });
    expect(await callerOf(access_token)).toMatchObject({ suspendedAt: toTimestamp(startMs) });
    await resumeWorkspace(anOperator(table, startMs, 'workspace.resume'), workspaceId);
    tokensIn(await refresh(table, refresh_token));
  });
});

describe('a grant ends', () => {
  const members = () => ({ ...context(), verb: 'member.edit' }) as const;
  const [grant] = [async () => (await grants())[0]];

  it('at once if an owner revokes it, like a key', async () => {
    const tokens = await connect();
    await revokePanelKey(context(), (await grant())?.id ?? '');
    expect(await callerOf(tokens.access_token)).toBeUndefined();
    expect(await refresh(table, tokens.refresh_token)).toEqual(invalidGrant);
    expect(await grants()).toMatchObject([{ status: 'revoked', revokedAt: toTimestamp(startMs) }]);
  });

  it('if the person who gave it is removed, and stays ended if they come back', async () => {
    await storeMember(table, workspaceId, { personId: aPerson().id.replace('5f', '6f'), role: 'owner' });
    const tokens = await connect();
    await removeMember(members(), memberId);
    expect(await callerOf(tokens.access_token)).toBeUndefined();
    expect(await refresh(table, tokens.refresh_token)).toEqual(invalidGrant);
    await storeMember(table, workspaceId, { personId: actor.id, role: 'owner' });
    expect(await callerOf(tokens.access_token)).toBeUndefined();
    expect(await grants()).toMatchObject([{ status: 'revoked', grant: { end: 'person left' } }]);
  });

  it('while the person may not give access', async () => {
    await storeMember(table, workspaceId, { personId: aPerson().id.replace('5f', '6f'), role: 'owner' });
    const tokens = await connect();
    await changeRole(members(), { memberId, role: 'member' });
    expect(await callerOf(tokens.access_token)).toBeUndefined();
  });

  it.each(['refresh_token', 'access_token'] as const)('if its client gives the %s back', async (name) => {
    const tokens = await connect();
    const give = (token: string, client = clientId) =>
      revokeToken(redeemPorts(table), { token, clientId: client });
    await give(tokens[name], 'https://evil.example/client.json');
    await give('yrt_unknown');
    expect(await callerOf(tokens.access_token)).toBeDefined();
    await give(tokens[name]);
    await give(tokens[name]);
    expect(await callerOf(tokens.access_token)).toBeUndefined();
    expect(await grants()).toMatchObject([{ grant: { end: 'client' } }]);
  });

  it('alone: other grants of the same client stay', async () => {
    const [one, other] = [await connect(), await connect()];
    await revokeToken(redeemPorts(table), { token: one.refresh_token, clientId });
    expect(await callerOf(other.access_token)).toBeDefined();
  });
});

describe('what concerns all keys of a workspace', () => {
  it('concerns its grants too', async () => {
    const tokens = await connect();
    const [grant] = await grants();
    const operator = anOperator(table, startMs, 'key.set-rate-limit');
    await setKeyRateLimit(operator, { workspaceId, keyId: grant?.id ?? '', ratePerMinute: 5 });
    await setWorkspaceRateLimit(operator, { workspaceId, ratePerMinute: 50 });
    expect(await callerOf(tokens.access_token)).toMatchObject({
      ratePerMinute: 5,
      workspaceRatePerMinute: 50,
    });
  });

  it('does not let anybody turn a grant into a key', async () => {
    await connect();
    const [grant] = await grants();
    const input = { keyId: grant?.id ?? '', overlapMinutes: 0 };
    await expect(rotatePanelKey(context(), input)).rejects.toMatchObject({ code: 'conflict' });
  });
});
