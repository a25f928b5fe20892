import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { performed } from '../../../functions/api/mcp.ts';
import listed from '../../../functions/api/mcp-tools.built.ts';
import { mcpOperation } from '../../../lib/mcp/operations.ts';
import { tools } from '../../../lib/mcp/tools.ts';
import type { Table } from '../../../lib/table/table.ts';
import { generations } from '../../contract/clients/agents.ts';
import { connectAgent, rpc } from '../../support/agents.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
let accountId: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  const opened = await openWorkspace(table, { now: Date.now() });
  ({ apiKey } = opened);
  ({ id: accountId } = await storeAccount(table, opened.context.workspaceId, { platform: 'threads' }));
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

  it('cannot connect without a valid key', async () => {
    await expect(connectAgent(generation, call, 'yay_wrong')).rejects.toThrow();
  });
});

describe('the list of tools', () => {
  it('has at most 16,000 bytes', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: listed.list }))).toBeLessThanOrEqual(16_000);
  });

  it.each(listed.list)('$name has a title, a description, all hints and both schemas', (tool) => {
    expect(tool.name).toMatch(/^[a-z]+_[a-z]+$/);
    expect(tool.title).not.toBe('');
    expect(tool.description.length).toBeGreaterThan(20);
    expect(Object.keys(tool.annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.anything() });
    expect(tool.outputSchema).toMatchObject({ type: 'object', properties: expect.anything() });
  });

  it('says of a tool that it only reads exactly if all of its operations do', () => {
    const isRead = ({ method, verb }: (typeof performed)[number]['op']) =>
      method === 'GET' || verb === 'post.validate';
    for (const { effects, operations } of tools) expect(effects.readOnlyHint).toBe(operations.every(isRead));
  });

  it('needs an idempotency key to create a post', () => {
    const schema = listed.list.find(({ name }) => name === 'create_post')?.inputSchema;
    expect(schema).toMatchObject({ required: ['destinations', 'when', 'idempotencyKey'] });
  });

  it('is served with the operations that the tools name, and no others', () => {
    const named = (mcpOperation.calls ?? []).map(({ id }) => id);
    expect(performed.map(({ op }) => op.id).sort()).toEqual([...named].sort());
  });

  it('is served with one dependency for each name', () => {
    const wires = performed.flatMap(({ wires }) => Object.entries<unknown>(wires));
    const byName = Map.groupBy(wires, ([name]) => name);
    const ambiguous = [...byName].filter(([, same]) => new Set(same.map(([, wire]) => wire)).size > 1);
    expect(ambiguous.map(([name]) => name)).toEqual([]);
  });
});

describe('a request without credentials', () => {
  const metadata = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';

  it.each(['initialize', 'tools/list', 'server/discover', 'ping'])(
    'is 401 with the metadata of the login: %s',
    async (method) => {
      const { status, headers, body } = await rpc(call, undefined, method);
      expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'key_missing' });
      expect(headers['www-authenticate']).toBe(`Bearer realm="mcp", ${metadata}`);
    },
  );

  it('with refused ones, says so', async () => {
    const { status, headers } = await rpc(call, 'yay_wrong', 'tools/list');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(`Bearer realm="mcp", error="invalid_token", ${metadata}`);
  });
});

describe('the Origin of a request', () => {
  const ask = (origin: string) => rpc(call, apiKey, 'tools/list', {}, { headers: { origin } });

  it.each(['https://evil.example', 'http://api.example.com', 'null', 'https://api.example.com.evil.example'])(
    'is refused: %s',
    async (origin) => {
      expect(await ask(origin)).toMatchObject({ status: 403, body: { code: 'cross_site' } });
    },
  );

  it('may be the service itself', async () => {
    expect(await ask('https://api.example.com')).toMatchObject({ status: 200 });
  });
});

describe('a hostile message', () => {
  const send = (parts: object) => rpc(call, apiKey, 'ping', {}, parts);
  const message = (fields: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...fields });

  it.each([
    ['no JSON', '{', 400, -32_700],
    ['nothing', '', 400, -32_700],
    ['a batch', `[${message({ method: 'ping' })},${message({ method: 'ping' })}]`, 400, -32_600],
    ['an empty batch', '[]', 400, -32_600],
    ['deep nesting', '['.repeat(100_000), 400, -32_700],
    [
      'deeply nested parameters',
      message({ method: 'ping', params: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }),
      400,
      -32_700,
    ],
    ['too many bytes', message({ method: 'ping', params: { x: 'x'.repeat(1_048_576) } }), 413, -32_600],
    ['a text', '"ping"', 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['no method', message({}), 400, -32_600],
    ['another version of JSON-RPC', JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'ping' }), 400, -32_600],
    ['a subscription', message({ method: 'subscriptions/listen', params: {} }), 404, -32_601],
  ])('%s is refused as JSON-RPC', async (_what, rawBody, status, code) => {
    const answer = await send({ rawBody });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: { jsonrpc: '2.0', error: { code, message: expect.any(String) } },
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('accepts JSON alone, as programs without a library do, and gets it', async () => {
    const answer = await send({ headers: { accept: 'application/json' } });
    expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'has the content type %j, and is refused',
    async (type) => {
      const answer = await send({ headers: { 'content-type': type } });
      expect(answer.status).toBe(415);
    },
  );

  it('asks for an unknown method or tool, and gets an error of JSON-RPC', async () => {
    expect((await rpc(call, apiKey, 'resources/list')).body).toMatchObject({ error: { code: -32_601 } });
    const unknown = await rpc(call, apiKey, 'tools/call', { name: 'drop_tables', arguments: {} });
    expect(unknown.body).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('no such tool') },
    });
  });

  it('names a method of objects as a tool, and gets the same error', async () => {
    for (const name of ['constructor', '__proto__', 'toString', ''])
      expect((await rpc(call, apiKey, 'tools/call', { name, arguments: {} })).body).toMatchObject({
        error: { code: -32_602 },
      });
  });

  it('is a notification or a response, and is accepted without an answer or refused', async () => {
    const accepted = await send({
      rawBody: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    });
    expect(accepted).toMatchObject({ status: 202, text: '' });
    const response = await send({ rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }) });
    expect([202, 400]).toContain(response.status);
  });

  it.each(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '1999-01-01', 'x'.repeat(5_000)])(
    'claims the protocol version %.12s, and gets JSON',
    async (version) => {
      const answer = await rpc(
        call,
        apiKey,
        'tools/list',
        {},
        { headers: { 'mcp-protocol-version': version } },
      );
      expect(answer.body).toMatchObject({ jsonrpc: '2.0' });
    },
  );
});
