import type { Automation } from '../../lib/automations/schemas.ts';
import { insertAutomation } from '../../lib/automations/store.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import type { Table } from '../../lib/table/table.ts';
import { startMs } from './builders.ts';

/** An automation that replies to every comment on its post with a message. */
export function anAutomation(workspaceId: string, changes: Partial<Automation> = {}): Automation {
  const { id = newId(startMs) } = changes;
  return {
    id,
    workspaceId,
    accountId: newId(startMs),
    platformPostId: `1789${Number.parseInt(id.slice(-8), 16)}`,
    name: null,
    isActive: true,
    keywords: [],
    matchMode: 'contains',
    typoTolerance: false,
    commentReply: null,
    dmMessage: 'Hello',
    buttons: [],
    followGate: null,
    trackLinks: true,
    links: [],
    createdAt: toTimestamp(startMs),
    updatedAt: toTimestamp(startMs),
    version: 1,
    ...changes,
  };
}

export async function storeAutomation(
  table: Table,
  workspaceId: string,
  changes?: Partial<Automation>,
): Promise<Automation> {
  const automation = anAutomation(workspaceId, changes);
  const outcome = await insertAutomation(table, automation);
  if (outcome !== 'stored') throw new Error(`the automation was not stored: ${outcome}`);
  return automation;
}
