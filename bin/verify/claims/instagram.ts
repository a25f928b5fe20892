import * as z from 'zod';
import type { Parameters } from '../../../lib/platforms/contract/http.ts';
import { apiRoot, instagramClient } from '../../../lib/platforms/instagram/client.ts';
import { instagram } from '../../../lib/platforms/instagram/errors.ts';
import { captionLimits } from '../../../lib/platforms/instagram/limits.ts';
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
        'Create two containers of the image, with 30 hashtags and with a location, and never publish them. They count against the 400 containers of the day.',
      needs: 'image',
      audience: () => 'nobody',
      requests: [request('POST', `${api}/{account}/media`, 2), request('GET', `${api}/{object}`, 300)],
      claims: [
        {
          id: 'instagram-hashtags-accepted',
          text: 'A container accepts a caption with 30 hashtags.',
          expected: 'The container reads FINISHED',
          source:
            'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media; Instagram’s apps allow 5 since December 2025',
          check: (bench) =>
            checkContainer(bench, {
              image_url: bench.file('image').source.url,
              caption: Array.from({ length: captionLimits.hashtags }, (_, index) => `#check${index}`).join(
                ' ',
              ),
            }),
        },
        {
          id: 'instagram-location-accepted',
          text: 'A container accepts `location_id` with Instagram Login.',
          expected: 'The container reads FINISHED',
          source:
            'Meta’s generated SDK lists the parameter for accounts with Instagram Login, and other services send it; the guide names Facebook Login',
          check: (bench) =>
            checkContainer(bench, {
              image_url: bench.file('image').source.url,
              caption: checkText(bench),
              location_id: menloPark,
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
      id: 'instagram-hashtags-shown',
      text: 'A post with 6 to 30 hashtags, or with 4 to 20 mentions, shows its whole caption.',
      expected: 'The whole caption below the post',
      source:
        'Not documented: Instagram’s apps allow 5 hashtags since December 2025; https://github.com/a-legotin/InstaSharper/issues/190 saw a caption dropped',
      byHand: 'It takes a public post. Herald warns about such a caption.',
    },
    {
      id: 'instagram-product-tags-refused',
      text: 'The API with Instagram Login has no product tags, although Meta’s generated SDK lists `product_tags` for it.',
      expected: 'A refusal',
      source:
        'https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-media/product_tags asks for scopes of Facebook Login',
      byHand: 'It takes an account with a shop and a catalog. Herald does not offer product tags.',
    },
    {
      id: 'instagram-story-of-creator',
      text: 'Instagram publishes stories of business accounts only.',
      expected: 'A refusal for a creator account',
      source: 'https://developers.facebook.com/docs/instagram-platform/content-publishing',
      byHand: 'It takes a creator account and a public story. Herald warns.',
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

/** The Page of Meta's headquarters, which has an address. */
const menloPark = '104958162837';

const Me = z.object({ user_id: GraphId });

function get({ tools, accessToken: token }: Bench, path: string, query: Parameters) {
  return callGraph(tools, instagram, { method: 'GET', url: `${apiRoot(tools)}/${path}`, token, query });
}

const checkContainer = (bench: Bench, parameters: Parameters) =>
  checkProcessing(bench, instagramClient(bench, bench.tools), parameters);
