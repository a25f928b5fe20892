import type { AutomationMessage } from '../automations/schemas.ts';
import { openTenantQueue, type TenantQueue } from './tenant-queue.ts';

/** Sends the messages of actions. */
export function openAutomationQueue(queueUrl: string): TenantQueue<AutomationMessage> {
  return openTenantQueue(queueUrl);
}
