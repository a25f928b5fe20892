import type { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { readSessionValue } from '../../../lib/people/session-value.ts';
import { endSessionById } from '../../../lib/people/sessions.ts';
import { absent } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { sessionGrantKey, sessionKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { edgeHeaders, fromPanel, type SignedInPerson, signInPerson } from '../../support/panel.ts';

let table: Table;
let call: Call;
beforeEach(async () => {
  ({ table, call } = await openApi({ ratePerMinute: 5 }));
  // A minute that does not end during a test.
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:10.250Z'), toFake: ['Date'] });
  return () => vi.useRealTimers();
});

/** CloudFront’s own address, which all of the panel’s requests have in common. */
const sourceIp = '198.51.100.1';
const ask = (person: SignedInPerson | undefined, address = '203.0.113.7') =>
  call('getMe', fromPanel(person, undefined, { sourceIp, headers: edgeHeaders(address) }));
const statuses = async (times: number, request: () => ReturnType<Call>) => {
  const answers = [];
  for (let time = 0; time < times; time += 1) answers.push((await request()).status);
  return answers;
};

describe('the rate limit of the panel', () => {
  it('counts a session, whatever its address', async () => {
    const person = await signInPerson(table);
    let turn = 0;
    const answers = await statuses(6, () => ask(person, `203.0.113.${turn++}`));
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await ask(person);
    expect(refused.body['error']).toBe('too many requests of this session');
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'retry-after': '50' });
  });

  it('counts each session by itself behind one address, and leaves the address to others', async () => {
    const people = await Promise.all([1, 2, 3].map(() => signInPerson(table)));
    for (const person of people)
      expect(await statuses(5, () => ask(person))).toEqual([200, 200, 200, 200, 200]);
    expect((await ask(undefined)).status).toBe(401);
  });

  it.each<[string, () => Pick<SignedInPerson, 'cookie'> | undefined]>([
    ['without a cookie', () => undefined],
    ['with the cookie of no session', () => ({ cookie: `__Host-session=${unknown}` })],
  ])('counts requests %s for the address of the viewer, never for CloudFront’s', async (_what, person) => {
    const known = await signInPerson(table);
    expect((await ask(known, '203.0.113.9')).status).toBe(200);
    const from = (address: string) => ask(person() as SignedInPerson | undefined, address);
    expect(await statuses(6, () => from('203.0.113.7'))).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await from('203.0.113.8')).status).toBe(401);
    // Whose session this instance has seen is not affected behind the same address; others wait, as with a key.
    expect((await ask(known, '203.0.113.7')).status).toBe(200);
    expect((await ask(await signInPerson(table), '203.0.113.7')).status).toBe(429);
  });
  const unknown = `5f1d7a84-09cd-8a6c-9a3e-0c4ff8f4a101.${'A'.repeat(43)}`;

  it('counts all addresses of one IPv6 network together', async () => {
    let turn = 0;
    const answers = await statuses(6, () => ask(undefined, `2001:db8:1:2::${turn++}`));
    expect(answers.at(-1)).toBe(429);
    expect((await ask(undefined, '2001:db8:1:3::1')).status).toBe(401);
  });

  it('counts what other sites send for the viewer, not for the session', async () => {
    const person = await signInPerson(table);
    const crossSite = () =>
      call('getMe', fromPanel(person, undefined, { headers: { 'sec-fetch-site': 'cross-site' } }));
    expect(await statuses(6, crossSite)).toEqual([403, 403, 403, 403, 403, 429]);
    expect((await ask(person)).status).toBe(200);
  });

  it.each(['openapi', 'not-found'])('counts %s for the viewer', async (name) => {
    const route = name === 'not-found' ? { route: 'GET /v1/nothing' } : {};
    const from = (address: string) => call(name, { ...route, sourceIp, headers: edgeHeaders(address) });
    expect((await statuses(6, () => from('203.0.113.7'))).at(-1)).toBe(429);
    expect((await from('203.0.113.8')).status).not.toBe(429);
  });

  it('does not believe a viewer’s address without the origin secret', async () => {
    let turn = 0;
    const forged = () =>
      call('openapi', {
        sourceIp,
        headers: { ...edgeHeaders(`203.0.113.${turn++}`), 'x-origin-secret': 'x' },
      });
    expect((await statuses(6, forged)).at(-1)).toBe(429);
  });

  const commandsOf = async (request: () => Promise<unknown>) => {
    const send = vi.spyOn(table.client, 'send');
    await request();
    const commands = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    return commands;
  };

  it('counts the address before it reads a session that it does not know', async () => {
    const madeUp = { cookie: `__Host-session=${unknown}` } as SignedInPerson;
    expect(await commandsOf(() => ask(madeUp))).toEqual(['UpdateCommand', 'BatchGetCommand']);
    await statuses(5, () => ask(madeUp));
    // A new session each time, as an attacker would send it.
    for (let turn = 1; turn <= 3; turn += 1) {
      const another = { cookie: `__Host-session=${unknown.replace(/A/g, String(turn))}` } as SignedInPerson;
      expect(await commandsOf(async () => expect((await ask(another)).status).toBe(429))).toEqual([]);
    }
  });

  it('refuses made-up sessions over the limit while the table is down', async () => {
    const from = (letter: string) =>
      ask({ cookie: `__Host-session=${unknown.replace(/A/g, letter)}` } as SignedInPerson);
    await statuses(6, () => from('B'));
    const send = vi.spyOn(table.client, 'send').mockRejectedValue(new Error('throttled') as never);
    expect((await from('C')).status).toBe(429);
    send.mockRestore();
  });

  it('counts a session that has ended for its address again', async () => {
    const person = await signInPerson(table);
    expect((await ask(person)).status).toBe(200);
    await endSessionById(table, person.personId, person.session.id);
    // The first request of the session has counted for the address too.
    expect(await statuses(5, () => ask(person))).toEqual([401, 401, 401, 401, 429]);
  });

  it('counts requests of a session that cannot be checked', async () => {
    const person = await signInPerson(table);
    expect((await ask(person)).status).toBe(200);
    const digest = readSessionValue(person.cookie.split('=')[1] ?? '')?.digest ?? '';
    const checkDueAt = toTimestamp(Date.now() - hourMs);
    await updateItem(table, sessionKey(digest), { set: { checkDueAt }, if: { checkDueAt: absent } });
    const { client } = table;
    const send = client.send.bind(client);
    const failing = vi.spyOn(client, 'send').mockImplementation((async (command: UpdateCommand) => {
      if (command.input.Key?.['sk'] === sessionGrantKey(digest).sk) throw new Error('throttled');
      return send(command);
    }) as never);
    const answers = await statuses(6, () => ask(person));
    failing.mockRestore();
    expect([answers[0], answers.at(-1)]).toEqual([503, 429]);
  });

  it('costs a session that this instance has seen over its limit no read', async () => {
    const person = await signInPerson(table);
    await statuses(6, () => ask(person));
    const send = vi.spyOn(table.client, 'send');
    expect((await ask(person)).status).toBe(429);
    const commands = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    expect(commands).toEqual([]);
  });
});

describe('a request of the panel', () => {
  it('costs one read and the count, once the instance knows the session', async () => {
    const person = await signInPerson(table);
    await call('listSessions', fromPanel(person));
    const send = vi.spyOn(table.client, 'send');
    await call('listSessions', fromPanel(person));
    const commands = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    expect(commands.slice(0, 2)).toEqual(['BatchGetCommand', 'UpdateCommand']);
  });

  it('records the use of its session, at most every ten minutes', async () => {
    const person = await signInPerson(table, { now: Date.now() - 600_000 });
    const usedAt = async () => {
      const { body } = await call('listSessions', fromPanel(person));
      return (body['sessions'] as { usedAt: string }[])[0]?.usedAt;
    };
    await usedAt();
    vi.setSystemTime(Date.parse('2026-03-01T12:05:00Z'));
    expect(await usedAt()).toBe('2026-03-01T12:00:10.250Z');
  });
});
