import type { Table } from '../../table/table.ts';
import { findPostsByExternalId } from '../external-ids.ts';
import type { ListPlan } from './plan.ts';
import type { PostPage } from './read-page.ts';

/** Reads one page of a list of the posts that have an external id: their ids with one Query, at most 100 posts in a batch. */
export async function readPageOfExternalId(
  table: Table,
  workspaceId: string,
  { externalId = '', matches }: ListPlan,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<PostPage> {
  const page = await findPostsByExternalId(table, workspaceId, externalId, { limit, afterPostId: after });
  return { posts: page.posts.filter(matches), lastPosition: page.lastPostId };
}
