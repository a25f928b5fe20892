import type { Platform } from '../platforms/contract/names.ts';
import { batchGet } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import { type Key, pauseKey, pauseListPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { Pause } from './schemas.ts';
import { scopeText } from './scope.ts';

/** The fields that determine the pauses that can hold a piece of work. */
export interface PausableWork {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly platform: Platform;
}

/** Returns the keys of the pauses that can hold this work, the widest scope first. They fit into any batch of reads. */
export function pauseKeysOf({ workspaceId, accountId, platform }: PausableWork): readonly Key[] {
  return [
    { kind: 'platform', platform } as const,
    { kind: 'workspace', workspaceId } as const,
    { kind: 'account', workspaceId, accountId } as const,
  ].map((scope) => pauseKey(scopeText(scope)));
}

/** Returns the first pause that was found. */
export function pauseAmong(found: FoundItems, keys: readonly Key[]): Pause | undefined {
  const item = keys.map((key) => found.get(key)).find((each) => each !== undefined);
  return item && Pause.parse(item);
}

/** Returns the pause that holds this work now, strongly consistent, if there is one. One request. */
export async function readPause(table: Table, work: PausableWork): Promise<Pause | undefined> {
  const keys = pauseKeysOf(work);
  return pauseAmong(await batchGet(table, keys), keys);
}

/** Returns all pauses, by scope. Operators create them by hand, so there are few. */
export async function listPauses(table: Table, { isEventual = false } = {}): Promise<Pause[]> {
  const items = await queryAll(table, { partition: pauseListPartition, isEventual });
  return items.map((item) => Pause.parse(item));
}
