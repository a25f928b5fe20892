import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import type { StoreVideo } from './live-videos.ts';
import { isRecord } from './playlists.ts';
import { pageToken, readMaxResults, readPageToken, requireParts } from './reads.ts';
import { commentThreadResource, listResponse, privacyAt } from './resources.ts';
import { commentScopes } from './scopes.ts';
import type { Comment, State, User, Video } from './state.ts';

/** The maximum length that YouTube's pages allow; the API documents `commentTextTooLong` without a number. */
const longestText = 10_000;

/** `part` of comment threads. Discovery document of 2026-09-24. */
const threadParts = new Set(['id', 'replies', 'snippet']);

/** `commentThreads.list` and `commentThreads.insert`, for comments on videos. */
export function commentOperations(
  { ledger, random, reads, setting }: Workbench,
  { comments, videos }: State,
  gate: Gate,
  storeVideo: StoreVideo,
): readonly Operation[] {
  function list(call: Call): Answer {
    const user = gate.checkCall(call, commentScopes);
    gate.charge('commentThreads.list', call.at);
    const parts = requireParts(call, threadParts);
    const videoId = call.query.get('videoId');
    if (videoId === null) throw refusal('missingRequiredFilter');
    const resultsPerPage = readMaxResults(call, 20, 100);
    if (resultsPerPage === 0) throw refusal('badRequest');
    const offset = readPageToken(call);
    return reads.ofList(call, (seen) => {
      const video = visibleVideo(videoId, user, seen);
      if (hasNoComments(video)) throw refusal('commentsDisabled');
      const all = comments.list({ owner: videoId, newestFirst: true });
      const end = offset + resultsPerPage;
      const items = all.slice(offset, end).map((comment) => threadOf(comment, video, user, parts));
      const next = end < all.length ? { nextPageToken: pageToken(end) } : {};
      const page = { totalResults: items.length, resultsPerPage, ...next };
      return json(listResponse('commentThread', items, page));
    });
  }

  function insert(call: Call): Answer {
    const user = gate.checkCall(call, commentScopes);
    gate.charge('commentThreads.insert', call.at);
    const parts = requireParts(call, threadParts);
    const { snippet } = call.fields;
    if (!parts.includes('snippet') && snippet !== undefined) throw refusal('unexpectedPart');
    const { channelId, videoId, topLevelComment } = isRecord(snippet) ? snippet : {};
    if (typeof channelId !== 'string' || typeof videoId !== 'string') {
      throw refusal('channelOrVideoIdMissing');
    }
    const text = textOf(topLevelComment);
    if (text.trim() === '') throw refusal('commentTextRequired');
    if ([...text].length > longestText) throw refusal('commentTextTooLong');
    if (user.channelId === undefined) throw refusal('ineligibleAccount');
    const video = visibleVideo(videoId, user, call);
    if (video.channelId !== channelId) throw refusal('channelNotFound');
    // Nobody can comment on a private video: https://support.google.com/youtube/answer/157177. We assume that the API answers
    // `forbidden`, the only refusal of this kind in the method's reference.
    if (privacyAt(video, call.at) === 'private') throw refusal('commentForbidden');
    if (hasNoComments(video)) throw refusal('commentsDisabled');
    const comment: Comment = {
      id: random.secret('Ug'),
      videoId,
      authorChannelId: user.channelId,
      text,
      writtenAt: call.at,
    };
    ledger.transaction(() => {
      comments.put(comment.id, comment);
      storeVideo(video, call.at);
    });
    return json(threadOf(comment, video, user, parts));
  }

  function visibleVideo(videoId: string, { channelId }: User, { at }: Call): Video {
    const video = videos.get(videoId);
    const isVisible = video && (video.channelId === channelId || privacyAt(video, at) !== 'private');
    if (!isVisible) throw refusal('videoToCommentNotFound');
    return video;
  }

  /**
   * Returns true if comments are off, by the channel's default or the audience: https://support.google.com/youtube/answer/9527654
   */
  const hasNoComments = ({ metadata }: Video) =>
    setting('disablesComments') === true || metadata.selfDeclaredMadeForKids;

  const threadOf = (comment: Comment, video: Video, user: User, parts: readonly string[]) => {
    const isOwn = comment.authorChannelId === user.channelId;
    return commentThreadResource(comment, video.channelId, reads.text(comment.text), isOwn, parts);
  };

  const path = 'www.googleapis.com/youtube/v3/commentThreads';
  return [
    operation('commentThreads.list', 'GET', path, list),
    operation('commentThreads.insert', 'POST', path, insert),
  ];
}

function textOf(topLevelComment: unknown): string {
  const { snippet } = isRecord(topLevelComment) ? topLevelComment : {};
  const { textOriginal } = isRecord(snippet) ? snippet : {};
  return typeof textOriginal === 'string' ? textOriginal : '';
}
