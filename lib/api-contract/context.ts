import type { Table } from '../table/table.ts';

/** What every API verb receives: the table, who makes the request, and when. */
export interface Context {
  readonly table: Table;
  readonly workspaceId: string;
  readonly keyId: string;
  readonly cursorSecret: string;
  /** Epoch milliseconds. */
  readonly now: number;
}
