import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../../../lib/table/table.ts';
import { calls } from '../../../../lib/zernio/calls.ts';
import { type Call, openApi } from '../../../support/api.ts';
import { openWorkspace } from '../../../support/builders.ts';
import { type StoredIds, storeOneOfEach } from '../../../support/by-id.ts';
import { tableForm, zernioClient } from '../../../support/zernio.ts';

let table: Table;
let call: Call;
let ask: ReturnType<typeof zernioClient>;
let own: StoredIds;
beforeAll(async () => {
  ({ table, call } = await openApi());
  const { context, apiKey } = await openWorkspace(table, { now: Date.now() });
  ask = zernioClient(call, apiKey);
  own = await storeOneOfEach(table, context.workspaceId);
});

/** Names that the translation looks at, with values of any kind. */
const names = [
  ...['content', 'platforms', 'mediaItems', 'scheduledFor', 'queuedFromProfile', 'tags', 'tiktokSettings'],
  ...['facebookSettings', 'metadata', 'isDraft', 'publishNow', 'dryRun', 'platform', 'text', 'events', 'url'],
  ...[
    'secret',
    'webhookId',
    '_id',
    'eventId',
    'customHeaders',
    'keywords',
    'buttons',
    'followGate',
    'trigger',
  ],
  ...['__proto__', 'constructor', 'toString'],
];
const anyEntry = fc.dictionary(
  fc.constantFrom('platform', 'accountId', 'customMedia', 'platformSpecificData', 'threadItems', '__proto__'),
  fc.oneof(fc.jsonValue(), fc.constantFrom('threads', 'tiktok', 'toString')),
);
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.array(anyEntry), fc.boolean())),
);
const anyQuery = fc.dictionary(
  fc.constantFrom(
    'page',
    'limit',
    'offset',
    'sortBy',
    'status',
    'platform',
    'fromDate',
    'toDate',
    'count',
    'skip',
  ),
  fc.oneof(fc.string(), fc.constantFrom('toString', '-1', '1e9', '99999999999', '2026-13-45', '\u0000')),
);

/** Platforms are not there in this test, so what asks them cannot succeed. */
const asksPlatforms = [
  'getTikTokCreatorInfo',
  'getPinterestBoards',
  'createPinterestBoard',
  'getYoutubePlaylists',
];

it.each(calls.map(({ name, route }) => [name, route]))(
  '%s refuses nonsense in words',
  async (name, route) => {
    const filled = route
      .replace('{postId}', own.postId)
      .replace('{accountId}', own.accountId)
      .replace('{automationId}', own.automationId);
    await fc.assert(
      fc.asyncProperty(anyBody, anyQuery, async (body, query) => {
        const { status, body: answer } = await ask(filled, {
          ...(route.startsWith('GET') ? {} : { rawBody: JSON.stringify(body) }),
          query: new URLSearchParams(query as Record<string, string>).toString(),
        });
        if (status >= 500 && status !== 501 && !asksPlatforms.includes(name ?? ''))
          throw new Error(`${status} ${JSON.stringify(answer)}`);
      }),
      { numRuns: 15 },
    );
  },
);

it.each(['', 'a', '"', 'content,platforms\n"', '\u0000', `${'x,'.repeat(50)}\n${'y,'.repeat(500)}`])(
  'a table %j is refused in words',
  async (text) => {
    expect((await ask('POST /v1/posts/bulk-upload', tableForm(text))).status).toBeLessThan(500);
  },
);

it('a form that is none is refused', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await ask('POST /v1/posts/bulk-upload', { rawBody: 'nonsense', headers })).status).toBe(400);
});
