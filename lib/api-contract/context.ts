import type { Act } from '../access/act.ts';
import type { Table } from '../table/table.ts';

/** The context of every API verb: the table, the actor and its act in a workspace, and the time. */
export interface Context extends Act {
  readonly table: Table;
  readonly workspaceId: string;
  readonly cursorSecret: string;
  /**
   * The origin of the panel, such as `https://panel.example.com`, as the person's browser uses it. Absent unless a person acts.
   */
  readonly panelOrigin?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}
