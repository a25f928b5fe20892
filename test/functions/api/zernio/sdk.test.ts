import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Table } from '../../../../lib/table/table.ts';
import {
  compileProgram,
  loadProgram,
  prepareProgram,
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

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
  vi.stubGlobal('fetch', fetchZernio(call));
});
afterAll(() => {
  vi.unstubAllGlobals();
});

let setting: Parameters<ZernioProgram['run']>[1];
beforeEach(async () => {
  const { context, apiKey } = await openWorkspace(table, { now: Date.now() });
  const { id: accountId } = await storeAccount(table, context.workspaceId, { platform: 'threads' });
  setting = {
    baseURL: `${publicBaseUrl}/zernio`,
    apiKey,
    profileId: context.workspaceId,
    accountId,
    receiverUrl: 'http://127.0.0.1:9',
    listsHave: async () => {},
  };
});

it('compiles in the types of the SDK', async () => {
  expect(await compileProgram(folder)).toBe('');
});

it.each(Object.keys(program.checks))('a program %s', async (name) => {
  await program.run(name, setting);
});
