import type { Act } from '../access/act.ts';
import type { Table } from '../table/table.ts';

/** What every API verb receives: the table, who does what in which workspace, and when. */
export interface Context extends Act {
  readonly table: Table;
  readonly workspaceId: string;
  readonly cursorSecret: string;
  /** The panel's origin, such as `https://panel.example.com`, if a person acts; absent for API keys. */
  readonly panelOrigin?: string;
  /** Epoch milliseconds. */
  readonly now: number;
}
