import { lastChunk } from '../../../lib/platforms/tiktok/chunks.ts';
import { tiktokClient } from '../../../lib/platforms/tiktok/client.ts';
import { Progress, theVideo } from '../../../lib/platforms/tiktok/prepare.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import { checkText, request } from './shared.ts';

const api = 'https://open.tiktokapis.com/{version}/post/publish';
/** The declaration of a read. The reads of the Content Posting API are POST requests. */
const creatorInfo = request('POST', `${api}/creator_info/query/`, 2);

/** The claims that only a real account can settle. Posts one video that only the account sees. */
export const tiktokVerification: PlatformVerification = {
  claims: [
    {
      id: 'tiktok-creator-info',
      text: 'The creator info names the privacy levels of the account, with SELF_ONLY among them, and its longest video.',
      expected: 'A list with SELF_ONLY, and a number of seconds',
      source: 'https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info',
    },
    {
      id: 'tiktok-status-after-completion',
      text: 'After the last chunk, the status of the upload becomes PUBLISH_COMPLETE within 15 minutes.',
      expected: 'PUBLISH_COMPLETE',
      source:
        'https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status names no time',
    },
    {
      id: 'tiktok-last-chunk-once',
      text: 'The last chunk of a completed upload is refused if it is sent again, and posts nothing.',
      expected: 'An HTTP status from 400, and the same status of the post',
      source:
        'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide: "accepted once"; not documented for completed uploads',
    },
    {
      id: 'tiktok-hidden-post-has-no-id',
      text: 'A post that only the account sees gets no public id.',
      expected: '`publicaly_available_post_id` is empty',
      source: 'The name of the field: the documentation does not say so',
    },
    {
      id: 'tiktok-list-cuts-texts',
      text: 'The list of public videos shows the first 150 characters of a text.',
      expected: 'The length of `title` and `video_description` of a long text',
      source: 'Others have seen it; the documentation of `/v2/video/list/` does not say so',
      byHand:
        'It needs a public post, which an app must not make before TikTok’s audit, and which the API cannot delete.',
    },
  ],

  steps: [
    {
      title: 'Read the creator info.',
      audience: () => 'nobody',
      claims: ['tiktok-creator-info'],
      requests: [creatorInfo],
      async run({ accessToken, tools, settle }) {
        const { privacyLevels, maxVideoSeconds } = await tiktokClient({ accessToken }, tools).creator();
        settle(
          'tiktok-creator-info',
          privacyLevels.includes('SELF_ONLY') && maxVideoSeconds !== null,
          `${privacyLevels.join(', ')}; at most ${maxVideoSeconds} seconds`,
        );
      },
    },
    {
      title:
        'Post the video with the privacy level SELF_ONLY, follow its status, and send its last chunk a second time.',
      needs: ['video'],
      audience: () => 'the account only',
      claims: ['tiktok-status-after-completion', 'tiktok-last-chunk-once', 'tiktok-hidden-post-has-no-id'],
      requests: [
        creatorInfo,
        request('POST', `${api}/video/init/`, 1),
        request('POST', `${api}/status/fetch/`, 200),
        request('PUT', 'https://{host}.tiktokapis.com/**', 900),
      ],
      run: checkVideo,
    },
  ],

  removal: {
    requests: [],
    byHand:
      'Delete the video in the TikTok app, where it is among the private videos of the profile: the API cannot.',
  },
};

async function checkVideo(bench: Bench): Promise<void> {
  const { settle, tools } = bench;
  // Throws if TikTok reports a failure, or is still processing the video after 15 minutes.
  const live = await bench.publish({
    content: checkText(bench, 'this video'),
    media: [bench.file('video').source],
    options: { privacyLevel: 'SELF_ONLY' },
  });
  const { publishId, uploadUrl } = Progress.parse(live.job.preparation);
  const client = tiktokClient(live.job, tools);
  const status = await client.status(publishId ?? '');
  const seconds = Math.round(live.processedSeconds);
  settle(
    'tiktok-status-after-completion',
    status.state === 'PUBLISH_COMPLETE',
    `${status.state} after ${seconds} seconds`,
  );
  settle(
    'tiktok-hidden-post-has-no-id',
    status.postId === null,
    status.postId === null ? 'the list is empty' : `the id ${status.postId}`,
  );

  const video = theVideo(live.job);
  const chunk = lastChunk(video.sizeBytes);
  const response = await client.sendChunk(uploadUrl ?? '', video, chunk, { totalSeconds: 60 });
  const after = await client.status(publishId ?? '');
  settle(
    'tiktok-last-chunk-once',
    response.status >= 400 && after.state === status.state,
    `HTTP ${response.status}, then ${after.state}`,
  );
}
