import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { performed } from '../../../functions/api/mcp.ts';
import listed from '../../../functions/api/mcp-tools.built.ts';
import { mcpOperation } from '../../../lib/mcp/operations.ts';
import { tools } from '../../../lib/mcp/tools.ts';
import type { Table } from '../../../lib/table/table.ts';
import { generations } from '../../contract/clients/agents.ts';
import { connectAgent } from '../../support/agents.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
let workspaceId: string;
let accountId: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  const opened = await openWorkspace(table, { now: Date.now() });
  ({ apiKey } = opened);
  ({ workspaceId } = opened.context);
  ({ id: accountId } = await storeAccount(table, workspaceId, { platform: 'threads' }));
});

describe.each(generations)('$name', (generation) => {
  it('lists the tools, calls one and reads an error', async () => {
    const agent = await connectAgent(generation, call, apiKey);
    expect((await agent.tools()).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(await agent.call('list_accounts')).toMatchObject({
      isError: false,
      value: { accounts: [{ id: accountId, platform: 'threads', status: 'ok', whoActs: 'nobody' }] },
    });
    expect(await agent.call('get_post', { postId: accountId })).toEqual({
      isError: true,
      value: {
        code: 'not_found',
        message: 'post not found',
        remedy: expect.any(String),
        docUrl: 'https://api.example.com/docs/errors/not_found',
      },
    });
    await agent.close();
  });
});

describe('the list of tools', () => {
  it('has at most 16,000 bytes', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: listed.list }))).toBeLessThanOrEqual(16_000);
  });

  it('performs exactly the operations that the tools name', () => {
    const named = (mcpOperation.calls ?? []).map(({ id }) => id);
    expect(performed.map(({ op }) => op.id).sort()).toEqual([...named].sort());
  });
});
