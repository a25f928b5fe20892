import type { LiveMedia } from '../kit/live-post.ts';
import type { Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import { nextId, type Page, type Post, type State, type Video } from './state.ts';
import type { Targeting } from './targeting.ts';

export interface FeedPost {
  readonly message: string;
  readonly link?: string;
  readonly photoIds: readonly string[];
  readonly isDraft: boolean;
  readonly targeting?: Targeting;
}

export interface Story {
  readonly photoIds: readonly string[];
  readonly videoId?: string;
  readonly media: LiveMedia;
}

/** Makes posts, stories and videos live on a Page. A refused call changes nothing. */
export interface Publishing {
  feedPost(page: Page, post: FeedPost, at: number): Post;
  story(page: Page, story: Story, at: number, id?: string): Post;
  /** Registers a finished video, so that `settle` makes it live. */
  settleLater(video: Video): void;
  /** Makes every video live whose processing has succeeded. */
  settle(now: number): void;
  /** Returns the next end of processing, in epoch milliseconds; undefined if no video is being processed. */
  nextSettleMs(): number | undefined;
}

export function openPublishing({ ledger, setting }: Workbench, state: State): Publishing {
  /** The end of processing, by the id of the video. */
  const processing = new Map<string, number>();

  function add(post: Post): Post {
    state.posts.put(post.id, post);
    for (const id of post.photoIds) {
      const photo = state.photos.get(id);
      if (photo !== undefined) state.photos.put(id, { ...photo, usedBy: post.id });
    }
    return post;
  }

  function feedPost(page: Page, { message, link, photoIds, isDraft, targeting }: FeedPost, at: number): Post {
    const last = state.posts
      .list({ owner: page.id, newestFirst: true, limit: 20 })
      .find((post) => !post.isDraft);
    const isPlain =
      !isDraft && photoIds.length === 0 && last?.photoIds.length === 0 && last.videoId === undefined;
    const isChecked = setting('duplicateCheck') === true;
    if (isChecked && isPlain && last.kind === 'feed' && last.message === message && last.link === link)
      refuse('506');
    const number = nextId(ledger, 'post');
    const id = `${page.id}_${number}`;
    const permalink = `https://www.facebook.com/${page.id}/posts/${number}`;
    return ledger.transaction(() => {
      ledger.posts.put(id, {
        id,
        accountId: page.id,
        permalink,
        content: message,
        media: photoIds.flatMap((photoId) => state.photos.get(photoId)?.media ?? []),
        details: {
          kind: 'feed',
          ...(link !== undefined && { link }),
          ...(isDraft && { is_published: false }),
          ...(targeting && { targeting }),
          ...altTextsOf(photoIds),
        },
        publishedAt: at,
      });
      return add({
        id,
        pageId: page.id,
        kind: 'feed',
        message,
        photoIds,
        permalink,
        publishedAt: at,
        ...(link !== undefined && { link }),
        ...(isDraft && { isDraft }),
      });
    });
  }

  /** Returns the photos' alternative texts in their order, if any has one. */
  function altTextsOf(photoIds: readonly string[]): { readonly alt_text_custom?: readonly string[] } {
    const texts = photoIds.map((id) => state.photos.get(id)?.altText ?? '');
    return texts.some((text) => text !== '') ? { alt_text_custom: texts } : {};
  }

  function story(page: Page, { photoIds, videoId, media }: Story, at: number, given?: string): Post {
    const id = given ?? nextId(ledger, 'post');
    const permalink = `https://www.facebook.com/stories/${page.id}/${id}`;
    return ledger.transaction(() => {
      const facts = { id, accountId: page.id, permalink, content: '', media: [media], publishedAt: at };
      ledger.posts.put(id, { ...facts, details: { kind: 'story' } });
      return add({
        id,
        pageId: page.id,
        kind: 'story',
        message: '',
        photoIds,
        permalink,
        publishedAt: at,
        ...(videoId !== undefined && { videoId }),
      });
    });
  }

  function settleLater({ id, finish, failure }: Video): void {
    if (typeof finish?.readyAt === 'number' && failure === undefined) processing.set(id, finish.readyAt);
  }

  function settle(now: number): void {
    for (const [id, readyAt] of processing) {
      if (readyAt > now) continue;
      processing.delete(id);
      const video = state.videos.get(id);
      if (video !== undefined) ledger.writtenAt(readyAt, () => goLive(video));
    }
  }

  function goLive(video: Video): void {
    const page = state.pages.get(video.pageId);
    const { finish, media, id, kind, cover } = video;
    if (page === undefined || finish === undefined || media === undefined) return;
    state.liveVideos.put(id, true);
    if (kind === 'story') {
      story(page, { photoIds: [], videoId: id, media }, finish.at, finish.storyPostId);
      return;
    }
    const permalink = permalinkOf(video);
    const { text: message, title, targeting } = finish;
    ledger.transaction(() => {
      ledger.posts.put(id, {
        id,
        accountId: page.id,
        permalink,
        content: message,
        media: [media],
        ...(cover !== undefined && { cover }),
        details: {
          kind,
          ...(title !== undefined && { title }),
          ...(finish.isDraft && { is_published: false }),
          ...(targeting && { targeting }),
        },
        publishedAt: finish.at,
        ...(finish.readyAt !== null && finish.readyAt > finish.at && { viewableAt: finish.readyAt }),
      });
      // A draft is not yet a post of the Page.
      if (finish.isDraft) return;
      const postId = `${page.id}_${nextId(ledger, 'post')}`;
      const post = { id: postId, pageId: page.id, kind: 'feed', message, photoIds: [], videoId: id } as const;
      add({ ...post, permalink, publishedAt: finish.at });
    });
  }

  for (const video of state.videos.list()) if (!state.liveVideos.get(video.id)) settleLater(video);

  return {
    feedPost,
    story,
    settleLater,
    settle,
    nextSettleMs: () => (processing.size === 0 ? undefined : Math.min(...processing.values())),
  };
}

/** Returns true if processing has ended with success. @param now epoch milliseconds */
export function isProcessed({ finish, failure }: Video, now: number): boolean {
  return failure === undefined && finish !== undefined && finish.readyAt !== null && finish.readyAt <= now;
}

export function permalinkOf({ id, kind, pageId }: Video): string {
  return `https://www.facebook.com${kind === 'reel' ? `/reel/${id}/` : `/${pageId}/videos/${id}/`}`;
}
