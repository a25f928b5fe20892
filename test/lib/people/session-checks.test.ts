import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { Vault } from '../../../lib/accounts/vault.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { findSession } from '../../../lib/people/find-session.ts';
import type { Renewal } from '../../../lib/people/issuer.ts';
import { isCheckDue, isCheckOverdue } from '../../../lib/people/session-age.ts';
import { type CheckPorts, checkSession, sealGrant } from '../../../lib/people/session-checks.ts';
import { readSessionValue, type SessionValue } from '../../../lib/people/session-value.ts';
import { beginSession, endSession, listSessions } from '../../../lib/people/sessions.ts';
import { personIdOf } from '../../../lib/people/sign-in.ts';
import { getItem } from '../../../lib/table/items.ts';
import { sessionGrantKey, sessionKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { createTestTable } from '../../support/table.ts';

const person = { issuer: 'https://issuer.example.com', subject: 'ada' };
const personId = personIdOf(person.issuer, person.subject);

let table: Table;
let now: number;
let value: SessionValue;
let ports: CheckPorts;
/** The refresh tokens that the issuer was asked about. */
let asked: string[];
let answer: (refreshToken: string) => Renewal | Promise<Renewal>;
let reported: string[];

beforeEach(async () => {
  table = await createTestTable();
  now = startMs;
  [asked, reported] = [[], []];
  answer = () => ({ kind: 'confirmed' });
  const vault = new Vault(memoryDataKeys(), () => now);
  ports = {
    table,
    vault,
    issuer: {
      renew: async (refreshToken) => {
        asked.push(refreshToken);
        return answer(refreshToken);
      },
    },
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
      await new Promise(setImmediate);
    },
    report: (message, error) => reported.push(`${message}: ${JSON.stringify(error)}`),
  };
  value = await begin(await sealGrant(vault, personId, 'token-1'));
});

async function begin(grant: string | undefined): Promise<SessionValue> {
  const given = { personId, email: 'ada@example.com', isEmailVerified: true, userAgent: '', grant };
  const { cookieValue } = await beginSession(table, given, now);
  const read = readSessionValue(cookieValue);
  if (!read) throw new Error('the cookie has another form');
  return read;
}

const find = () => findSession(table, value, undefined, now);
const grant = () => getItem(table, sessionGrantKey(value.digest));

/** Checks the session as a request at this time does. */
async function checkAt(milliseconds: number, changes: Partial<CheckPorts> = {}) {
  now = startMs + milliseconds;
  const found = await find();
  if (found) await checkSession({ ...ports, ...changes }, found);
  return find();
}

const dueIn = (milliseconds: number) => ({ session: { checkDueAt: toTimestamp(now + milliseconds) } });
const ended = () => ({ kind: 'ended' }) as const;
const unavailable = () => ({ kind: 'unavailable', why: 'a test' }) as const;

describe('a session', () => {
  it('is checked ten minutes after the sign-in, and every ten minutes from then on', async () => {
    expect(await checkAt(10 * minuteMs - 1)).toMatchObject({
      session: { checkDueAt: toTimestamp(startMs + 10 * minuteMs) },
    });
    expect(asked).toEqual([]);
    expect(await checkAt(10 * minuteMs)).toMatchObject(dueIn(10 * minuteMs));
    expect(await checkAt(15 * minuteMs)).toBeDefined();
    expect(asked).toEqual(['token-1']);
    expect(await checkAt(3 * hourMs)).toMatchObject(dueIn(10 * minuteMs));
    expect(asked).toEqual(['token-1', 'token-1']);
  });

  it('ends if the issuer does not honour its token any more', async () => {
    answer = ended;
    expect(await checkAt(10 * minuteMs)).toBeUndefined();
    expect([await getItem(table, sessionKey(value.digest)), await grant()]).toEqual([undefined, undefined]);
    expect(await listSessions(table, personId, '', now)).toEqual([]);
  });

  it('ends if its token is another person’s', async () => {
    answer = () => ({ kind: 'confirmed', person: { ...person, subject: 'eve' } });
    expect(await checkAt(10 * minuteMs)).toBeUndefined();
  });

  it('goes on if the issuer confirms the person', async () => {
    answer = () => ({ kind: 'confirmed', person });
    expect(await checkAt(10 * minuteMs)).toMatchObject(dueIn(10 * minuteMs));
  });

  it('outlives an outage of the issuer, which is asked again every 20 seconds', async () => {
    answer = unavailable;
    for (let ms = 10 * minuteMs; ms < 70 * minuteMs; ms += 20 * secondMs)
      expect(await checkAt(ms)).toMatchObject(dueIn(20 * secondMs));
    expect(asked).toHaveLength(180);
    answer = ended;
    expect(await checkAt(70 * minuteMs)).toBeUndefined();
  });

  it('in use outlives an answer that is lost, if the issuer takes the replaced token for another half a minute', async () => {
    let replacedMs: number | undefined;
    answer = () => {
      if (replacedMs !== undefined)
        return now <= replacedMs + 30 * secondMs ? { kind: 'confirmed', refreshToken: 'token-3' } : ended();
      replacedMs = now;
      now += 4 * secondMs;
      return unavailable();
    };
    for (let ms = 0; ms <= 2 * minuteMs; ms += secondMs)
      expect(await checkAt(10 * minuteMs + ms)).toBeDefined();
    expect(asked).toEqual(['token-1', 'token-1']);
  });

  it('is never checked without a refresh token', async () => {
    value = await begin(undefined);
    expect(await checkAt(6 * hourMs)).toBeDefined();
    expect(asked).toEqual([]);
  });

  it('ends if its refresh token is gone', async () => {
    const { session } = (await find()) ?? {};
    if (!session) throw new Error('there is no session');
    await table.client.send(
      new TransactWriteCommand({
        TransactItems: [{ Delete: { TableName: table.name, Key: sessionGrantKey(value.digest) } }],
      }),
    );
    expect(await checkAt(10 * minuteMs)).toBeUndefined();
  });

  it('that ends while the issuer is asked does not come back', async () => {
    answer = async () => {
      const found = await find();
      if (found) await endSession(table, { ...found.session, digest: value.digest });
      return { kind: 'confirmed', refreshToken: 'token-2' };
    };
    expect(await checkAt(10 * minuteMs)).toBeUndefined();
    expect(await grant()).toBeUndefined();
  });
});

describe('a refresh token', () => {
  it('that the issuer replaces is used from then on', async () => {
    answer = (token) => ({ kind: 'confirmed', refreshToken: `${token}+` });
    await checkAt(10 * minuteMs);
    await checkAt(20 * minuteMs);
    await checkAt(30 * minuteMs);
    expect(asked).toEqual(['token-1', 'token-1+', 'token-1++']);
  });

  it('is stored sealed, and opens for this person’s session only', async () => {
    const { ciphertext } = (await grant()) as { ciphertext: string };
    expect(ciphertext).not.toContain('token-1');
    const other = { person: personIdOf(person.issuer, 'eve'), purpose: 'session' };
    await expect(ports.vault.open(ciphertext, other)).rejects.toThrow();
    await expect(ports.vault.open(ciphertext, { ...other, person: personId })).resolves.toBe('token-1');
  });

  it('is in nothing that operators read', async () => {
    answer = ended;
    await checkAt(10 * minuteMs);
    expect(reported).toHaveLength(1);
    expect(reported.join()).not.toContain('token-1');
  });

  it('is used by one request at a time; the others wait for its outcome', async () => {
    answer = async () => {
      await new Promise(setImmediate);
      return { kind: 'confirmed', refreshToken: 'token-2' };
    };
    now = startMs + 10 * minuteMs;
    const found = await find();
    if (!found) throw new Error('there is no session');
    await Promise.all([checkSession(ports, found), checkSession(ports, found), checkSession(ports, found)]);
    expect(asked).toEqual(['token-1']);
    expect(now).toBeLessThan(startMs + 10 * minuteMs + 5 * secondMs);
    expect(isCheckDue((await find())?.session ?? {}, now)).toBe(false);
  });

  it('is not used before the key service can seal another one', async () => {
    const { generate: _, open } = memoryDataKeys();
    const failing = { generate: () => Promise.reject(new Error('KMS is down')), open };
    Object.assign(failing, { open: async () => Promise.reject(new Error('KMS is down')) });
    const vault = new Vault(failing, () => now);
    await expect(checkAt(10 * minuteMs, { vault })).rejects.toThrow('KMS is down');
    expect(asked).toEqual([]);
    expect(await find()).toBeDefined();
  });
});

describe('a worker that dies after the issuer has replaced the token', () => {
  /** The first check dies before its write. */
  async function die() {
    answer = () => ({ kind: 'confirmed', refreshToken: 'token-2' });
    const client = {
      send: async (command: Parameters<Table['client']['send']>[0]) => {
        if (command instanceof TransactWriteCommand) throw new Error('died');
        return table.client.send(command);
      },
    } as unknown as Table['client'];
    await expect(checkAt(10 * minuteMs, { table: { ...table, client } })).rejects.toThrow('died');
    expect(await checkAt(10 * minuteMs + 10 * secondMs)).toBeDefined();
    expect(asked).toEqual(['token-1']);
  }

  it('costs nothing if the issuer takes the old token for another half a minute', async () => {
    await die();
    answer = () => ({ kind: 'confirmed', refreshToken: 'token-3' });
    expect(await checkAt(10 * minuteMs + 20 * secondMs)).toMatchObject(dueIn(10 * minuteMs));
    await checkAt(21 * minuteMs);
    expect(asked).toEqual(['token-1', 'token-1', 'token-3']);
  });

  it('makes the person sign in again if it does not', async () => {
    await die();
    answer = ended;
    expect(await checkAt(10 * minuteMs + 20 * secondMs)).toBeUndefined();
  });
});

it('requests of a session pass for five minutes while a check does not succeed', () => {
  const session = { checkDueAt: toTimestamp(startMs) };
  expect(isCheckDue(session, startMs)).toBe(true);
  expect(isCheckOverdue(session, startMs + 5 * minuteMs - 1)).toBe(false);
  expect(isCheckOverdue(session, startMs + 5 * minuteMs)).toBe(true);
  expect(isCheckOverdue({}, startMs + 7 * 24 * hourMs)).toBe(false);
});
