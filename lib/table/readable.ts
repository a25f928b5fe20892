import { ZodError } from 'zod';
import type { Item } from './items.ts';
import type { Table } from './table.ts';

/** A receiver of items that cannot be read. In functions, the table is one. */
export type Reporter = Pick<Table, 'report'>;

/**
 * Reads the items of a list. An item that cannot be read, because another version or a person wrote it, is left out and reported
 * to operators, so that it does not hide the others.
 *
 * Not for work that must not skip an item, such as making webhook events: there, an error stops and repeats the work, which
 * succeeds once a newer release runs (decision 4).
 */
export function readableItems<Row>(
  reporter: Reporter,
  items: readonly Item[],
  read: (item: Item) => Row,
): Row[] {
  const rows: Row[] = [];
  for (const item of items) {
    try {
      rows.push(read(item));
    } catch (error) {
      reportUnreadable(reporter, item, error);
    }
  }
  return rows;
}

/** Reports an item that cannot be read to operators, by its key. */
export function reportUnreadable(reporter: Reporter, { pk, sk }: Item, error: unknown): void {
  reporter.report?.({ pk: String(pk), sk: String(sk) }, error);
}

/** True if an error means that an item cannot be read: it does not match its schema, or its JSON text is broken. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ZodError || error instanceof SyntaxError;
