import { secondMs } from '../kernel/clock.ts';
import type { AccountCall, AccountPost, CommentPlatform } from '../platforms/contract/messaging.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { getItem } from '../table/items.ts';
import { automationPostKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { nameOf } from './answered-posts.ts';
import type { Automation } from './schemas.ts';

/** The number of posts per page and of pages that are searched. */
const [postsPerPage, maxPostPages] = [50, 10];

/** True if a post is later than an automation. Platforms give whole seconds. @param publishedMs epoch milliseconds */
export const isLater = (publishedMs: number, createdAt: string): boolean =>
  publishedMs >= Math.floor(Date.parse(createdAt) / secondMs) * secondMs;

/**
 * Asks the platform for the first post since an automation was created, without those that were the next post of another automation.
 *
 * @param known a post that the platform's list may not show yet
 * @returns the post's id at the platform; `undefined` if there is none
 */
export async function findNextPost(
  { table, platform, tools }: FindPorts,
  access: AccountCall,
  { workspaceId, accountId, createdAt }: Pick<Automation, 'workspaceId' | 'accountId' | 'createdAt'>,
  known: readonly AccountPost[] = [],
): Promise<string | undefined> {
  const posts = [...known];
  let after: string | undefined;
  for (let page = 1; page <= maxPostPages; page += 1) {
    const request = { ...access, sinceMs: Date.parse(createdAt), after, limit: postsPerPage };
    const listed = await platform.listPosts(request, tools);
    posts.push(...listed.posts);
    after = listed.after;
    if (after === undefined) break;
  }
  const later = posts
    .flatMap(({ platformPostId, publishedMs }) =>
      publishedMs !== undefined && isLater(publishedMs, createdAt) ? [{ platformPostId, publishedMs }] : [],
    )
    .toSorted((one, other) => one.publishedMs - other.publishedMs);
  for (const { platformPostId } of later) {
    const name = nameOf({ kind: 'next post', platformPostId });
    if (!(await getItem(table, automationPostKey(workspaceId, accountId, name)))) return platformPostId;
  }
  return undefined;
}

interface FindPorts {
  readonly table: Table;
  readonly platform: CommentPlatform;
  readonly tools: PlatformTools;
}
