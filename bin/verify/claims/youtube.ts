import * as z from 'zod';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { uploadAbsence } from '../../../lib/platforms/youtube/absence.ts';
import { apiRoot, youtubeClient } from '../../../lib/platforms/youtube/client.ts';
import { requireSuccess } from '../../../lib/platforms/youtube/errors.ts';
import { statusOf } from '../../../lib/platforms/youtube/map.ts';
import { Progress, theVideo } from '../../../lib/platforms/youtube/progress.ts';
import { querySession } from '../../../lib/platforms/youtube/session.ts';
import type { Bench, PlatformVerification } from '../verification.ts';
import { findAgain, outcomeOf, publishing, request, step } from './shared.ts';

const { readLagSeconds, lookups, gapSeconds } = uploadAbsence;
const listSeconds = readLagSeconds + (lookups - 1) * gapSeconds;
const api = 'https://www.googleapis.com/youtube/{version}';

/** The claims that only a real channel can settle. Uploads one private video. */
export const youtubeVerification: PlatformVerification = {
  steps: [
    step({
      title: 'Read the channel.',
      audience: () => 'nobody',
      requests: [request('GET', `${api}/channels`, 1)],
      claims: [
        {
          id: 'youtube-own-channel',
          text: 'The token lists one channel, and its list of uploads stays the one that was stored when it was connected.',
          expected: 'The account’s channel and its list of uploads',
          source: 'https://developers.google.com/youtube/v3/docs/channels/list',
          async check(bench) {
            const { account } = bench;
            const response = await call(bench, 'GET', 'channels', { part: 'contentDetails', mine: 'true' });
            const { items } = readResponse(Channels, response);
            const [channel] = items;
            const uploads = channel?.contentDetails.relatedPlaylists.uploads;
            return {
              isTrue:
                channel?.id === account.platformAccountId &&
                uploads === account.meta['uploadsPlaylistId'] &&
                items.length === 1,
              seen: `${items.length} channel(s), the first is ${channel?.id}, its uploads are ${uploads}`,
            };
          },
        },
      ],
    }),
    step({
      title: 'Upload the video as private, without a notification, and read it back.',
      needs: 'video',
      audience: () => 'the account only',
      requests: [
        request('POST', 'https://{host}.googleapis.com/upload/youtube/{version}/videos', 1),
        request('PUT', 'https://{host}.googleapis.com/upload/youtube/{version}/videos', 400),
        request('GET', `${api}/videos`, 30),
        request('GET', `${api}/playlistItems`, 300),
      ],
      act: publishing('this video', 'video', { privacy: 'private', notifySubscribers: false }),
      claims: [
        {
          id: 'youtube-private-upload',
          text: 'A video that is uploaded as private reads as private at once.',
          expected: '`status.privacyStatus` is `private`',
          source:
            'Revision History, 2 November 2026: a creator’s own settings may change the privacy of uploads',
          async check({ tools }, { job, post }) {
            const video = await youtubeClient(job, tools).readVideo(post.platformPostId ?? '');
            const privacyStatus = video?.privacyStatus;
            return {
              isTrue: privacyStatus === 'private',
              seen: `\`privacyStatus\` is \`${privacyStatus}\``,
            };
          },
        },
        {
          id: 'youtube-session-after-completion',
          text: 'An upload session that is asked again after its last byte answers with the video that it made.',
          expected: 'The id of the same video',
          source:
            'https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol describes the answer, not for how long',
          async check({ tools }, { job, post }) {
            const { sessionUri } = Progress.parse(job.preparation);
            const session = await querySession(job, sessionUri ?? '', theVideo(job).sizeBytes, tools);
            const named = session.state === 'complete' ? session.videoId : undefined;
            if (named === undefined) return { isTrue: false, seen: `the session is ${session.state}` };
            const isTrue = named === post.platformPostId;
            return { isTrue, seen: `it names ${isTrue ? 'the same video' : named}` };
          },
        },
        {
          id: 'youtube-private-video-listed',
          text: `The channel’s list of uploads shows a private video to its owner, by its title, within ${listSeconds} seconds.`,
          expected: 'A lookup without the session finds the video',
          source: 'Our judgement: YouTube documents no lag of the list',
          check: (bench, live) => findAgain(bench, live, listSeconds, { sessionUri: null }),
        },
        {
          id: 'youtube-processing-details',
          text: 'A token with the scope youtube.readonly reads the `processingDetails` of the owner’s video.',
          expected: '`processingDetails.processingStatus` has a value',
          source:
            'https://developers.google.com/youtube/v3/docs/videos#processingDetails: "only the video’s owner"',
          async check(bench, { post }) {
            const query = { part: 'processingDetails', id: post.platformPostId ?? '' };
            const { items } = readResponse(Videos, await call(bench, 'GET', 'videos', query));
            const status = items[0]?.processingDetails?.processingStatus;
            return {
              isTrue: status !== undefined,
              seen: `\`processingStatus\` is ${status ?? 'missing'}`,
            };
          },
        },
      ],
    }),
    step({
      title: 'Upload the video as private, and make it unlisted: whoever has its address can see it.',
      needs: 'video',
      audience: () => 'everyone',
      requests: [
        request('POST', 'https://{host}.googleapis.com/upload/youtube/{version}/videos', 1),
        request('PUT', 'https://{host}.googleapis.com/upload/youtube/{version}/videos', 400),
        request('PUT', `${api}/videos`, 2),
        request('GET', `${api}/videos`, 30),
      ],
      act: publishing('this video', 'video', { privacy: 'private', notifySubscribers: false }),
      claims: [
        {
          id: 'youtube-private-made-visible',
          text: 'One `videos.update` makes a private video visible at once, also before it is processed, and a second one changes nothing.',
          expected: '`status.privacyStatus` is `unlisted` after both calls',
          source:
            'https://developers.google.com/youtube/v3/docs/videos/update does not say when viewers see the change',
          async check({ tools }, { job, post }) {
            const client = youtubeClient(job, tools);
            const id = post.platformPostId ?? '';
            const seen: (string | undefined)[] = [];
            for (const _time of [1, 2]) {
              const { refusal } = await outcomeOf(() =>
                client.updateVideo(id, { status: statusOf({}, 'unlisted') }),
              );
              if (refusal) return { open: `the token may not change videos: ${refusal.message}` };
              seen.push((await client.readVideo(id))?.privacyStatus);
            }
            return {
              isTrue: seen.every((privacy) => privacy === 'unlisted'),
              seen: `\`privacyStatus\` is \`${seen.join('`, then `')}\``,
            };
          },
        },
      ],
    }),
  ],

  byHand: [
    {
      id: 'youtube-notified-when-public',
      text: 'Subscribers are notified of a video that was uploaded as private with `notifySubscribers=true` when it becomes public.',
      expected: 'A notification on the device of a subscriber',
      source:
        'https://developers.google.com/youtube/v3/docs/videos/insert says what the parameter does, not for a private upload',
      byHand: 'It takes a subscriber to see. Schedule a public video an hour ahead, and ask one.',
    },
    {
      id: 'youtube-forced-private-update',
      text: 'A `videos.update` that would make a video public which the creator’s settings keep private leaves it private, and its answer says so.',
      expected: 'The destination is `published` with a warning that names the privacy',
      source: 'Revision History, 2 November 2026, is about uploads and says nothing of updates',
      byHand:
        'The API cannot change these settings. Set them in YouTube Studio, then schedule a public video.',
    },
    {
      id: 'youtube-uploads-quota-refusal',
      text: 'When the project’s uploads of the day are used up, the refusal’s message names the limit ‘Video Uploads per day’.',
      expected: 'The message of the refusal',
      source: 'https://github.com/googleapis/google-api-python-client/issues/2753',
      byHand: 'A check would use up the day of all users. See the error of a waiting post on such a day.',
    },
    {
      id: 'youtube-captions-of-private-video',
      text: 'A private video that is still processed takes a caption track with an empty name, and viewers see it once the video is public.',
      expected: 'The track in the menu of the public video',
      source:
        'https://developers.google.com/youtube/v3/docs/captions/insert does not say which videos take captions',
      byHand: 'It costs 400 units. Publish a long video with captions, and look at it once it is public.',
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

  removal: {
    // The API requires the scope `youtube` or `youtube.force-ssl`, which the features `comments` and `playlists` request.
    requests: [request('DELETE', `${api}/videos`, 3)],
    remove: async ({ id }, bench) => void (await call(bench, 'DELETE', 'videos', { id })),
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
const Videos = z.object({
  items: z.array(
    z.object({ processingDetails: z.object({ processingStatus: z.string().optional() }).optional() }),
  ),
});

async function call(
  { accessToken: bearer, tools }: Bench,
  method: 'GET' | 'DELETE',
  path: string,
  query: Readonly<Record<string, string>>,
) {
  const response = await tools.http.send({ method, url: `${apiRoot(tools)}/${path}`, query, bearer });
  return requireSuccess(response, tools.now());
}
