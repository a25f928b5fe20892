import { lastChunk } from '../../../lib/platforms/tiktok/chunks.ts';
import { tiktokClient } from '../../../lib/platforms/tiktok/client.ts';
import { Progress, theVideo } from '../../../lib/platforms/tiktok/prepare.ts';
import type { PlatformVerification } from '../verification.ts';
import { publishing, request, step } from './shared.ts';

const api = 'https://open.tiktokapis.com/{version}/post/publish';
/** The declaration of a read. The reads of the Content Posting API are POST requests. */
const creatorInfo = request('POST', `${api}/creator_info/query/`, 2);

/** The claims that only a real account can settle. Posts one video that only the account sees. */
export const tiktokVerification: PlatformVerification = {
  steps: [
    step({
      title: 'Read the creator info.',
      audience: () => 'nobody',
      requests: [creatorInfo],
      claims: [
        {
          id: 'tiktok-creator-info',
          text: 'The creator info names the privacy levels of the account, with SELF_ONLY among them, and its longest video.',
          expected: 'A list with SELF_ONLY, and a number of seconds',
          source: 'https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info',
          async check({ accessToken, tools }) {
            const { privacyLevels, maxVideoSeconds } = await tiktokClient({ accessToken }, tools).creator();
            return {
              isTrue: privacyLevels.includes('SELF_ONLY') && maxVideoSeconds !== null,
              seen: `${privacyLevels.join(', ')}; at most ${maxVideoSeconds} seconds`,
            };
          },
        },
      ],
    }),
    step({
      title:
        'Post the video with the privacy level SELF_ONLY, follow its status, and send its last chunk a second time.',
      needs: 'video',
      audience: () => 'the account only',
      requests: [
        creatorInfo,
        request('POST', `${api}/video/init/`, 1),
        request('POST', `${api}/status/fetch/`, 200),
        request('PUT', 'https://{host}.tiktokapis.com/**', 900),
      ],
      async act(bench) {
        // Throws if TikTok reports a failure, or is still processing the video after 15 minutes.
        const live = await publishing('this video', 'video', { privacyLevel: 'SELF_ONLY' })(bench);
        const progress = Progress.parse(live.job.preparation);
        const [publishId, uploadUrl] = [progress.publishId ?? '', progress.uploadUrl ?? ''];
        const client = tiktokClient(live.job, bench.tools);
        return { live, client, publishId, uploadUrl, status: await client.status(publishId) };
      },
      claims: [
        {
          id: 'tiktok-status-after-completion',
          text: 'After the last chunk, the status of the upload becomes PUBLISH_COMPLETE within 15 minutes.',
          expected: 'PUBLISH_COMPLETE',
          source:
            'https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status names no time',
          check: (_bench, { live, status: { state } }) => ({
            isTrue: state === 'PUBLISH_COMPLETE',
            seen: `${state} after ${Math.round(live.processedSeconds)} seconds`,
          }),
        },
        {
          id: 'tiktok-hidden-post-has-no-id',
          text: 'A post that only the account sees gets no public id.',
          expected: '`publicaly_available_post_id` is empty',
          source: 'The name of the field: the documentation does not say so',
          check: (_bench, { status: { postId } }) => ({
            isTrue: postId === null,
            seen: postId === null ? 'the list is empty' : `the id ${postId}`,
          }),
        },
        {
          id: 'tiktok-last-chunk-once',
          text: 'The last chunk of a completed upload is refused if it is sent again, and posts nothing.',
          expected: 'An HTTP status from 400, and the same status of the post',
          source:
            'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide: "accepted once"; not documented for completed uploads',
          async check(_bench, { live, client, publishId, uploadUrl, status }) {
            const video = theVideo(live.job);
            const chunk = lastChunk(video.sizeBytes);
            const response = await client.sendChunk(uploadUrl, video, chunk, { totalSeconds: 60 });
            const after = await client.status(publishId);
            return {
              isTrue: response.status >= 400 && after.state === status.state,
              seen: `HTTP ${response.status}, then ${after.state}`,
            };
          },
        },
      ],
    }),
  ],

  byHand: [
    {
      id: 'tiktok-list-cuts-texts',
      text: 'The list of public videos shows the first 150 characters of a text.',
      expected: 'The length of `title` and `video_description` of a long text',
      source: 'Others have seen it; the documentation of `/v2/video/list/` does not say so',
      byHand:
        'It needs a public post, which an app must not make before TikTok’s audit, and which the API cannot delete.',
    },
  ],

  removal: {
    requests: [],
    byHand:
      'Delete the video in the TikTok app, where it is among the private videos of the profile: the API cannot.',
  },
};
