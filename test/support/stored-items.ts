import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Item = Readonly<Record<string, unknown>>;

/** Examples of one kind of item. */
export interface StoredExamples {
  readonly examples: readonly Item[];
  /** Every value that an enum has had, by the path of its attribute. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Deployed tables hold items that earlier versions have stored. `test/fixtures/stored-items.json` holds examples of them,
 * by kind. Bytes are written there as `{ "base64": "…" }`.
 *
 * If you add a field, append an example that has it: a copy of the kind's last example, with the attribute as today's
 * code stores it. If you add a value to an enum, append it to the kind's `values`. Do not change or remove what is there,
 * unless a migration has changed all such items in every deployed table.
 */
export function readStoredItems(): Readonly<Record<string, StoredExamples>> {
  const path = join(import.meta.dirname, '../fixtures/stored-items.json');
  return JSON.parse(readFileSync(path, 'utf8'), (_name, value) =>
    typeof value?.base64 === 'string' ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value,
  );
}
