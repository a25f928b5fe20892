import * as z from 'zod';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { uploadAbsence } from '../../../lib/platforms/youtube/absence.ts';
import { youtubeClient } from '../../../lib/platforms/youtube/client.ts';
import { requireSuccess } from '../../../lib/platforms/youtube/errors.ts';
import { Progress, theVideo } from '../../../lib/platforms/youtube/prepare.ts';
import { querySession } from '../../../lib/platforms/youtube/session.ts';
import { apiRoot } from '../../../lib/platforms/youtube/urls.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import { checkText, request, settleFound } from './shared.ts';

const { readLagSeconds, lookups, gapSeconds } = uploadAbsence;
const listSeconds = readLagSeconds + (lookups - 1) * gapSeconds;
const api = 'https://www.googleapis.com/youtube/{version}';

/** The claims that only a real channel can settle. Uploads one private video. */
export const youtubeVerification: PlatformVerification = {
  claims: [
    {
      id: 'youtube-own-channel',
      text: 'The token lists one channel, and its list of uploads stays the one that was stored when it was connected.',
      expected: 'The account’s channel and its list of uploads',
      source: 'https://developers.google.com/youtube/v3/docs/channels/list',
    },
    {
      id: 'youtube-private-upload',
      text: 'A video that is uploaded as private reads as private at once.',
      expected: '`status.privacyStatus` is `private`',
      source: 'Revision History, 2 November 2026: a creator’s own settings may change the privacy of uploads',
    },
    {
      id: 'youtube-session-after-completion',
      text: 'An upload session that is asked again after its last byte answers with the video that it made.',
      expected: 'The id of the same video',
      source:
        'https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol describes the answer, not for how long',
    },
    {
      id: 'youtube-private-video-listed',
      text: `The channel’s list of uploads shows a private video to its owner, by its title, within ${listSeconds} seconds.`,
      expected: 'A lookup without the session finds the video',
      source: 'Our judgement: YouTube documents no lag of the list',
    },
    {
      id: 'youtube-processing-details',
      text: 'A token with the scope youtube.readonly reads the `processingDetails` of the owner’s video.',
      expected: '`processingDetails.processingStatus` has a value',
      source:
        'https://developers.google.com/youtube/v3/docs/videos#processingDetails: "only the video’s owner"',
    },
    {
      id: 'youtube-uploads-quota-refusal',
      text: 'When the project’s uploads of the day are used up, the refusal’s message names the limit ‘Video Uploads per day’.',
      expected: 'The message of the refusal',
      source: 'https://github.com/googleapis/google-api-python-client/issues/2753',
      byHand: 'A check would use up the day of all users. See the error of a waiting post on such a day.',
    },
    {
      id: 'youtube-short-thumbnail',
      text: 'The thumbnail of a Short that is set after processing is shown.',
      expected: 'The thumbnail in YouTube Studio',
      source: 'Revision History, 3 November 2026',
      byHand:
        'The API does not say which thumbnail a Short shows. Publish a Short with a cover, and look at it in YouTube Studio.',
    },
  ],

  steps: [
    {
      title: 'Read the channel.',
      audience: () => 'nobody',
      claims: ['youtube-own-channel'],
      requests: [request('GET', `${api}/channels`, 1)],
      run: checkChannel,
    },
    {
      title: 'Upload the video as private, without a notification, and read it back.',
      needs: ['video'],
      audience: () => 'the account only',
      claims: [
        'youtube-private-upload',
        'youtube-session-after-completion',
        'youtube-private-video-listed',
        'youtube-processing-details',
      ],
      requests: [
        request('POST', 'https://{host}.googleapis.com/upload/youtube/{version}/videos', 1),
        request('PUT', 'https://{host}.googleapis.com/upload/youtube/{version}/videos', 400),
        request('GET', `${api}/videos`, 30),
        request('GET', `${api}/playlistItems`, 300),
      ],
      run: checkUpload,
    },
  ],

  removal: {
    // The API requires the scope `youtube` or `youtube.force-ssl`, which the features `comments` and `playlists` request.
    requests: [request('DELETE', `${api}/videos`, 3)],
    async remove({ id }, { tools, accessToken }) {
      const response = await tools.http.send({
        method: 'DELETE',
        url: `${apiRoot(tools)}/videos`,
        query: { id },
        bearer: accessToken,
      });
      requireSuccess(response, tools.now());
    },
    byHand: 'Delete the video in YouTube Studio.',
  },
};

const Channels = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string() }) }),
    }),
  ),
});

async function checkChannel({ account, accessToken, tools, settle }: Bench): Promise<void> {
  const response = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/channels`,
    query: { part: 'contentDetails', mine: 'true' },
    bearer: accessToken,
  });
  const { items } = readResponse(Channels, requireSuccess(response, tools.now()));
  const [channel] = items;
  const uploads = channel?.contentDetails.relatedPlaylists.uploads;
  const isOwn = channel?.id === account.platformAccountId && uploads === account.meta['uploadsPlaylistId'];
  settle(
    'youtube-own-channel',
    isOwn && items.length === 1,
    `${items.length} channel(s), the first is ${channel?.id}, its uploads are ${uploads}`,
  );
}

async function checkUpload(bench: Bench): Promise<void> {
  const { settle, tools } = bench;
  const live = await bench.publish({
    content: checkText(bench, 'this video'),
    media: [bench.file('video').source],
    options: { privacy: 'private', notifySubscribers: false },
  });
  const { job, post } = live;
  const id = post.platformPostId ?? '';
  const client = youtubeClient(job, tools);

  const { privacyStatus } = await client.readVideo(id);
  settle('youtube-private-upload', privacyStatus === 'private', `\`privacyStatus\` is \`${privacyStatus}\``);

  const { sessionUri } = Progress.parse(job.preparation);
  const session = await querySession(job, sessionUri ?? '', theVideo(job).sizeBytes, tools);
  const named = session.state === 'complete' ? session.videoId : undefined;
  settle(
    'youtube-session-after-completion',
    named === id,
    named === undefined
      ? `the session is ${session.state}`
      : `it names ${named === id ? 'the same video' : named}`,
  );

  await settleFound(bench, 'youtube-private-video-listed', live, {
    seconds: listSeconds,
    token: { sessionUri: null },
  });

  const response = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/videos`,
    query: { part: 'processingDetails', id },
    bearer: bench.accessToken,
  });
  const { items } = readResponse(Videos, requireSuccess(response, tools.now()));
  const status = items[0]?.processingDetails?.processingStatus;
  settle(
    'youtube-processing-details',
    status !== undefined,
    `\`processingStatus\` is ${status ?? 'missing'}`,
  );
}

const Videos = z.object({
  items: z.array(
    z.object({ processingDetails: z.object({ processingStatus: z.string().optional() }).optional() }),
  ),
});
