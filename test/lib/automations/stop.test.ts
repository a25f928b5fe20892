import { beforeAll, describe, expect, it } from 'vitest';
import { stopAutomationOfPost } from '../../../lib/automations/stop.ts';
import { findAutomation } from '../../../lib/automations/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { storeAutomation } from '../../support/automations.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describe('the automation of a post that is gone', () => {
  it('is switched off, once', async () => {
    const automation = await storeAutomation(table, newId(startMs));
    const { workspaceId, id, version } = automation;
    const find = () => findAutomation(table, workspaceId, id);
    await stopAutomationOfPost(table, automation, startMs);
    const stopped = { ...automation, isActive: false, updatedAt: toTimestamp(startMs), version: version + 1 };
    expect(await find()).toEqual(stopped);
    await stopAutomationOfPost(table, automation, startMs + 1);
    expect(await find()).toEqual(stopped);
  });

  it('leaves those of other posts alone', async () => {
    const automation = await storeAutomation(table, newId(startMs));
    await stopAutomationOfPost(table, { ...automation, platformPostId: 'another' }, startMs);
    expect(await findAutomation(table, automation.workspaceId, automation.id)).toEqual(automation);
  });
});
