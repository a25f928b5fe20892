import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi, type RequestParts } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import {
  fromPanel,
  panelOrigin,
  type SignedInPerson,
  signInMember,
  signInPerson,
} from '../../support/panel.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspaceId: string;
let apiKey: string;
let member: SignedInPerson;
beforeEach(async () => {
  ({
    apiKey,
    context: { workspaceId },
  } = await openWorkspace(table));
  member = await signInMember(table, workspaceId, 'member');
});

const platform = 'youtube';
const by = (person: SignedInPerson, parts: RequestParts) => fromPanel(person, workspaceId, parts);
const begin = (body: object) => call('startConnection', by(member, { path: { platform }, body }));
const read = (parts: RequestParts) => call('getConnectionAttempt', parts);
const outcome = ({ status, body }: Answer) => [status, body['code']];

it('a person begins a connection that returns to the host of the panel which their browser uses', async () => {
  const redirectUrl = `${panelOrigin}/accounts`;
  expect((await begin({ claim: true, redirectUrl })).status).toBe(201);
  expect(await begin({ redirectUrl })).toMatchObject({ status: 400, body: { param: 'claim' } });
  const elsewhere = await begin({ claim: true, redirectUrl: 'https://evil.example/accounts' });
  expect(outcome(elsewhere)).toEqual([400, 'redirect_host_not_allowed']);
});

it('the attempt exists only for the session that began it', async () => {
  const begun = await begin({ claim: true, redirectUrl: `${panelOrigin}/accounts` });
  const path = { state: String(begun.body['state']) };
  expect((await read(by(member, { path }))).status).toBe(200);
  const inAnotherSession = await signInPerson(table, { personId: member.personId });
  for (const parts of [by(inAnotherSession, { path }), { apiKey, path }]) {
    expect(outcome(await read(parts))).toEqual([404, 'not_found']);
    const claim = call('claimConnectionAttempt', { ...parts, body: { code: 'x' } });
    expect(outcome(await claim)).toEqual([404, 'not_found']);
  }
});
