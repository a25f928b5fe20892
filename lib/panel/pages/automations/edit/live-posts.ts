import type { listAccountPostsOperation } from '../../../../automations/operations.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';
import type { ListedPost } from '../../../posts/post.ts';
import { scheduledName } from './draft.ts';

/** A post that is live, or will be, on an account. */
export interface LiveHere {
  /** Its id at the platform; {@link scheduledName} for a post that is not live. */
  readonly platformPostId: string;
  readonly permalink: string | null;
  readonly content: string;
  readonly publishedAt: string | null;
  /** The time at which it goes live, for a post that is not. */
  readonly scheduledFor?: string | null;
  /** The address of its cover, or of its first picture. */
  readonly picture: string | undefined;
  /** Known of posts that the platform lists. */
  readonly kind?: AccountPost['kind'];
  /** Known of posts that the platform lists. */
  readonly hasPlatformPicture?: boolean;
}

/** The posts that are live on an account, in the order given. */
export function livePostsOf(posts: readonly ListedPost[], accountId: string): readonly LiveHere[] {
  return posts.flatMap(({ content, mediaItems, coverUrl, platforms }) => {
    const target = platforms.find(
      (each) => each.accountId === accountId && each.status === 'published' && !each.removedAt,
    );
    if (!target?.platformPostId) return [];
    const { platformPostId, permalink, publishedAt } = target;
    const picture = pictureOf({ coverUrl, mediaItems });
    return [{ platformPostId, permalink, content, publishedAt, picture }];
  });
}

const pictureOf = ({ coverUrl, mediaItems }: Pick<ListedPost, 'coverUrl' | 'mediaItems'>) =>
  coverUrl ?? mediaItems.find(({ type }) => type === 'image')?.url;

/** The posts that are scheduled for an account, or are drafts for it, the earliest first. */
export function comingPostsOf(posts: readonly ListedPost[], accountId: string): readonly LiveHere[] {
  return posts
    .flatMap((post) => {
      const target = post.platforms.find(
        (each) => each.accountId === accountId && each.platformPostId === null && each.status !== 'failed',
      );
      if (!target) return [];
      const { id, content, scheduledFor } = post;
      const name = { platformPostId: scheduledName(id), permalink: null, publishedAt: null };
      return [{ ...name, content, scheduledFor, picture: pictureOf(post) }];
    })
    .toSorted((one, other) => ((one.scheduledFor ?? '~') < (other.scheduledFor ?? '~') ? -1 : 1));
}

type AccountPost = ReplyOf<typeof listAccountPostsOperation>['posts'][number];

/**
 * The posts that the platform lists, without those of other lists. The address of a picture at the platform is of no use: the policy of
 * the panel's pages allows no pictures of other hosts, and the hosts of Instagram's have no fixed names.
 */
export function postsElsewhereOf(
  posts: readonly AccountPost[],
  others: readonly LiveHere[],
): readonly LiveHere[] {
  const known = new Set(others.map(({ platformPostId }) => platformPostId));
  return posts.flatMap(({ platformPostId, permalink, text, publishedAt, kind, pictureUrl }) => {
    if (known.has(platformPostId)) return [];
    known.add(platformPostId);
    const hasPlatformPicture = pictureUrl !== null;
    const content = text ?? '';
    return [
      { platformPostId, permalink, content, publishedAt, picture: undefined, kind, hasPlatformPicture },
    ];
  });
}

/** The posts that have all words of a text. Pure. */
export function searchPosts(posts: readonly LiveHere[], text: string): readonly LiveHere[] {
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return posts.filter(({ content }) => {
    const lower = content.toLocaleLowerCase();
    return wanted.every((word) => lower.includes(word));
  });
}

/** The id of a post from what somebody enters: the id itself, or the address of one of these posts. */
export function postIdIn(text: string, posts: readonly LiveHere[]): string {
  const trimmed = text.trim();
  if (!/^https?:/.test(trimmed)) return trimmed;
  const wanted = pathOf(trimmed);
  const found = posts.find(({ permalink }) => permalink !== null && pathOf(permalink) === wanted);
  return found?.platformPostId ?? trimmed;
}

/** `https://www.instagram.com/p/abc/?img_index=1` as `/p/abc`. */
const pathOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).pathname.replace(/\/$/, '') : undefined;
