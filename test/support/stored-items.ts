import { readReleaseFile } from './releases.ts';

export type Item = Readonly<Record<string, unknown>>;

/** Examples of one kind of item. */
export interface StoredExamples {
  readonly examples: readonly Item[];
  /** Every value that an enum has had, by the path of its attribute. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Deployed tables hold items that earlier versions have stored. `test/fixtures/releases/next/items.json` holds examples of what
 * today's code stores and reads, by kind; the folders next to it hold those of each release. Bytes are written there as
 * `{ "base64": "…" }`.
 *
 * If you add a field, append an example that has it: a copy of the kind's last example, with the attribute as today's
 * code stores it. If you add a value to an enum, append it to the kind's `values`. Do not change or remove what is there,
 * unless a migration has changed all such items in every deployed table.
 */
export function readStoredItems(release = 'next'): Readonly<Record<string, StoredExamples>> {
  return readReleaseFile(release, 'items') as Readonly<Record<string, StoredExamples>>;
}
