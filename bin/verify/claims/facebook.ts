import * as z from 'zod';
import type { Parameters } from '../../../lib/platforms/contract/http.ts';
import { apiRoot, appSecretProof, facebookClient } from '../../../lib/platforms/facebook/client.ts';
import { facebook } from '../../../lib/platforms/facebook/errors.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { callGraph, GraphId } from '../../../lib/platforms/shared/meta/graph.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import {
  describeRefusal,
  findAgain,
  listPatienceSeconds,
  outcomeOf,
  publishAgain,
  publishing,
  refusedWith,
  request,
  step,
} from './shared.ts';

const api = 'https://graph.facebook.com/{version}';
const lists = request('GET', `${api}/{page}/published_posts`, 200);
const objects = request('GET', `${api}/{object}`, 100);
const videoUploads = request('POST', 'https://graph-video.facebook.com/{version}/{page}/videos', 400);

/** The claims that only a real Page can settle. */
export const facebookVerification: PlatformVerification = {
  steps: [
    step({
      title: 'Read the Page.',
      audience: () => 'nobody',
      requests: [objects],
      claims: [
        {
          id: 'facebook-own-page',
          text: 'The Page’s token reads the Page itself, with an `appsecret_proof`.',
          expected: 'The Page’s id',
          source: 'https://developers.facebook.com/docs/graph-api/guides/secure-requests',
          async check(bench) {
            const { platformAccountId } = bench.account;
            const { id } = readResponse(Page, await get(bench, platformAccountId, { fields: 'id' }));
            return { isTrue: id === platformAccountId, seen: `the id is ${id}` };
          },
        },
      ],
    }),
    step({
      title: 'Upload the image as an unpublished photo.',
      needs: 'image',
      audience: () => 'nobody',
      requests: [
        request('POST', `${api}/{page}/photos`, 1),
        request('GET', `${api}/{page}/published_posts`, 1),
      ],
      async act(bench) {
        const client = facebookClient(bench, bench.tools);
        const id = await client.uploadPhoto(bench.file('image').source.url, undefined);
        bench.made({ kind: 'photo', id, title: `the unpublished photo ${id}`, where: 'the Page’s photos' });
        return id;
      },
      claims: [
        {
          id: 'facebook-unpublished-photo-hidden',
          text: 'A photo that is uploaded with `published=false` makes no post.',
          expected: 'None of the Page’s newest posts shows it',
          source: 'https://developers.facebook.com/docs/graph-api/reference/page/photos/',
          async check(bench, id) {
            const posts = await newestPosts(bench);
            const shown = posts.find(({ attached }) => attached.includes(id));
            const seen = shown ? `the post ${shown.id} shows it` : `none of ${posts.length} posts shows it`;
            return { isTrue: shown === undefined, seen };
          },
        },
      ],
    }),
    step({
      title: 'Make a draft of a text.',
      audience: () => 'nobody',
      requests: [
        request('POST', `${api}/{page}/feed`, 1),
        request('GET', `${api}/{page}/published_posts`, 1),
        request('GET', `${api}/{object}`, 1),
      ],
      act: publishing('this draft', undefined, { draft: true }),
      claims: [
        {
          id: 'facebook-text-draft',
          text: 'A text with `published=false` and `unpublished_content_type=DRAFT` makes a draft, which is not among the Page’s published posts.',
          expected: 'A readable id that `published_posts` does not have',
          source: 'The reference lists the value; what it does is documented for reels only',
          async check(bench, { post: { platformPostId: id } }) {
            await get(bench, id ?? '', { fields: 'id' });
            const isListed = (await newestPosts(bench)).some((post) => post.id === id);
            return { isTrue: !isListed, seen: `${id} ${isListed ? 'is listed' : 'is not listed'}` };
          },
        },
      ],
    }),
    step({
      title: 'Make a draft of the video.',
      needs: 'video',
      audience: () => 'nobody',
      requests: [videoUploads, objects],
      // Throws if Facebook reports a failure, or never reports that the video is ready.
      act: publishing('this draft of a video', 'video', { draft: true }),
      claims: [
        {
          id: 'facebook-video-draft',
          text: 'The status of a video that is uploaded as a draft becomes ready, and the video stays unpublished.',
          expected: 'Ready, with `published` false',
          source: 'Our judgement: documented for reels only',
          async check(bench, { post, processedSeconds }) {
            const response = await get(bench, post.platformPostId ?? '', { fields: 'published' });
            const { published } = readResponse(Published, response);
            const seconds = Math.round(processedSeconds);
            return {
              isTrue: !published,
              seen: `ready after ${seconds} seconds, \`published\` is ${published}`,
            };
          },
        },
      ],
    }),
    step({
      title:
        'Publish a text, read it and its comments, and publish the same text again. If Facebook allows that, there are two posts.',
      audience: () => 'everyone',
      requests: [
        request('POST', `${api}/{page}/feed`, 2),
        request('GET', `${api}/{post}/comments`, 1),
        lists,
        objects,
      ],
      act: publishing(),
      claims: [
        {
          id: 'facebook-same-text-refused',
          text: 'A text that is identical to the Page’s last post is refused with 506.',
          expected: 'A refusal with 506',
          source: 'https://developers.facebook.com/docs/graph-api/guides/error-handling',
          check: async (bench, live) => refusedWith(await publishAgain(bench, live), '506'),
        },
        {
          id: 'facebook-text-listed',
          text: `The Page’s list of posts shows a new text, unchanged and with its time, within ${listPatienceSeconds} seconds.`,
          expected: 'A lookup finds the post',
          source: 'Our judgement: no lag is documented',
          check: (bench, live) => findAgain(bench, live),
        },
        {
          id: 'facebook-comments-need-permission',
          text: 'To read the comments on the Page’s own post, an app needs `pages_read_user_content`.',
          expected: 'A refusal with 10',
          source: 'https://developers.facebook.com/docs/graph-api/reference/page-post/comments/',
          async check(bench, { post }) {
            const client = facebookClient(bench, bench.tools);
            const { refusal } = await outcomeOf(() =>
              client.hasOwnComment(post.platformPostId ?? '', 'none'),
            );
            return {
              isTrue: refusal?.platformCode === '10',
              seen: describeRefusal(
                refusal,
                'the comments were read; the app may have the permission or Page Public Content Access',
              ),
            };
          },
        },
      ],
    }),
    step({
      title:
        'Publish the image, and then the same photo again. If Facebook allows that, there are two posts.',
      needs: 'image',
      audience: () => 'everyone',
      requests: [
        request('POST', `${api}/{page}/photos`, 1),
        request('POST', `${api}/{page}/feed`, 2),
        lists,
        objects,
      ],
      act: publishing('this photo', 'image'),
      claims: [
        {
          id: 'facebook-same-photos-refused',
          text: 'A second post with the same uploaded photos is refused with 1366051.',
          expected: 'A refusal with 1366051',
          source: 'Pages API: troubleshooting, "These photos were already posted"',
          check: async (bench, live) => refusedWith(await publishAgain(bench, live), '1366051'),
        },
      ],
    }),
    step({
      title: 'Publish the video, and read its status and its post.',
      needs: 'video',
      audience: () => 'everyone',
      requests: [videoUploads, objects],
      act: publishing('this video', 'video'),
      claims: [
        {
          id: 'facebook-video-post-id',
          text: 'The `post_id` of a video is the whole id of its post (`<page>_<post>`), or the part after the underscore.',
          expected: 'One of the two, which names a post that can be read',
          source: 'Both have been seen in live responses',
          async check(bench, { post: { platformPostId, permalink } }) {
            const page = bench.account.platformAccountId;
            const { value: given } = await bench.poll(60, async () => {
              const response = await get(bench, platformPostId ?? '', { fields: 'post_id' });
              return readResponse(Video, response).post_id;
            });
            if (given === undefined) return { isTrue: false, seen: `no \`post_id\` for ${permalink}` };
            const isWhole = given.includes('_');
            const whole = isWhole ? given : `${page}_${given}`;
            const { refusal } = await outcomeOf(() => get(bench, whole, { fields: 'id' }));
            const form = isWhole ? 'the whole id' : 'the part after the underscore';
            return {
              isTrue: refusal === undefined && whole.startsWith(`${page}_`),
              seen: `${form}; ${describeRefusal(refusal, 'the post can be read')}`,
            };
          },
        },
      ],
    }),
  ],

  byHand: [
    {
      id: 'facebook-story-photo-reused',
      text: 'A second story with the same photo is not refused.',
      expected: 'A second story',
      source:
        'https://developers.facebook.com/docs/page-stories-api does not say whether a story counts as a post',
      byHand:
        'Photo stories cannot be deleted by the API. Herald assumes the worse: it sends a story only once.',
    },
    {
      id: 'facebook-video-published-later',
      text: 'A video or reel that was uploaded unpublished, and processed, becomes visible at once with a later call that publishes it.',
      expected:
        'A call, documented for organic posts, after which the video is visible without more processing',
      source:
        'https://developers.facebook.com/docs/graph-api/reference/page/videos names unpublished videos for advertising only; https://developers.facebook.com/documentation/video-api/guides/reels-publishing has drafts, and no call that publishes one',
      byHand:
        'No documented call is known to try. Herald assumes that there is none, and publishes with the call that ends the upload.',
    },
    {
      id: 'facebook-vertical-video',
      text: 'An upright video that is uploaded as a plain video is published, not kept as the draft of a reel.',
      expected: 'A visible video',
      source: 'https://github.com/gitroomhq/postiz-app/pull/1740 saw drafts',
      byHand: 'It takes an upright video and a public post. Herald warns, and publishes it as a plain video.',
    },
    {
      id: 'facebook-reel-limit',
      text: 'The 31st reel of a Page within 24 hours is refused with a rate limit, and the Page’s list of reels has the 30.',
      expected: 'A refusal with 1390008, and 30 reels of the last 24 hours',
      source:
        'https://developers.facebook.com/documentation/video-api/guides/reels-publishing names the limit, not the error',
      byHand:
        'It takes 31 public reels. Herald reads the list after a rate limit, and waits until the oldest of 30 is a day old.',
    },
    {
      id: 'facebook-reel-collaborator',
      text: 'A reel that is live can get a collaborator: the invited Page is told, and shows the reel once it accepts.',
      expected: 'An answer with `success` and the link of the invitation',
      source:
        'https://developers.facebook.com/documentation/video-api/guides/reels-publishing ("Invite a collaborator")',
      byHand: 'It takes a second Page, whose people are told. Herald invites each Page once.',
    },
    {
      id: 'facebook-audience-by-country',
      text: 'A post with `targeting` is shown only to people in its countries, also if it has photos.',
      expected: 'Nobody in another country sees the post',
      source: 'https://developers.facebook.com/docs/graph-api/reference/page/feed',
      byHand: 'It takes a person in another country to see.',
    },
  ],

  removal: {
    // The API requires `pages_manage_posts`. https://developers.facebook.com/docs/pages-api/posts#delete-a-post
    requests: [request('DELETE', `${api}/{object}`, 3)],
    remove: async ({ id }, bench) => void (await call(bench, 'DELETE', id, {})),
    byHand: 'Delete it in Meta Business Suite.',
  },
};

const Page = z.object({ id: GraphId });
const Published = z.object({ published: z.boolean() });
const Video = z.object({ post_id: GraphId.optional() });

const get = (bench: Bench, path: string, query: Parameters) => call(bench, 'GET', path, query);

function call(
  { tools, accessToken: token }: Bench,
  method: 'GET' | 'DELETE',
  path: string,
  query: Parameters,
) {
  const url = `${apiRoot(tools)}/${encodeURIComponent(path)}`;
  return callGraph(tools, facebook, {
    method,
    url,
    token,
    query: { ...query, ...appSecretProof(token, tools) },
  });
}

/** Reads the first page of the Page's posts. */
async function newestPosts(bench: Bench) {
  for await (const posts of facebookClient(bench, bench.tools).listPosts()) return posts;
  return [];
}
