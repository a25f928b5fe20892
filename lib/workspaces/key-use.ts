import { toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, anyOf, lessThan } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { keyUseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { KeyUse, type ListedKey } from './schemas.ts';
import { listKeys } from './store.ts';

/** The maximum number of keys that an instance remembers as used today. */
const maxRemembered = 5_000;

/** Records the day (UTC) on which each API key was last used. An instance writes at most once per key and day. */
export class KeyUses {
  readonly #table: Table;
  /** The day that was recorded, or is being recorded, by key id. */
  readonly #days = new Map<string, string>();

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Records that a key is used. If other instances have already recorded the day, the write fails its condition and changes
   * nothing; it still costs one write unit. After a failure, the next use tries again.
   *
   * @param now epoch milliseconds
   * @returns a promise that resolves when it is recorded; `undefined` if this instance has recorded the day before
   */
  record(keyId: string, now: number): Promise<void> | undefined {
    const day = toTimestamp(now).slice(0, 10);
    if ((this.#days.get(keyId) ?? '') >= day) return undefined;
    if (this.#days.size >= maxRemembered) this.#days.clear();
    this.#days.set(keyId, day);
    return this.#write(keyId, day);
  }

  async #write(keyId: string, day: string): Promise<void> {
    try {
      await updateItem(this.#table, keyUseKey(keyId), {
        set: { day, kind: 'keyUse' },
        if: { day: anyOf(absent, lessThan(day)) },
      });
    } catch (error) {
      if (this.#days.get(keyId) === day) this.#days.delete(keyId);
      throw error;
    }
  }
}

/** An API key in its workspace's list, with the day of its last use as `YYYY-MM-DD` (UTC); absent if it was never used. */
export interface KeyWithUse extends ListedKey {
  readonly lastUsedAt?: string;
}

/** Returns all API keys of a workspace, including revoked ones. */
export async function listKeysWithUse(table: Table, workspaceId: string): Promise<KeyWithUse[]> {
  const keys = await listKeys(table, workspaceId);
  const found = await batchGet(
    table,
    keys.map(({ id }) => keyUseKey(id)),
  );
  return keys.map((key) => {
    const use = found.get(keyUseKey(key.id));
    return { ...key, ...(use && { lastUsedAt: KeyUse.parse(use).day }) };
  });
}
