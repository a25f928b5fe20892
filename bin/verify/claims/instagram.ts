import * as z from 'zod';
import type { Parameters } from '../../../lib/platforms/contract/http.ts';
import { apiRoot, instagramClient } from '../../../lib/platforms/instagram/client.ts';
import { instagram } from '../../../lib/platforms/instagram/errors.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { callGraph, GraphId } from '../../../lib/platforms/shared/meta/graph.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import { checkProcessing, checkUnadvised, containerClaims, postingLimitClaim } from './containers.ts';
import { checkText, publishing, request, step } from './shared.ts';

const api = 'https://graph.instagram.com/{version}';
const container = [
  request('POST', `${api}/{account}/media`, 1),
  // Reads of the container, and of its post.
  request('GET', `${api}/{object}`, 150),
];

/** The claims that only a real account can settle. Containers are invisible; Instagram has no private posts. */
export const instagramVerification: PlatformVerification = {
  steps: [
    step({
      title: 'Read the account and its limit.',
      audience: () => 'nobody',
      requests: [
        request('GET', `${api}/me`, 1),
        request('GET', `${api}/{account}/content_publishing_limit`, 1),
      ],
      claims: [
        {
          id: 'instagram-own-account',
          text: 'The token reads its own account, whose `user_id` is the id that was stored when it was connected.',
          expected: 'The account’s id',
          source:
            'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started',
          async check(bench) {
            const { user_id: id } = readResponse(Me, await get(bench, 'me', { fields: 'user_id' }));
            return { isTrue: id === bench.account.platformAccountId, seen: `the id is ${id}` };
          },
        },
        postingLimitClaim(
          {
            platform: 'instagram',
            posts: 100,
            path: 'content_publishing_limit',
            source:
              'https://developers.facebook.com/docs/instagram-platform/content-publishing; its reference says 50',
          },
          get,
        ),
      ],
    }),
    step({
      title:
        'Create a container of the image with `is_ai_generated`, and never publish it. It counts against the 400 containers of the day.',
      needs: 'image',
      audience: () => 'nobody',
      requests: container,
      claims: [
        {
          id: 'instagram-ai-label-accepted',
          text: 'A container of an image accepts `is_ai_generated`.',
          expected: 'The container reads FINISHED',
          source: 'Named in the changelog only',
          check: (bench) =>
            checkContainer(bench, {
              image_url: bench.file('image').source.url,
              caption: checkText(bench),
              is_ai_generated: 'true',
            }),
        },
      ],
    }),
    step({
      title:
        'Create a container of a reel, and never publish it. It counts against the 400 containers of the day.',
      needs: 'video',
      audience: () => 'nobody',
      requests: container,
      claims: [
        {
          id: 'instagram-edit-list-accepted',
          text: 'A reel is accepted although its file has an edit list, or its index (moov) after its media.',
          expected: 'The container reads FINISHED',
          source:
            'https://developers.facebook.com/docs/instagram-platform/content-publishing asks for files without; others have seen them accepted',
          check: (bench) =>
            checkUnadvised(bench, (url) =>
              checkContainer(bench, { media_type: 'REELS', video_url: url, caption: checkText(bench) }),
            ),
        },
      ],
    }),
    step({
      title:
        'Publish the image, read it back, and publish its container a second time. If Instagram allows that, there are two posts.',
      needs: 'image',
      audience: () => 'everyone',
      requests: [
        ...container,
        request('POST', `${api}/{account}/media_publish`, 2),
        request('GET', `${api}/{account}/media`, 200),
      ],
      act: async (bench) => ({ live: await publishing('this post', 'image')(bench) }),
      claims: containerClaims({
        platform: 'instagram',
        clientOf: ({ tools }, { job }) => instagramClient(job, tools),
        page: 'https://developers.facebook.com/docs/instagram-platform/content-publishing',
        list: 'list of media',
        text: 'caption',
        refusal: '2207008',
      }),
    }),
  ],

  byHand: [
    {
      id: 'instagram-webhook-secret',
      text: 'Webhooks are signed with the secret of the Instagram app, or with that of the Meta app that contains it.',
      expected: 'Which of the two',
      source: 'https://github.com/chatwoot/chatwoot/pull/14280',
      byHand: 'Instagram sends webhooks to the service, not to this command. Herald accepts both.',
    },
    {
      id: 'instagram-comments-turned-off',
      text: 'Nobody can comment on a post after `comment_enabled=false`, with Instagram Login too.',
      expected: 'No field for a comment under the post',
      source: 'Meta’s generated SDK lists the parameter for media of accounts with Instagram Login',
      byHand: 'It takes another account to see. Herald reports a refusal as a warning.',
    },
  ],

  // Only the API with Facebook Login deletes media.
  removal: { requests: [], byHand: 'Delete the post in the Instagram app: its API cannot.' },
};

const Me = z.object({ user_id: GraphId });

function get({ tools, accessToken: token }: Bench, path: string, query: Parameters) {
  return callGraph(tools, instagram, { method: 'GET', url: `${apiRoot(tools)}/${path}`, token, query });
}

const checkContainer = (bench: Bench, parameters: Parameters) =>
  checkProcessing(bench, instagramClient(bench, bench.tools), parameters);
