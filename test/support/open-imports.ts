import { present } from '../../lib/table/condition.ts';
import { updateItem } from '../../lib/table/items.ts';
import { workspaceKey } from '../../lib/table/keys.ts';
import type { Table } from '../../lib/table/table.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';

/** Returns the number of open imports that the workspace counts; `undefined` if it never had one. */
export async function openImportsOf(table: Table, workspaceId: string): Promise<number | undefined> {
  return (await getWorkspace(table, workspaceId)).openImports;
}

/** Makes the workspace count this many open imports, as if it had begun them. */
export async function setOpenImports(table: Table, workspaceId: string, openImports: number): Promise<void> {
  await updateItem(table, workspaceKey(workspaceId), { set: { openImports }, if: { pk: present } });
}
