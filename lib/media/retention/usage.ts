import type { Table } from '../../table/table.ts';
import type { Media } from '../schemas.ts';

/** What a file is still needed for. */
export interface MediaUsage {
  /** A post that has yet to publish the file, or has a waiting chain step that does. */
  readonly scheduledPostId?: string;
  readonly draftPostId?: string;
  /** Whether a post refers to it that has not expired, whatever became of the post. */
  readonly isReferredTo?: boolean;
  /** More posts refer to the file than are checked, so it counts as needed. */
  readonly isTooMany?: boolean;
  /** When a post with this file last went live, as a timestamp. */
  readonly publishedAt?: string;
}

/**
 * Finds what a file is still needed for. Passed as an argument because `lib/media` must not import `lib/posts`.
 *
 * @param now epoch milliseconds
 */
export type FindMediaUsage = (
  table: Table,
  media: Pick<Media, 'workspaceId' | 'id'>,
  now: number,
) => Promise<MediaUsage>;
