import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { updateItem } from '../table/items.ts';
import { automationKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { nameOf } from './answered-posts.ts';
import { automationLifeCycle, automationState } from './schemas.ts';
import { type AutomatedPost, findAutomationOfPost } from './store.ts';

const maxTries = 3;

/** A post of Herald, with its id at the platform. */
export interface GonePost extends AutomatedPost {
  readonly postId: string;
}

/**
 * Switches off the automations of a post that is gone at the platform: what waits is not sent. These are its own one, and the one of the
 * next post if it was that post. The one of every post goes on. A person may switch them on again. Idempotent.
 *
 * @param nowMs epoch milliseconds
 */
export async function stopAutomationsOfPost(
  table: Table,
  { platformPostId, postId, ...place }: GonePost,
  nowMs: number,
): Promise<void> {
  // One that is attached to the post moves to the post's own name meanwhile, so that name is looked up later.
  for (const posts of [
    { kind: 'herald post', postId },
    { kind: 'post', platformPostId },
    { kind: 'next post', platformPostId },
  ] as const)
    await stopAutomation(table, { ...place, platformPostId: nameOf(posts) }, nowMs);
}

async function stopAutomation(table: Table, post: AutomatedPost, nowMs: number): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const automation = await findAutomationOfPost(table, post);
    if (!automation?.isActive) return;
    const { workspaceId, id, version } = automation;
    requireMove('automation', automationLifeCycle, automationState(automation), 'inactive');
    const set = { isActive: false, updatedAt: toTimestamp(nowMs), version: version + 1 };
    const { written } = await updateItem(table, automationKey(workspaceId, id), { set, if: { version } });
    if (written) return;
  }
  throw new Error('the automation of a removed post changed during each of several tries to stop it');
}
