import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { isId, newId } from '../../../lib/kernel/ids.ts';
import { type FoundSession, findSession, recordSessionUse } from '../../../lib/people/find-session.ts';
import { readSessionValue, type SessionValue, sessionValueOf } from '../../../lib/people/session-value.ts';
import {
  beginSession,
  endOtherSessions,
  endSession,
  endSessionByDigest,
  endSessionById,
  listSessions,
} from '../../../lib/people/sessions.ts';
import { personIdOf } from '../../../lib/people/sign-in.ts';
import { getItem } from '../../../lib/table/items.ts';
import { listedSessionKey, sessionKey, sessionUseKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { storeMember } from '../../support/people.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable, sendingTwice } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let people = 0;
const aPerson = () => personIdOf('https://issuer.example.com', `person ${people++}`);

async function begin({ personId = aPerson(), at = startMs, on = table } = {}) {
  const person = { personId, email: 'ada@example.com', name: 'Ada', userAgent: 'Firefox' };
  const { session, cookieValue } = await beginSession(on, person, at);
  return { session, cookieValue, value: readSessionValue(cookieValue) as SessionValue };
}

const find = (value: SessionValue, at = startMs, workspaceId?: string) =>
  findSession(table, value, workspaceId, at);

describe('the id of a person', () => {
  it('is a UUID that depends on the issuer and the subject', () => {
    const one = personIdOf('https://a.example.com', 'b');
    expect(isId(one)).toBe(true);
    expect(one).toBe(personIdOf('https://a.example.com', 'b'));
    const others = [
      personIdOf('https://a.example.com', 'c'),
      personIdOf('https://b.example.com', 'b'),
      personIdOf('https://a.example.com","b', ''),
    ];
    expect(new Set([one, ...others]).size).toBe(4);
  });
});

describe('the value of a cookie', () => {
  const token = 'A'.repeat(43);
  const personId = aPerson();

  it('names the person and the digest of the token', () => {
    expect(readSessionValue(sessionValueOf(personId, token))).toEqual({
      personId,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each([
    ['nothing', ''],
    ['a token alone', token],
    ['a short token', `${personId}.${token.slice(1)}`],
    ['a long token', `${personId}.${token}A`],
    ['other characters', `${personId}.${token.slice(1)}#`],
    ['another id', `SESSION#x.${token}`],
    ['three parts', `${personId}.${token}.x`],
  ])('is unknown if it is %s', (_what, text) => {
    expect(readSessionValue(text)).toBeUndefined();
  });
});

describe('a session', () => {
  it('is found by its cookie, in one request', async () => {
    const { session, value } = await begin();
    const { counted, requests } = countRequests({ table } as Context);
    const found = await findSession(counted.table, value, newId(startMs), startMs);
    expect(found).toMatchObject({ session, usedAtMs: startMs });
    expect(requests).toEqual(['BatchGetCommand']);
  });

  it('is stored without its token', async () => {
    const { session, cookieValue, value } = await begin();
    const stored = await Promise.all([
      getItem(table, sessionKey(value.digest)),
      getItem(table, listedSessionKey(session.personId, session.id)),
    ]);
    const [, token = 'none'] = cookieValue.split('.');
    expect(stored.every((item) => item !== undefined)).toBe(true);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('is unknown with another person’s id', async () => {
    const { value } = await begin();
    expect(await find({ ...value, personId: aPerson() })).toBeUndefined();
  });

  it('is unknown with another token', async () => {
    const { session } = await begin();
    const value = readSessionValue(sessionValueOf(session.personId, 'B'.repeat(43))) as SessionValue;
    expect(await find(value)).toBeUndefined();
  });

  it('shows the place of its person in a workspace, and none in a foreign or unknown one', async () => {
    const { session, value } = await begin();
    const [{ workspace }, foreign] = [await openWorkspace(table), await openWorkspace(table)];
    const { membership } = await storeMember(table, workspace.id, {
      personId: session.personId,
      role: 'owner',
    });
    expect((await find(value, startMs, workspace.id))?.place).toMatchObject({ membership, workspace });
    for (const id of [foreign.workspace.id, newId(startMs)]) {
      const found = await find(value, startMs, id);
      expect([found?.session.id, found?.place]).toEqual([session.id, undefined]);
    }
  });
});

describe('a session ends', () => {
  it.each([
    ['12 hours after its sign-in, if it is not used', [], 12 * hourMs],
    ['12 hours after its last recorded use', [11 * hourMs], 23 * hourMs],
    [
      '7 days after its sign-in, however much it is used',
      Array.from({ length: 15 }, (_, index) => (index + 1) * 10.5 * hourMs),
      7 * dayMs,
    ],
  ])('%s', async (_when, usedAfterMs, endMs) => {
    const { value } = await begin();
    for (const afterMs of usedAfterMs) {
      const found = await find(value, startMs + afterMs);
      await recordSessionUse(table, found as FoundSession, startMs + afterMs);
    }
    expect(await find(value, startMs + endMs - 1)).toBeDefined();
    expect(await find(value, startMs + endMs)).toBeUndefined();
    expect(await find(value, startMs + 1_000 * dayMs)).toBeUndefined();
  });

  it.each([
    ['by its id', ({ session }: Begun) => endSessionById(table, session.personId, session.id)],
    ['by its digest', ({ value }: Begun) => endSessionByDigest(table, value.digest)],
    [
      'with the next request, even if the answer is lost and the request repeated',
      ({ session, value }: Begun) => endSession(sendingTwice(table), { ...session, digest: value.digest }),
    ],
  ])('%s, with its entry in the list', async (_how, end) => {
    const begun = await begin();
    for (const _time of ['first', 'second']) {
      await end(begun);
      expect(await find(begun.value)).toBeUndefined();
      expect(
        await getItem(table, listedSessionKey(begun.session.personId, begun.session.id)),
      ).toBeUndefined();
    }
  });

  it('not by its id with another person', async () => {
    const { session, value } = await begin();
    await endSessionById(table, aPerson(), session.id);
    expect(await find(value)).toBeDefined();
  });

  it('with all others of the person, except the one that asks', async () => {
    const personId = aPerson();
    const [kept, ...others] = await Promise.all([1, 2, 3].map(() => begin({ personId })));
    const foreign = await begin();
    if (!kept) throw new Error('no session');
    await endOtherSessions(table, personId, kept.session.id);
    expect(await Promise.all(others.map(({ value }) => find(value)))).toEqual([undefined, undefined]);
    expect(await find(kept.value)).toBeDefined();
    expect(await find(foreign.value)).toBeDefined();
  });
});

type Begun = Awaited<ReturnType<typeof begin>>;

describe('the use of a session', () => {
  it('is recorded at most every ten minutes, by however many requests at once', async () => {
    const { value } = await begin();
    const found = async (afterMs: number) => (await find(value, startMs + afterMs)) as FoundSession;
    expect(recordSessionUse(table, await found(10 * minuteMs - 1), startMs + 10 * minuteMs - 1)).toBe(
      undefined,
    );
    const at = startMs + 10 * minuteMs;
    const before = await found(10 * minuteMs);
    await Promise.all([0, 1, 2].map((plus) => recordSessionUse(table, before, at + plus)));
    const { usedAtMs } = await found(11 * minuteMs);
    expect([at, at + 1, at + 2]).toContain(usedAtMs);
    expect(recordSessionUse(table, await found(11 * minuteMs), startMs + 11 * minuteMs)).toBe(undefined);
  });

  it('does not bring back a session that has ended meanwhile', async () => {
    const { session, value } = await begin();
    const found = (await find(value, startMs + hourMs)) as FoundSession;
    await endSessionById(table, session.personId, session.id);
    await recordSessionUse(table, found, startMs + hourMs);
    expect(await find(value, startMs + hourMs)).toBeUndefined();
    expect(await getItem(table, sessionKey(value.digest))).toBeUndefined();
    expect(await getItem(table, sessionUseKey(value.digest))).toMatchObject({
      expiresAtSeconds: (startMs + 7 * dayMs) / 1_000,
    });
  });
});

describe('the list of sessions', () => {
  it('has those that have not ended, newest first, with their last use', async () => {
    const personId = aPerson();
    const old = await begin({ personId });
    const used = await begin({ personId, at: startMs + 1 });
    const present = await begin({ personId, at: startMs + 12 * hourMs });
    const found = (await find(used.value, startMs + hourMs)) as FoundSession;
    await recordSessionUse(table, found, startMs + hourMs);
    const listed = await listSessions(table, personId, present.session.id, startMs + 12 * hourMs);
    expect(listed).toEqual([
      {
        id: present.session.id,
        browser: 'Firefox',
        signedInAt: toTimestamp(startMs + 12 * hourMs),
        usedAt: toTimestamp(startMs + 12 * hourMs),
        isThis: true,
      },
      {
        id: used.session.id,
        browser: 'Firefox',
        signedInAt: toTimestamp(startMs + 1),
        usedAt: toTimestamp(startMs + hourMs),
        isThis: false,
      },
    ]);
    expect(listed.map(({ id }) => id)).not.toContain(old.session.id);
  });
});
