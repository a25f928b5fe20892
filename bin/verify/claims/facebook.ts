import * as z from 'zod';
import type { Parameters } from '../../../lib/platforms/contract/http.ts';
import { apiRoot, appSecretProof, facebookClient } from '../../../lib/platforms/facebook/client.ts';
import { facebook } from '../../../lib/platforms/facebook/errors.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { callGraph, GraphId } from '../../../lib/platforms/shared/meta/graph.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import {
  checkText,
  describeRefusal,
  listPatienceSeconds,
  outcomeOf,
  request,
  settleFound,
} from './shared.ts';

const api = 'https://graph.facebook.com/{version}';
const lists = request('GET', `${api}/{page}/published_posts`, 200);
const objects = request('GET', `${api}/{object}`, 100);

/** The claims that only a real Page can settle. */
export const facebookVerification: PlatformVerification = {
  claims: [
    {
      id: 'facebook-own-page',
      text: 'The Page’s token reads the Page itself, with an `appsecret_proof`.',
      expected: 'The Page’s id',
      source: 'https://developers.facebook.com/docs/graph-api/guides/secure-requests',
    },
    {
      id: 'facebook-unpublished-photo-hidden',
      text: 'A photo that is uploaded with `published=false` makes no post.',
      expected: 'None of the Page’s newest posts shows it',
      source: 'https://developers.facebook.com/docs/graph-api/reference/page/photos/',
    },
    {
      id: 'facebook-text-draft',
      text: 'A text with `published=false` and `unpublished_content_type=DRAFT` makes a draft, which is not among the Page’s published posts.',
      expected: 'A readable id that `published_posts` does not have',
      source: 'The reference lists the value; what it does is documented for reels only',
    },
    {
      id: 'facebook-video-draft',
      text: 'The status of a video that is uploaded as a draft becomes ready, and the video stays unpublished.',
      expected: 'Ready, with `published` false',
      source: 'Our judgement: documented for reels only',
    },
    {
      id: 'facebook-text-listed',
      text: `The Page’s list of posts shows a new text, unchanged and with its time, within ${listPatienceSeconds} seconds.`,
      expected: 'A lookup finds the post',
      source: 'Our judgement: no lag is documented',
    },
    {
      id: 'facebook-same-text-refused',
      text: 'A text that is identical to the Page’s last post is refused with 506.',
      expected: 'A refusal with 506',
      source: 'https://developers.facebook.com/docs/graph-api/guides/error-handling',
    },
    {
      id: 'facebook-comments-need-permission',
      text: 'To read the comments on the Page’s own post, an app needs `pages_read_user_content`.',
      expected: 'A refusal with 10',
      source: 'https://developers.facebook.com/docs/graph-api/reference/page-post/comments/',
    },
    {
      id: 'facebook-same-photos-refused',
      text: 'A second post with the same uploaded photos is refused with 1366051.',
      expected: 'A refusal with 1366051',
      source: 'Pages API: troubleshooting, "These photos were already posted"',
    },
    {
      id: 'facebook-video-post-id',
      text: 'The `post_id` of a video is the whole id of its post (`<page>_<post>`), or the part after the underscore.',
      expected: 'One of the two, which names a post that can be read',
      source: 'Both have been seen in live responses',
    },
    {
      id: 'facebook-story-photo-reused',
      text: 'A second story with the same photo is not refused.',
      expected: 'A second story',
      source:
        'https://developers.facebook.com/docs/page-stories-api does not say whether a story counts as a post',
      byHand:
        'Photo stories cannot be deleted by the API. Herald assumes the worse: it sends a story only once.',
    },
  ],

  steps: [
    {
      title: 'Read the Page.',
      audience: () => 'nobody',
      claims: ['facebook-own-page'],
      requests: [objects],
      async run(bench) {
        const { id } = readResponse(
          Page,
          await get(bench, bench.account.platformAccountId, { fields: 'id' }),
        );
        bench.settle('facebook-own-page', id === bench.account.platformAccountId, `the id is ${id}`);
      },
    },
    {
      title: 'Upload the image as an unpublished photo.',
      needs: ['image'],
      audience: () => 'nobody',
      claims: ['facebook-unpublished-photo-hidden'],
      requests: [
        request('POST', `${api}/{page}/photos`, 1),
        request('GET', `${api}/{page}/published_posts`, 1),
      ],
      run: checkPhoto,
    },
    {
      title: 'Make a draft of a text.',
      audience: () => 'nobody',
      claims: ['facebook-text-draft'],
      requests: [
        request('POST', `${api}/{page}/feed`, 1),
        request('GET', `${api}/{page}/published_posts`, 1),
        request('GET', `${api}/{object}`, 1),
      ],
      run: checkDraft,
    },
    {
      title: 'Make a draft of the video.',
      needs: ['video'],
      audience: () => 'nobody',
      claims: ['facebook-video-draft'],
      requests: [request('POST', 'https://graph-video.facebook.com/{version}/{page}/videos', 400), objects],
      run: checkVideoDraft,
    },
    {
      title:
        'Publish a text, read it and its comments, and publish the same text again. If Facebook allows that, there are two posts.',
      audience: () => 'everyone',
      claims: ['facebook-text-listed', 'facebook-comments-need-permission', 'facebook-same-text-refused'],
      requests: [
        request('POST', `${api}/{page}/feed`, 2),
        request('GET', `${api}/{post}/comments`, 1),
        lists,
        objects,
      ],
      run: checkTextPost,
    },
    {
      title:
        'Publish the image, and then the same photo again. If Facebook allows that, there are two posts.',
      needs: ['image'],
      audience: () => 'everyone',
      claims: ['facebook-same-photos-refused'],
      requests: [
        request('POST', `${api}/{page}/photos`, 1),
        request('POST', `${api}/{page}/feed`, 2),
        lists,
        objects,
      ],
      async run(bench) {
        const live = await bench.publish({
          content: checkText(bench, 'this photo'),
          media: [bench.file('image').source],
          options: {},
        });
        const again = await bench.again(live, async () => {
          const { platformPostId } = await bench.adapter.goLive(live.job, bench.tools);
          return platformPostId;
        });
        settleRefusal(bench, 'facebook-same-photos-refused', again, '1366051');
      },
    },
    {
      title: 'Publish the video, and read its status and its post.',
      needs: ['video'],
      audience: () => 'everyone',
      claims: ['facebook-video-post-id'],
      requests: [request('POST', 'https://graph-video.facebook.com/{version}/{page}/videos', 400), objects],
      run: checkVideo,
    },
  ],

  removal: {
    // The API requires `pages_manage_posts`. https://developers.facebook.com/docs/pages-api/posts#delete-a-post
    requests: [request('DELETE', `${api}/{object}`, 3)],
    async remove({ id }, { tools, accessToken: token }) {
      await callGraph(tools, facebook, {
        method: 'DELETE',
        url: `${apiRoot(tools)}/${encodeURIComponent(id)}`,
        token,
        query: appSecretProof(token, tools),
      });
    },
    byHand: 'Delete it in Meta Business Suite.',
  },
};

const Page = z.object({ id: GraphId });

function get({ tools, accessToken: token }: Bench, path: string, query: Parameters) {
  const url = `${apiRoot(tools)}/${encodeURIComponent(path)}`;
  return callGraph(tools, facebook, {
    method: 'GET',
    url,
    token,
    query: { ...query, ...appSecretProof(token, tools) },
  });
}

function settleRefusal(
  { settle }: Bench,
  claim: string,
  refusal: { platformCode: string | undefined; message: string } | undefined,
  code: string,
): void {
  const isExpected = (refusal?.platformCode ?? '').split('/').includes(code);
  settle(
    claim,
    isExpected,
    refusal === undefined ? 'it was published a second time' : `refused: ${refusal.message}`,
  );
}

async function checkPhoto(bench: Bench): Promise<void> {
  const client = facebookClient(bench, bench.tools);
  const id = await client.uploadPhoto(bench.file('image').source.url, undefined);
  bench.made({ kind: 'photo', id, title: `the unpublished photo ${id}`, where: 'the Page’s photos' });
  for await (const posts of client.listPosts()) {
    const shown = posts.find(({ attached }) => attached.includes(id));
    const seen = shown ? `the post ${shown.id} shows it` : `none of ${posts.length} posts shows it`;
    return bench.settle('facebook-unpublished-photo-hidden', shown === undefined, seen);
  }
  bench.settle('facebook-unpublished-photo-hidden', true, 'the Page has no posts');
}

async function checkTextPost(bench: Bench): Promise<void> {
  const live = await bench.publish({ content: checkText(bench), media: [], options: {} });
  const again = await bench.again(live, async () => {
    const { platformPostId } = await bench.adapter.goLive(live.job, bench.tools);
    return platformPostId;
  });
  settleRefusal(bench, 'facebook-same-text-refused', again, '506');

  await settleFound(bench, 'facebook-text-listed', live);

  const client = facebookClient(bench, bench.tools);
  const { refusal } = await outcomeOf(() => client.hasOwnComment(live.post.platformPostId ?? '', 'none'));
  bench.settle(
    'facebook-comments-need-permission',
    refusal?.platformCode === '10',
    describeRefusal(
      refusal,
      'the comments were read; the app may have the permission or Page Public Content Access',
    ),
  );
}

async function checkDraft(bench: Bench): Promise<void> {
  const live = await bench.publish({
    content: checkText(bench, 'this draft'),
    media: [],
    options: { draft: true },
  });
  const id = live.post.platformPostId ?? '';
  await get(bench, id, { fields: 'id' });
  for await (const posts of facebookClient(bench, bench.tools).listPosts()) {
    const isListed = posts.some((post) => post.id === id);
    return bench.settle(
      'facebook-text-draft',
      !isListed,
      `${id} ${isListed ? 'is listed' : 'is not listed'}`,
    );
  }
  bench.settle('facebook-text-draft', true, `${id}, and the Page has no posts`);
}

const Published = z.object({ published: z.boolean() });

async function checkVideoDraft(bench: Bench): Promise<void> {
  // Throws if Facebook reports a failure, or never reports that the video is ready.
  const live = await bench.publish({
    content: checkText(bench, 'this draft of a video'),
    media: [bench.file('video').source],
    options: { draft: true },
  });
  const id = live.post.platformPostId ?? '';
  const { published } = readResponse(Published, await get(bench, id, { fields: 'published' }));
  const seconds = Math.round(live.processedSeconds);
  bench.settle(
    'facebook-video-draft',
    !published,
    `ready after ${seconds} seconds, \`published\` is ${published}`,
  );
}

const Video = z.object({ post_id: GraphId.optional() });

async function checkVideo(bench: Bench): Promise<void> {
  const live = await bench.publish({
    content: checkText(bench, 'this video'),
    media: [bench.file('video').source],
    options: {},
  });
  const { platformPostId: videoId, permalink } = live.post;
  const page = bench.account.platformAccountId;
  const { value: given } = await bench.poll(
    60,
    async () => readResponse(Video, await get(bench, videoId ?? '', { fields: 'post_id' })).post_id,
  );
  if (given === undefined)
    return bench.settle('facebook-video-post-id', false, `no \`post_id\` for ${permalink}`);
  const whole = given.includes('_') ? given : `${page}_${given}`;
  const { refusal } = await outcomeOf(() => get(bench, whole, { fields: 'id' }));
  const form = given.includes('_') ? 'the whole id' : 'the part after the underscore';
  const isReadable = refusal === undefined && whole.startsWith(`${page}_`);
  bench.settle(
    'facebook-video-post-id',
    isReadable,
    `${form}; ${describeRefusal(refusal, 'the post can be read')}`,
  );
}
