import * as z from 'zod';
import type { Parameters } from '../../../lib/platforms/contract/http.ts';
import { apiRoot, instagramClient } from '../../../lib/platforms/instagram/client.ts';
import { instagram } from '../../../lib/platforms/instagram/errors.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { callGraph, GraphId } from '../../../lib/platforms/shared/meta/graph.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import { settlePublished } from './containers.ts';
import { checkText, describeRefusal, listPatienceSeconds, outcomeOf, request } from './shared.ts';

const api = 'https://graph.instagram.com/{version}';
const container = [
  request('POST', `${api}/{account}/media`, 1),
  // Reads of the container, and of its post.
  request('GET', `${api}/{object}`, 150),
];

/** The claims that only a real account can settle. Containers are invisible; Instagram has no private posts. */
export const instagramVerification: PlatformVerification = {
  claims: [
    {
      id: 'instagram-own-account',
      text: 'The token reads its own account, whose `user_id` is the id that was stored when it was connected.',
      expected: 'The account’s id',
      source:
        'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started',
    },
    {
      id: 'instagram-posting-limit',
      text: 'An account may publish 100 posts in any 24 hours.',
      expected: '`quota_total` 100, `quota_duration` 86400',
      source:
        'https://developers.facebook.com/docs/instagram-platform/content-publishing; its reference says 50',
    },
    {
      id: 'instagram-ai-label-accepted',
      text: 'A container of an image accepts `is_ai_generated`.',
      expected: 'The container reads FINISHED',
      source: 'Named in the changelog only',
    },
    {
      id: 'instagram-edit-list-accepted',
      text: 'A reel is accepted although its file has an edit list, or its index (moov) after its media.',
      expected: 'The container reads FINISHED',
      source:
        'https://developers.facebook.com/docs/instagram-platform/content-publishing asks for files without; others have seen them accepted',
    },
    {
      id: 'instagram-container-reads-published',
      text: 'The container of a published post reads PUBLISHED, within a minute.',
      expected: 'PUBLISHED',
      source: 'https://developers.facebook.com/docs/instagram-platform/content-publishing names no lag',
    },
    {
      id: 'instagram-post-listed',
      text: `The account’s list of media shows a new post, with its caption and its time, within ${listPatienceSeconds} seconds.`,
      expected: 'A lookup finds the post',
      source: 'Our judgement: no lag is documented',
    },
    {
      id: 'instagram-second-publish-refused',
      text: 'A container that is published a second time is refused with 2207008, and no second post appears.',
      expected: 'A refusal with 24/2207008',
      source: 'Not documented',
    },
    {
      id: 'instagram-webhook-secret',
      text: 'Webhooks are signed with the secret of the Instagram app, or with that of the Meta app that contains it.',
      expected: 'Which of the two',
      source: 'https://github.com/chatwoot/chatwoot/pull/14280',
      byHand: 'Instagram sends webhooks to the service, not to this command. Herald accepts both.',
    },
  ],

  steps: [
    {
      title: 'Read the account and its limit.',
      audience: () => 'nobody',
      claims: ['instagram-own-account', 'instagram-posting-limit'],
      requests: [
        request('GET', `${api}/me`, 1),
        request('GET', `${api}/{account}/content_publishing_limit`, 1),
      ],
      run: checkAccount,
    },
    {
      title:
        'Create a container of the image with `is_ai_generated`, and never publish it. It counts against the 400 containers of the day.',
      needs: ['image'],
      audience: () => 'nobody',
      claims: ['instagram-ai-label-accepted'],
      requests: container,
      run: (bench) =>
        checkContainer(bench, 'instagram-ai-label-accepted', {
          image_url: bench.file('image').source.url,
          caption: checkText(bench),
          is_ai_generated: 'true',
        }),
    },
    {
      title:
        'Create a container of a reel, and never publish it. It counts against the 400 containers of the day.',
      needs: ['video'],
      audience: () => 'nobody',
      claims: ['instagram-edit-list-accepted'],
      requests: container,
      async run(bench) {
        const { source, described } = bench.file('video');
        if (described.hasEditList !== true && described.moovFirst !== false) {
          const reason =
            'the file of --video has no edit list and begins with its index: give one that does not';
          bench.leave('instagram-edit-list-accepted', reason);
          return;
        }
        await checkContainer(bench, 'instagram-edit-list-accepted', {
          media_type: 'REELS',
          video_url: source.url,
          caption: checkText(bench),
        });
      },
    },
    {
      title:
        'Publish the image, read it back, and publish its container a second time. If Instagram allows that, there are two posts.',
      needs: ['image'],
      audience: () => 'everyone',
      claims: [
        'instagram-container-reads-published',
        'instagram-post-listed',
        'instagram-second-publish-refused',
      ],
      requests: [
        ...container,
        request('POST', `${api}/{account}/media_publish`, 2),
        request('GET', `${api}/{account}/media`, 200),
      ],
      run: checkPost,
    },
  ],

  // Only the API with Facebook Login deletes media.
  removal: { requests: [], byHand: 'Delete the post in the Instagram app: its API cannot.' },
};

const Me = z.object({ user_id: GraphId });
const Limit = z.object({
  data: z.array(z.object({ config: z.object({ quota_total: z.number(), quota_duration: z.number() }) })),
});

async function checkAccount({ account, accessToken: token, tools, settle }: Bench): Promise<void> {
  const get = (path: string, query: Parameters) =>
    callGraph(tools, instagram, { method: 'GET', url: `${apiRoot(tools)}/${path}`, token, query });

  const { user_id: id } = readResponse(Me, await get('me', { fields: 'user_id' }));
  settle('instagram-own-account', id === account.platformAccountId, `the id is ${id}`);

  const path = `${encodeURIComponent(account.platformAccountId)}/content_publishing_limit`;
  const { data } = readResponse(Limit, await get(path, { fields: 'quota_usage,config' }));
  const { quota_total: total, quota_duration: seconds } = data[0]?.config ?? {};
  settle('instagram-posting-limit', total === 100 && seconds === 86_400, `${total} in ${seconds} seconds`);
}

const processingSeconds = 300;

async function checkContainer(bench: Bench, claim: string, parameters: Parameters): Promise<void> {
  const client = instagramClient(bench, bench.tools);
  const { value: id, refusal } = await outcomeOf(() => client.createContainer(parameters));
  if (id === undefined) return bench.settle(claim, false, describeRefusal(refusal));
  const { value: status } = await bench.poll(processingSeconds, async () => {
    const read = await client.containerStatus(id);
    return read.state === 'IN_PROGRESS' ? undefined : read;
  });
  const isFinished = status?.state === 'FINISHED';
  const seen = status
    ? `${status.state} ${isFinished ? '' : status.message}`
    : 'still IN_PROGRESS after 5 minutes';
  bench.settle(claim, isFinished, seen.trim());
}

async function checkPost(bench: Bench): Promise<void> {
  const live = await bench.publish({
    content: checkText(bench),
    media: [bench.file('image').source],
    options: {},
  });
  const client = instagramClient(live.job, bench.tools);
  await settlePublished(bench, live, client, { platform: 'instagram', refusalCode: '24/2207008' });
}
