import * as z from 'zod';
import type { Bench, PlatformVerification } from '../contract/verification.ts';
import { readResponse } from '../shared/json.ts';
import { settlePublished } from '../shared/meta/verify-published.ts';
import {
  checkText,
  describeRefusal,
  listPatienceSeconds,
  outcomeOf,
  request,
} from '../shared/verification.ts';
import { apiRoot, callThreads, threadsClient } from './client.ts';

const api = 'https://graph.threads.net/{version}';

/** The claims that only a real account can settle. Threads has no private posts, so most of them need a public one. */
export const threadsVerification: PlatformVerification = {
  claims: [
    {
      id: 'threads-own-account',
      text: 'The token reads its own account, with the id that was stored when it was connected.',
      expected: 'The account’s id',
      source: 'https://developers.facebook.com/docs/threads/threads-profiles',
    },
    {
      id: 'threads-debug-token',
      text: '`debug_token` lists the scopes of a token of an ordinary user, who is not a tester of the app.',
      expected: 'A list with `threads_basic`',
      source: 'https://developers.facebook.com/docs/threads/reference/debug/ documents it for testers only',
    },
    {
      id: 'threads-posting-limit',
      text: 'An account may publish 250 posts in any 24 hours.',
      expected: '`quota_total` 250, `quota_duration` 86400',
      source: 'https://developers.facebook.com/docs/threads/overview',
    },
    {
      id: 'threads-finished-can-be-published',
      text: 'A container of a text that reads FINISHED can be published without a further wait.',
      expected: 'The post, without a refusal',
      source:
        'https://developers.facebook.com/docs/threads/posts recommends 30 seconds; others have seen refusals with 4279009',
    },
    {
      id: 'threads-container-reads-published',
      text: 'The container of a published post reads PUBLISHED, within a minute.',
      expected: 'PUBLISHED',
      source: 'https://developers.facebook.com/docs/threads/troubleshooting names no lag',
    },
    {
      id: 'threads-second-publish-refused',
      text: 'A container that is published a second time is refused with 4279009, and no second post appears.',
      expected: 'A refusal with 24/4279009',
      source: 'Not documented',
    },
    {
      id: 'threads-post-listed',
      text: `The account’s list of posts shows a new post, with its text and its time, within ${listPatienceSeconds} seconds.`,
      expected: 'A lookup finds the post',
      source: 'Our judgement: no lag is documented',
    },
  ],

  steps: [
    {
      title: 'Read the account, its scopes and its limit.',
      audience: () => 'nobody',
      claims: ['threads-own-account', 'threads-debug-token', 'threads-posting-limit'],
      requests: [
        request('GET', `${api}/me`, 4),
        request('GET', `${api}/debug_token`, 1),
        request('GET', `${api}/{account}/threads_publishing_limit`, 1),
      ],
      run: checkAccount,
    },
    {
      title:
        'Publish a text, read it back, and publish its container a second time. If Threads allows that, there are two posts.',
      audience: () => 'everyone',
      claims: [
        'threads-finished-can-be-published',
        'threads-container-reads-published',
        'threads-second-publish-refused',
        'threads-post-listed',
      ],
      requests: [
        request('POST', `${api}/{account}/threads`, 1),
        request('POST', `${api}/{account}/threads_publish`, 2),
        request('GET', `${api}/{account}/threads`, 200),
        request('GET', `${api}/{object}`, 100),
      ],
      run: checkPost,
    },
  ],

  removal: {
    // The API requires the permission `threads_delete`, which publishing does not request.
    // https://developers.facebook.com/docs/threads/posts/delete-posts
    requests: [request('DELETE', `${api}/{post}`, 3), request('GET', `${api}/me`, 3)],
    async remove({ id }, { tools, accessToken: token }) {
      await callThreads(tools, {
        method: 'DELETE',
        url: `${apiRoot(tools)}/${encodeURIComponent(id)}`,
        token,
      });
    },
    byHand: 'Delete the post in Threads.',
  },
};

const Me = z.object({ id: z.coerce.string() });
const Inspection = z.object({ data: z.object({ scopes: z.array(z.string()) }) });
const Limit = z.object({
  data: z.array(z.object({ config: z.object({ quota_total: z.number(), quota_duration: z.number() }) })),
});

async function checkAccount({ account, accessToken: token, tools, settle }: Bench): Promise<void> {
  const root = apiRoot(tools);
  const get = (path: string, query: Record<string, string>) =>
    callThreads(tools, { method: 'GET', url: `${root}/${path}`, token, query });

  const { id } = readResponse(Me, await get('me', { fields: 'id' }));
  settle('threads-own-account', id === account.platformAccountId, `the id is ${id}`);

  const path = `${encodeURIComponent(account.platformAccountId)}/threads_publishing_limit`;
  const { data } = readResponse(Limit, await get(path, { fields: 'quota_usage,config' }));
  const { quota_total: total, quota_duration: seconds } = data[0]?.config ?? {};
  settle('threads-posting-limit', total === 250 && seconds === 86_400, `${total} in ${seconds} seconds`);

  // Checked last: an ordinary user may be refused.
  const { value, refusal } = await outcomeOf(() => get('debug_token', { input_token: token }));
  const scopes = value && readResponse(Inspection, value).data.scopes;
  settle(
    'threads-debug-token',
    scopes?.includes('threads_basic') === true,
    scopes ? `scopes: ${scopes.join(', ')}` : describeRefusal(refusal),
  );
}

async function checkPost(bench: Bench): Promise<void> {
  const { settle, tools } = bench;
  const { value: live, refusal: lost } = await outcomeOf(() =>
    bench.publish({ content: checkText(bench), media: [], options: {} }),
  );
  if (live === undefined && lost?.platformCode !== '24/4279009') throw lost;
  settle('threads-finished-can-be-published', live !== undefined, describeRefusal(lost, 'it was published'));
  if (live === undefined) return;

  const client = threadsClient(live.job, tools);
  await settlePublished(bench, live, client, { platform: 'threads', refusalCode: '24/4279009' });
}
