import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { readPost } from '../../../lib/posts/read.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { type Call, openApi, type RequestParts } from '../../support/api.ts';
import { changeTarget, openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';

let api: Awaited<ReturnType<typeof openApi>>;
let call: Call;
let opened: Awaited<ReturnType<typeof openWorkspace>>;
let path: { readonly id: string; readonly accountId: string };
beforeAll(async () => {
  api = await openApi();
  ({ call } = api);
});
beforeEach(async () => {
  opened = await openWorkspace(api.table);
  const { workspaceId } = opened.context;
  const { id: accountId } = await storeAccount(api.table, workspaceId);
  const at = toTimestamp(startMs);
  const calls: Target['calls'] = [
    { intentAt: at, token: {}, endedAt: at, outcome: 'unknown', lookups: 2, misses: 2 },
  ];
  const failed: Partial<Target> = { accountId, status: 'failed', wakeAt: undefined, calls };
  const { post } = await storePost(api.table, workspaceId, [failed], { status: 'failed' });
  path = { id: post.id, accountId };
});

const ask = (operationId: string, parts: RequestParts, key?: string) => {
  const keyed = key === undefined ? {} : { 'idempotency-key': key };
  const headers = { authorization: `Bearer ${opened.apiKey}`, ...keyed };
  return call(operationId, { path, headers, ...parts });
};
const resolve = (body: object, key?: string) => ask('resolveTarget', { body }, key);
const retry = (key?: string) => ask('retryPost', {}, key);
const target = async () => {
  const [found] = (await readPost(opened.context, path.id)).targets;
  if (!found) throw new Error('no target');
  return found;
};
const failAgain = async () => changeTarget(api.table, await target(), { status: 'failed', wakeAt: null });

describe('POST /v1/posts/{id}/targets/{accountId}/resolve', () => {
  it('responds with the post after the verdict', async () => {
    const permalink = 'https://instagram.example/p/1';
    const answer = await resolve({ outcome: 'live', permalink, madeUp: 1 });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      post: { platforms: [{ status: 'published', permalink, error: null }] },
      warnings: [{ field: 'madeUp' }],
    });
  });

  it('says that a destination is not live', async () => {
    const { body } = await resolve({ outcome: 'not live', permalink: null });
    expect(body).toMatchObject({
      post: { platforms: [{ status: 'failed', errorDetail: { code: 'not_live', category: 'retryable' } }] },
    });
  });

  it('names the field that is missing', async () => {
    const { status, body } = await resolve({ outcome: 'live' });
    expect([status, body['code'], body['param']]).toEqual([400, 'field_required', 'permalink']);
  });
});

describe('the header Idempotency-Key', () => {
  it('makes a second retry with the same key change nothing', async () => {
    await resolve({ outcome: 'not live' });
    expect((await retry('k')).status).toBe(200);
    await failAgain();
    expect((await retry('k')).status).toBe(200);
    expect((await target()).status).toBe('failed');
    expect((await retry('another')).status).toBe(200);
    expect((await target()).status).toBe('scheduled');
  });

  it('is refused for another verdict', async () => {
    expect((await resolve({ outcome: 'not live' }, 'k')).status).toBe(200);
    const { status, body } = await resolve({ outcome: 'live', platformPostId: '1' }, 'k');
    expect([status, body['code']]).toEqual([409, 'idempotency_key_foreign']);
  });

  it.each(['', 'x'.repeat(256)])('is refused if it is "%s"', async (key) => {
    for (const answer of [await retry(key), await resolve({ outcome: 'not live' }, key)])
      expect([answer.status, String(answer.body['error'])]).toEqual([
        400,
        expect.stringMatching(/^Idempotency-Key: /),
      ]);
  });
});
