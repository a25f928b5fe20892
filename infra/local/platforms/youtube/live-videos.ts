import type { LiveMedia, LivePost } from '../kit/live-post.ts';
import type { Workbench } from '../kit/types.ts';
import type { CaptionTrack, State, Video } from './state.ts';

/** A video in `GET {control}/posts`. `content` is its description. */
export interface VideoPost extends LivePost {
  readonly title: string;
  /** `public` or `unlisted`: nobody but its owner sees a private video, so it is no live post. */
  readonly privacyStatus: string;
  readonly tags: readonly string[];
  readonly isShort: boolean;
  readonly thumbnail?: LiveMedia;
  readonly hasPaidProductPlacement?: boolean;
  /** The playlists to which it was added: one that has it twice is named twice. */
  readonly playlistIds?: readonly string[];
  /** The caption tracks, in the order of their upload. */
  readonly captions?: readonly Pick<CaptionTrack, 'language' | 'name' | 'text'>[];
  /** The texts of the comments, in the order in which they were written. */
  readonly comments?: readonly string[];
}

/**
 * Stores a video, and keeps its live post in line with it: others see a video from the moment at which it is public or unlisted.
 * Call it within the transaction of the change.
 *
 * @param at epoch milliseconds
 */
export type StoreVideo = (video: Video, at: number) => void;

export function createStoreVideo(
  { ledger }: Pick<Workbench, 'ledger'>,
  { videos, playlistEntries, comments, playlists }: State,
): StoreVideo {
  return (video, at) => {
    const { id, metadata } = video;
    const isScheduled = metadata.publishAt !== undefined;
    if (metadata.privacyStatus === 'private' && !isScheduled) {
      videos.put(id, video);
      ledger.posts.delete(id);
      return;
    }
    const publicAt = video.publicAt ?? metadata.publishAt ?? at;
    videos.put(id, { ...video, publicAt });
    const playlistIds = playlists
      .list()
      .flatMap((playlist) => playlistEntries.list({ owner: playlist.id }))
      .filter(({ videoId }) => videoId === id)
      .map(({ playlistId }) => playlistId);
    const texts = comments.list({ owner: id }).map(({ text }) => text);
    const post: VideoPost = {
      id,
      accountId: video.channelId,
      permalink: `https://www.youtube.com/watch?v=${id}`,
      content: metadata.description,
      media: [video.file],
      publishedAt: publicAt,
      viewableAt: Math.max(publicAt, video.processedAt),
      title: metadata.title,
      privacyStatus: isScheduled ? 'public' : metadata.privacyStatus,
      tags: metadata.tags,
      isShort: video.isShort,
      ...(metadata.hasPaidProductPlacement !== undefined && {
        hasPaidProductPlacement: metadata.hasPaidProductPlacement,
      }),
      ...(video.thumbnail && { thumbnail: video.thumbnail }),
      ...(playlistIds.length > 0 && { playlistIds }),
      ...(texts.length > 0 && { comments: texts }),
      ...(video.captions?.length && {
        captions: video.captions.map(({ language, name, text }) => ({ language, name, text })),
      }),
    };
    ledger.posts.put(id, post);
  };
}
