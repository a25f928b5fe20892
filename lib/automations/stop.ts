import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { updateItem } from '../table/items.ts';
import { automationKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { automationLifeCycle, automationState } from './schemas.ts';
import { type AutomatedPost, findAutomationOfPost } from './store.ts';

const maxTries = 3;

/**
 * Switches off the automation of a post that is gone at the platform: what waits is not sent. A person may switch it on again.
 * Idempotent.
 *
 * @param nowMs epoch milliseconds
 */
export async function stopAutomationOfPost(table: Table, post: AutomatedPost, nowMs: number): Promise<void> {
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
