import * as z from 'zod';
import type { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { Parameters } from '../../../lib/platforms/contract/http.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { apiRoot, callThreads, threadsClient } from '../../../lib/platforms/threads/client.ts';
import type { Bench, PlatformVerification, VerifiedLivePost } from '../verification.ts';
import { checkProcessing, checkUnadvised, containerClaims, postingLimitClaim } from './containers.ts';
import { checkText, describeRefusal, outcomeOf, publishing, request, step } from './shared.ts';

const api = 'https://graph.threads.{host}/{version}';

interface Published {
  /** Undefined if the publication was refused. */
  readonly live: VerifiedLivePost | undefined;
  readonly refusal: PlatformError | undefined;
}

/** The claims that only a real account can settle. Threads has no private posts, so most of them need a public one. */
export const threadsVerification: PlatformVerification = {
  steps: [
    step({
      title: 'Read the account, its scopes and its limit.',
      audience: () => 'nobody',
      requests: [
        request('GET', `${api}/me`, 4),
        request('GET', `${api}/debug_token`, 1),
        request('GET', `${api}/{account}/threads_publishing_limit`, 1),
      ],
      claims: [
        {
          id: 'threads-own-account',
          text: 'The token reads its own account, with the id that was stored when it was connected.',
          expected: 'The account’s id',
          source: 'https://developers.facebook.com/docs/threads/threads-profiles',
          async check(bench) {
            const { id } = readResponse(Me, await get(bench, 'me', { fields: 'id' }));
            return { isTrue: id === bench.account.platformAccountId, seen: `the id is ${id}` };
          },
        },
        postingLimitClaim(
          {
            platform: 'threads',
            posts: 250,
            path: 'threads_publishing_limit',
            source: 'https://developers.facebook.com/docs/threads/overview',
          },
          get,
        ),
        // Checked last: an ordinary user may be refused.
        {
          id: 'threads-debug-token',
          text: '`debug_token` lists the scopes of a token of an ordinary user, who is not a tester of the app.',
          expected: 'A list with `threads_basic`',
          source:
            'https://developers.facebook.com/docs/threads/reference/debug/ documents it for testers only',
          async check(bench) {
            const read = () => get(bench, 'debug_token', { input_token: bench.accessToken });
            const { value, refusal } = await outcomeOf(read);
            const scopes = value && readResponse(Inspection, value).data.scopes;
            return {
              isTrue: scopes?.includes('threads_basic') === true,
              seen: scopes ? `scopes: ${scopes.join(', ')}` : describeRefusal(refusal),
            };
          },
        },
      ],
    }),
    step({
      title: 'Create a container of a video, and never publish it.',
      needs: 'video',
      audience: () => 'nobody',
      requests: [request('POST', `${api}/{account}/threads`, 1), request('GET', `${api}/{object}`, 150)],
      claims: [
        {
          id: 'threads-edit-list-accepted',
          text: 'A video is accepted although its file has an edit list, or its index (moov) after its media.',
          expected: 'The container reads FINISHED',
          source:
            'https://developers.facebook.com/docs/threads/overview asks for files without; Instagram accepts them',
          check: (bench) =>
            checkUnadvised(bench, (url) =>
              checkProcessing(bench, threadsClient(bench, bench.tools), {
                media_type: 'VIDEO',
                video_url: url,
                text: checkText(bench),
              }),
            ),
        },
      ],
    }),
    step({
      title: 'Create a container of a text of 504 bytes, and never publish it.',
      audience: () => 'nobody',
      requests: [request('POST', `${api}/{account}/threads`, 1), request('GET', `${api}/{object}`, 150)],
      claims: [
        {
          id: 'threads-characters-counted',
          text: 'A text of 498 characters and 504 bytes is accepted: only emoji count by their bytes.',
          expected: 'The container reads FINISHED',
          source:
            'https://developers.facebook.com/docs/threads/posts; https://github.com/gitroomhq/postiz-app/pull/1946 saw it refused',
          check: (bench) =>
            checkProcessing(bench, threadsClient(bench, bench.tools), {
              media_type: 'TEXT',
              text: `${'a'.repeat(495)}\u2019\u2019\u2019`,
            }),
        },
      ],
    }),
    step<Published>({
      title:
        'Publish a text, read it back, and publish its container a second time. If Threads allows that, there are two posts.',
      audience: () => 'everyone',
      requests: [
        request('POST', `${api}/{account}/threads`, 1),
        request('POST', `${api}/{account}/threads_publish`, 2),
        request('GET', `${api}/{account}/threads`, 200),
        request('GET', `${api}/{object}`, 100),
      ],
      async act(bench) {
        const { value: live, refusal } = await outcomeOf(() => publishing()(bench));
        if (live === undefined && refusal?.platformCode !== '24/4279009') throw refusal;
        return { live, refusal };
      },
      claims: [
        {
          id: 'threads-finished-can-be-published',
          text: 'A container of a text that reads FINISHED can be published without a further wait.',
          expected: 'The post, without a refusal',
          source:
            'https://developers.facebook.com/docs/threads/posts recommends 30 seconds; others have seen refusals with 4279009',
          check: (_bench, { live, refusal }) => ({
            isTrue: live !== undefined,
            seen: describeRefusal(refusal, 'it was published'),
          }),
        },
        ...containerClaims({
          platform: 'threads',
          clientOf: ({ tools }, { job }) => threadsClient(job, tools),
          page: 'https://developers.facebook.com/docs/threads/troubleshooting',
          list: 'list of posts',
          text: 'text',
          refusal: '4279009',
        }),
      ],
    }),
  ],

  byHand: [],

  removal: {
    // The API requires the permission `threads_delete`, which publishing does not request.
    // https://developers.facebook.com/docs/threads/posts/delete-posts
    requests: [request('DELETE', `${api}/{post}`, 3), request('GET', `${api}/me`, 3)],
    async remove({ id }, { tools, accessToken: token }) {
      const url = `${apiRoot(tools)}/${encodeURIComponent(id)}`;
      await callThreads(tools, { method: 'DELETE', url, token });
    },
    byHand: 'Delete the post in Threads.',
  },
};

const Me = z.object({ id: z.coerce.string() });
const Inspection = z.object({ data: z.object({ scopes: z.array(z.string()) }) });

function get({ tools, accessToken: token }: Bench, path: string, query: Parameters) {
  return callThreads(tools, { method: 'GET', url: `${apiRoot(tools)}/${path}`, token, query });
}
