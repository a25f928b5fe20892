import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../lib/operations.ts';
import type { Table } from '../../../lib/table/table.ts';
import { generateApiKey } from '../../../lib/workspaces/api-key.ts';
import { revokeKeyById } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
  ({ apiKey } = await openWorkspace(table));
});

/** Authorization headers that resemble a valid one, made from a valid key. */
const badHeaders: readonly (readonly [string, (good: string) => string])[] = [
  ['nothing', () => ''],
  ['a space', () => ' '],
  ['the scheme alone', () => 'Bearer'],
  ['the scheme and a space', () => 'Bearer '],
  ['the key alone', (good) => good],
  ['another scheme', (good) => `Basic ${good}`],
  ['basic credentials', (good) => `Basic ${Buffer.from(`${good}:`).toString('base64')}`],
  ['the scheme of tokens', (good) => `Token ${good}`],
  ['no space', (good) => `Bearer${good}`],
  ['a colon', (good) => `Bearer: ${good}`],
  ['an equals sign', (good) => `Bearer=${good}`],
  ['a tab', (good) => `Bearer\t${good}`],
  ['a leading space', (good) => ` Bearer ${good}`],
  ['a trailing space', (good) => `Bearer ${good} `],
  ['a trailing line end', (good) => `Bearer ${good}\n`],
  ['a trailing comma', (good) => `Bearer ${good},`],
  ['a trailing semicolon', (good) => `Bearer ${good};`],
  ['quotation marks', (good) => `Bearer "${good}"`],
  ['angle brackets', (good) => `Bearer <${good}>`],
  ['a parameter', (good) => `Bearer token=${good}`],
  ['two keys', (good) => `Bearer ${good} ${good}`],
  ['two headers in one', (good) => `Bearer ${good},Bearer ${good}`],
  ['two headers in one with a space', (good) => `Bearer ${good}, Bearer ${good}`],
  ['the scheme twice', (good) => `Bearer Bearer ${good}`],
  ['a key that was never issued', () => `Bearer ${generateApiKey()}`],
  ['a key without its prefix', (good) => `Bearer ${good.slice(4)}`],
  ['a key with an upper-case prefix', (good) => `Bearer YAY_${good.slice(4)}`],
  ['a key with another prefix', (good) => `Bearer yey_${good.slice(4)}`],
  ['a key in upper case', (good) => `Bearer ${good.toUpperCase()}`],
  ['a key in lower case', (good) => `Bearer ${good.toLowerCase()}`],
  ['a reversed key', (good) => `Bearer ${[...good].reverse().join('')}`],
  ['a key without its last character', (good) => `Bearer ${good.slice(0, -1)}`],
  ['a key with one more character', (good) => `Bearer ${good}0`],
  ['a key with two characters swapped', (good) => `Bearer ${good.slice(0, -2)}${good.at(-1)}${good.at(-2)}x`],
  ['a key in base64', (good) => `Bearer ${Buffer.from(good).toString('base64')}`],
  ['a key percent-encoded', (good) => `Bearer ${good.replace('_', '%5F')}`],
  ['a key with a space in it', (good) => `Bearer ${good.slice(0, 20)} ${good.slice(20)}`],
  ['a key with a full-width letter', (good) => `Bearer ${good.slice(0, -1)}\uff10`],
  ['a key with a trailing NUL', (good) => `Bearer ${good}\u0000`],
  ['a key with a zero-width space', (good) => `Bearer ${good}\u200b`],
  ['the prefix alone', () => 'Bearer yay_'],
  ['zeros', () => `Bearer yay_${'0'.repeat(46)}`],
  ['a UUID', () => 'Bearer 0190a0e0-0000-7000-8000-000000000000'],
  ['a JSON web token', () => 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ['an injection', () => "Bearer ' OR 1=1 --"],
  ['a table key', () => 'Bearer KEY#*'],
  ['undefined', () => 'Bearer undefined'],
  ['null', () => 'Bearer null'],
  ['JSON', (good) => `Bearer {"key":"${good}"}`],
  ['other letters', () => `Bearer ${'ключ'.repeat(12)}`],
  ['a very long text', () => `Bearer ${'a'.repeat(8_000)}`],
  ['a great many spaces', () => `Bearer${' '.repeat(8_000)}`],
  ['a signature of AWS', () => 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=x'],
];

describe('a request is rejected', () => {
  it.each(badHeaders)('with %s as its Authorization', async (what, header) => {
    const code = what === 'a key that was never issued' ? 'key_unknown' : 'key_malformed';
    const { status, body, headers } = await call('posts-list', {
      headers: { authorization: header(apiKey) },
    });
    expect(status).toBe(401);
    expect(body).toEqual({
      error: 'Authorization: must contain a valid API key: Bearer yay_…',
      code,
      docUrl: `https://api.example.com/docs/errors/${code}`,
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('without the header, or with the key in another place', async () => {
    for (const parts of [
      {},
      { headers: { 'x-api-key': apiKey } },
      { headers: { cookie: `authorization=Bearer ${apiKey}` } },
      { query: `authorization=Bearer%20${apiKey}&key=${apiKey}&access_token=${apiKey}` },
    ]) {
      expect((await call('posts-list', parts)).status).toBe(401);
    }
  });

  it('with a revoked key', async () => {
    const revoked = await openWorkspace(table);
    const { workspaceId } = revoked.context;
    const keyId = revoked.context.actor.id;
    await revokeKeyById(anOperator(table, Date.now(), 'key.revoke'), { workspaceId, keyId });
    expect((await call('posts-list', { apiKey: revoked.apiKey })).status).toBe(401);
  });

  it.each(operations.filter(({ access }) => access === 'key').map(({ id }) => id))(
    'by %s, whatever else is wrong with it',
    async (id) => {
      const { status, body } = await call(id, { rawBody: '{', query: 'limit=x&cursor=y', path: { id: 'x' } });
      expect([status, body.code]).toEqual([401, 'key_missing']);
    },
  );
});

describe('a request is accepted', () => {
  it.each([
    ['with a valid key', (good: string) => `Bearer ${good}`],
    ['with the scheme in lower case', (good: string) => `bearer ${good}`],
    ['with additional spaces', (good: string) => `Bearer   ${good}`],
  ])('%s', async (_what, header) => {
    expect((await call('posts-list', { headers: { authorization: header(apiKey) } })).status).toBe(200);
  });
});

it('public operations require no key', async () => {
  expect((await call('health')).body).toEqual({ status: 'ok' });
  expect((await call('openapi')).status).toBe(200);
  expect(await call('not-found').then(({ status, body }) => [status, body.code])).toEqual([
    404,
    'route_unknown',
  ]);
});

it('a tracked link with a slash at its end leads to the link', async () => {
  const toLink = async (route: string) => {
    const { status, headers } = await call('not-found', { route });
    return [status, headers['location']];
  };
  expect(await toLink('GET /r/abcdefghij12/')).toEqual([302, '/r/abcdefghij12']);
  expect(await toLink('GET /api/r/abcdefghij12/x')).toEqual([302, '/r/abcdefghij12']);
  expect(await toLink('POST /r/abcdefghij12/')).toEqual([404, undefined]);
  expect(await toLink('GET /r/short/')).toEqual([404, undefined]);
});
