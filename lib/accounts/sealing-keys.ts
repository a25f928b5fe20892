import * as z from 'zod';
import { dayMs, secondMs } from '../kernel/clock.ts';
import { absent } from '../table/condition.ts';
import { getItem, putItem } from '../table/items.ts';
import { sealingKeyKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { SharedKeys } from './vault.ts';

/** A data key that seals the tokens of a period, sealed by the key service. */
export const SealingKey = z.object({ sealedKey: z.base64() });

/** The time for which a key is found: longer than its period. What it has sealed carries it. */
const keptMs = 60 * dayMs;

/** Opens the stored data keys with which all tokens of a stage are sealed. */
export const openSealingKeys = (table: Table, now: () => number): SharedKeys => ({
  async find(period) {
    const item = await getItem(table, sealingKeyKey(period));
    return item && SealingKey.parse(item).sealedKey;
  },
  async add(period, sealedKey) {
    const expiresAtSeconds = Math.ceil((now() + keptMs) / secondMs);
    const item = { ...sealingKeyKey(period), kind: 'sealingKey', sealedKey, expiresAtSeconds };
    const { written, item: stored } = await putItem(table, item, { pk: absent });
    return written ? sealedKey : SealingKey.parse(stored).sealedKey;
  },
});
