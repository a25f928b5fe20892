import type { Table } from '../table/table.ts';

/** What a verb of the API is given: whose request it is, when, and the table. */
export interface Context {
  readonly table: Table;
  readonly workspaceId: string;
  readonly keyId: string;
  readonly cursorSecret: string;
  /** Epoch milliseconds. */
  readonly now: number;
}
