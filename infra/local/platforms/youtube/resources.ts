import type { PrivacyStatus } from './metadata.ts';
import {
  type CaptionTrack,
  type Comment,
  type Playlist,
  type User,
  uploadsPlaylistId,
  type Video,
} from './state.ts';

type Parts = readonly string[];

/** Returns the requested parts of a resource. */
function pickParts(all: Readonly<Record<string, unknown>>, parts: Parts) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => parts.includes(name)));
}

/** Formats a time as Google does: whole seconds in UTC. */
export function dateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Returns the privacy status at a time. A video with `publishAt` becomes public at that time. */
export function privacyAt({ metadata }: Video, now: number): PrivacyStatus {
  return metadata.publishAt !== undefined && now >= metadata.publishAt ? 'public' : metadata.privacyStatus;
}

/** Returns the common part of the snippets of a video and of its playlist item. */
function snippetOf({ id, channelId, channelTitle, metadata, uploadedAt, publicAt = uploadedAt }: Video) {
  const { title, description } = metadata;
  const thumbnails = videoThumbnails(id);
  // For a video that was made public later, this is the time of that (reference of videos, snippet.publishedAt).
  return { publishedAt: dateTime(publicAt), channelId, title, description, thumbnails, channelTitle };
}

/** Returns the requested parts of a video resource ("Videos", Data API reference). @param now epoch milliseconds */
export function videoResource(video: Video, parts: Parts, now: number, statistics?: object) {
  const { metadata } = video;
  const all = {
    snippet: {
      ...snippetOf(video),
      tags: metadata.tags.length > 0 ? metadata.tags : undefined,
      categoryId: metadata.categoryId,
      liveBroadcastContent: 'none',
      defaultLanguage: metadata.defaultLanguage,
      localized: { title: metadata.title, description: metadata.description },
    },
    status: {
      ...uploadStatus(video, now),
      privacyStatus: privacyAt(video, now),
      publishAt:
        metadata.publishAt !== undefined && now < metadata.publishAt
          ? dateTime(metadata.publishAt)
          : undefined,
      license: metadata.license,
      embeddable: metadata.embeddable,
      publicStatsViewable: metadata.publicStatsViewable,
      madeForKids: metadata.selfDeclaredMadeForKids,
      selfDeclaredMadeForKids: metadata.selfDeclaredMadeForKids,
      containsSyntheticMedia: metadata.containsSyntheticMedia,
    },
    paidProductPlacementDetails: { hasPaidProductPlacement: metadata.hasPaidProductPlacement ?? false },
    statistics,
    processingDetails: processingDetails(video, now),
    fileDetails: { fileName: video.fileName, fileSize: String(video.file.bytes), fileType: 'video' },
  };
  return { kind: 'youtube#video', etag: etag(video.id, now), id: video.id, ...pickParts(all, parts) };
}

function uploadStatus({ outcome, processedAt }: Video, now: number) {
  if (now < processedAt) return { uploadStatus: 'uploaded' };
  const { uploadStatus } = outcome;
  if (uploadStatus === 'processed') return { uploadStatus };
  return uploadStatus === 'failed'
    ? { uploadStatus, failureReason: outcome.reason }
    : { uploadStatus, rejectionReason: outcome.reason };
}

function processingDetails({ outcome, processedAt }: Video, now: number) {
  if (now < processedAt) return { processingStatus: 'processing' };
  return outcome.uploadStatus === 'failed'
    ? { processingStatus: 'failed', processingFailureReason: 'other' }
    : { processingStatus: outcome.uploadStatus === 'rejected' ? 'terminated' : 'succeeded' };
}

export function channelResource(
  { username, title, isVerified }: User,
  channelId: string,
  parts: Parts,
  statistics?: object,
) {
  const thumbnail = (pixels: number) => ({
    url: `https://yt3.ggpht.com/${channelId}=s${pixels}`,
    width: pixels,
    height: pixels,
  });
  const all = {
    snippet: {
      title,
      description: '',
      customUrl: `@${username}`,
      publishedAt: '2020-01-01T00:00:00Z',
      thumbnails: { default: thumbnail(88), medium: thumbnail(240), high: thumbnail(800) },
      localized: { title, description: '' },
    },
    statistics,
    contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsPlaylistId(channelId) } },
    status: {
      privacyStatus: 'public',
      isLinked: true,
      longUploadsStatus: isVerified ? 'allowed' : 'eligible',
    },
  };
  return { kind: 'youtube#channel', etag: etag(channelId, 0), id: channelId, ...pickParts(all, parts) };
}

/** A video in a playlist. */
export interface ListedItem {
  readonly id: string;
  readonly playlistId: string;
  readonly video: Video;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

export function playlistItemResource(item: ListedItem, position: number, parts: Parts, now: number) {
  const { id, playlistId, video, addedAt } = item;
  const privacyStatus = privacyAt(video, now);
  const all = {
    snippet: {
      ...snippetOf(video),
      publishedAt: dateTime(addedAt),
      playlistId,
      position,
      resourceId: { kind: 'youtube#video', videoId: video.id },
      videoOwnerChannelTitle: video.channelTitle,
      videoOwnerChannelId: video.channelId,
    },
    contentDetails: {
      videoId: video.id,
      videoPublishedAt:
        privacyStatus === 'private' ? undefined : dateTime(video.publicAt ?? video.uploadedAt),
    },
    status: { privacyStatus },
  };
  return { kind: 'youtube#playlistItem', etag: etag(id, now), id, ...pickParts(all, parts) };
}

/** @param itemCount the number of its videos */
export function playlistResource(playlist: Playlist, channelTitle: string, itemCount: number, parts: Parts) {
  const { id, channelId, title, privacyStatus, createdAt } = playlist;
  const all = {
    snippet: {
      publishedAt: dateTime(createdAt),
      channelId,
      title,
      description: '',
      thumbnails: videoThumbnails(id),
      channelTitle,
      localized: { title, description: '' },
    },
    status: { privacyStatus, podcastStatus: 'disabled' },
    contentDetails: { itemCount },
  };
  return { kind: 'youtube#playlist', etag: etag(id, itemCount), id, ...pickParts(all, parts) };
}

/**
 * @param channelId of the video
 * @param isOwn only the author gets `textOriginal`
 */
export function commentThreadResource(
  { id, videoId, authorChannelId, text, writtenAt }: Comment,
  channelId: string,
  textDisplay: string,
  isOwn: boolean,
  parts: Parts,
) {
  const snippet = {
    channelId,
    videoId,
    textDisplay,
    textOriginal: isOwn ? text : undefined,
    authorDisplayName: authorChannelId,
    authorChannelUrl: `http://www.youtube.com/channel/${authorChannelId}`,
    authorChannelId: { value: authorChannelId },
    canRate: true,
    viewerRating: 'none',
    likeCount: 0,
    publishedAt: dateTime(writtenAt),
    updatedAt: dateTime(writtenAt),
  };
  const topLevelComment = { kind: 'youtube#comment', etag: etag(id, writtenAt), id, snippet };
  const thread = { channelId, videoId, topLevelComment, canReply: true, totalReplyCount: 0, isPublic: true };
  const all = { snippet: thread };
  return { kind: 'youtube#commentThread', etag: etag(id, 0), id, ...pickParts(all, parts) };
}

export function captionResource({ id, language, name, at }: CaptionTrack, videoId: string, parts: Parts) {
  const snippet = {
    videoId,
    lastUpdated: dateTime(at),
    trackKind: 'standard',
    language,
    name,
    audioTrackType: 'unknown',
    isCC: false,
    isLarge: false,
    isEasyReader: false,
    isDraft: false,
    isAutoSynced: false,
    status: 'serving',
  };
  return { kind: 'youtube#caption', etag: etag(id, at), id, ...pickParts({ snippet }, parts) };
}

/** Returns one page of a list. Only the last page has no `nextPageToken`. */
export function listResponse(
  kind: string,
  items: readonly unknown[],
  page: { totalResults: number; resultsPerPage: number; nextPageToken?: string },
) {
  const { nextPageToken, ...pageInfo } = page;
  return {
    kind: `youtube#${kind}ListResponse`,
    etag: etag(kind, items.length),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
    items,
    pageInfo,
  };
}

export function videoThumbnails(videoId: string) {
  const thumbnail = (name: string, width: number, height: number) => ({
    url: `https://i.ytimg.com/vi/${videoId}/${name}.jpg`,
    width,
    height,
  });
  return {
    default: thumbnail('default', 120, 90),
    medium: thumbnail('mqdefault', 320, 180),
    high: thumbnail('hqdefault', 480, 360),
  };
}

function etag(id: string, version: number): string {
  return Buffer.from(`${id}.${version}`).toString('base64url');
}
