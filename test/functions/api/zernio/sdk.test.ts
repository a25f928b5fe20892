import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Table } from '../../../../lib/table/table.ts';
import { calls } from '../../../../lib/zernio/calls.ts';
import { matchRoute } from '../../../../lib/zernio/match.ts';
import {
  compileProgram,
  compileValues,
  loadProgram,
  prepareProgram,
  type TypedValue,
  type ZernioProgram,
} from '../../../contract/clients/zernio.ts';
import { type Call, openApi, publicBaseUrl } from '../../../support/api.ts';
import { openWorkspace, storeAccount } from '../../../support/builders.ts';
import { fetchZernio } from '../../../support/zernio.ts';

/*
 * Zernio's SDK, unmodified, against the function alone. `test/journeys/zernio.test.ts` runs the same program against the local cloud.
 */

const folder = prepareProgram('zernio-units');
const program: ZernioProgram = await loadProgram(folder);

/** The successful replies that the checks have got, with the names of the SDK's methods. */
const replies: { readonly name: string; readonly value: unknown }[] = [];

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
  const send = fetchZernio(call);
  vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) => {
    const { pathname } = new URL(input.url);
    const response = await send(input, init);
    const found = matchRoute(calls, input.method, pathname.replace(/^.*\/zernio/, ''))?.found;
    if (found && response.ok) replies.push({ name: found.name, value: await response.clone().json() });
    return response;
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

let setting: Parameters<ZernioProgram['run']>[1];
beforeEach(async () => {
  const { context, apiKey } = await openWorkspace(table, { now: Date.now() });
  const { id: accountId } = await storeAccount(table, context.workspaceId, { platform: 'threads' });
  await storeAccount(table, context.workspaceId, { platform: 'instagram' });
  setting = {
    baseURL: `${publicBaseUrl}/zernio`,
    apiKey,
    profileId: context.workspaceId,
    accountId,
    receiverUrl: 'http://127.0.0.1:9',
    now: Date.now,
    listsHave: async () => {},
  };
});

it('compiles in the types of the SDK', async () => {
  expect(await compileProgram(folder)).toBe('');
});

it.each(Object.keys(program.checks))('a program %s', async (name) => {
  await program.run(name, setting);
});

it('all replies are what the SDK declares', async () => {
  const values = replies.map(
    ({ name, value }): TypedValue => ({
      type: `${name.charAt(0).toUpperCase()}${name.slice(1)}Response`,
      value,
      // The SDK's calls have different names for the same numbers. Each reply has all of them.
      isOpen: name.includes('CommentAutomation'),
    }),
  );
  expect(values.length).toBeGreaterThan(30);
  expect(await compileValues('zernio-replies', values)).toBe('');
});
