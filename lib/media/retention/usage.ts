import type { Table } from '../../table/table.ts';
import type { Media } from '../schemas.ts';

/** The posts for which a file is still needed. */
export interface MediaUsage {
  /** A post that still has to publish the file, or has a waiting chain step that does. */
  readonly scheduledPostId?: string;
  readonly draftPostId?: string;
  /** True if an unexpired post refers to the file, whatever the post's outcome. */
  readonly isReferredTo?: boolean;
  /** True if more posts refer to the file than are checked, so that it counts as needed. */
  readonly isTooMany?: boolean;
  /** The time at which a post with this file last went live, as a timestamp. */
  readonly publishedAt?: string;
}

/**
 * Finds the posts for which a file is still needed. Passed as an argument because `lib/media` must not import `lib/posts`.
 *
 * @param now epoch milliseconds
 */
export type FindMediaUsage = (
  table: Table,
  media: Pick<Media, 'workspaceId' | 'id'>,
  now: number,
) => Promise<MediaUsage>;
