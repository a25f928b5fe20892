import type { Table } from '../../table/table.ts';
import type { Media } from '../schemas.ts';

/** What a file is still needed for. */
export interface MediaUsage {
  /** A post that has to publish it, or has a step of its chain waiting that does. */
  readonly scheduledPostId?: string;
  readonly draftPostId?: string;
  /** More posts refer to it than are looked at: it counts as needed. */
  readonly isTooMany?: boolean;
  /** When a post with it last went live, as a timestamp. */
  readonly publishedAt?: string;
}

/**
 * Finds what a file is still needed for. Posts know that, and media know nothing of posts, so it is passed in.
 *
 * @param now epoch milliseconds
 */
export type FindMediaUsage = (
  table: Table,
  media: Pick<Media, 'workspaceId' | 'id'>,
  now: number,
) => Promise<MediaUsage>;
