import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../lib/accounts/schemas.ts';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import type { PlatformResponse } from '../../../../lib/platforms/contract/http.ts';
import type { Platform } from '../../../../lib/platforms/contract/names.ts';
import type { PlatformTools } from '../../../../lib/platforms/contract/tools.ts';
import { insightsFor } from '../../../../lib/platforms/registry/insights.ts';
import { deletingUnlessReadable } from '../../../../lib/platforms/shared/removal.ts';
import { startMs } from '../../../support/builders.ts';

const missing = new PlatformError('rejected', 'does not exist, or cannot be loaded', {
  platformCode: '100/33',
});
const isMissing = (error: unknown): error is PlatformError => error === missing;

describe('a post that a platform says it cannot find, or may not show', () => {
  it.each<[string, readonly ('account' | 'post')[], object]>([
    ['is gone if the account can be read, and the post cannot', ['account'], { deletion: 'gone' }],
    ['is tried again if it can be read', ['account', 'post'], { error: { remedy: 'retry' } }],
    ['is not gone if the account cannot be read either', [], { error: { platformCode: '100/33' } }],
  ])('%s', async (_name, readable, outcome) => {
    const read = async (what: 'account' | 'post') => {
      if (!readable.includes(what)) throw missing;
    };
    const deletion = deletingUnlessReadable(() => Promise.reject(missing), isMissing, read);
    expect(
      await deletion.then(
        (done) => ({ deletion: done }),
        (error) => ({ error }),
      ),
    ).toMatchObject(outcome);
  });
});

describe('a page with status 404 that is not the platform’s own', () => {
  it.each<[Platform, string, Account['meta']]>([
    ['linkedin', 'urn:li:share:7', { as: 'organization' }],
    ['pinterest', '7', {}],
  ])('does not say that a post on %s is gone', async (platform, platformPostId, meta) => {
    const answer = (status: number, json?: PlatformResponse['json']): PlatformResponse => {
      return { status, json, headers: {}, text: json ? '' : '<h1>Not Found</h1>', call: 'GET' };
    };
    const send: PlatformTools['http']['send'] = async ({ url }) =>
      /analytics|Statistics/.test(url) ? answer(200, { elements: [] }) : answer(404);
    const tools = { http: { send }, now: () => startMs } as unknown as PlatformTools;
    const account = { platformAccountId: 'urn:li:organization:1', username: 'name', meta, scopes: [] };
    const asked = [{ platformPostId, publishedMs: startMs, isStory: false }];
    const request = { account, accessToken: 'token', nowMs: startMs };
    const reader = await insightsFor(platform);
    await expect(reader.readPosts(asked, request, tools)).rejects.toMatchObject({ remedy: 'unknown' });
  });
});
