import type { Operator } from '../../lib/workspaces/manage.ts';

/** What a command works with: the table and the time, and which stage it is. */
export interface AdminContext extends Operator {
  readonly stage: string;
}

export interface Command {
  /** What has to follow, in this order. */
  readonly words: readonly string[];
  /** What may follow. */
  readonly optional?: readonly string[];
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What else one should know before it is run. */
  readonly detail?: string;
  readonly run: (context: AdminContext, ...words: string[]) => Promise<void>;
}

/** By noun and verb, such as `key create`. */
export type Commands = Readonly<Record<string, Command>>;

export function print(rows: readonly Readonly<Record<string, string | number>>[]): void {
  for (const row of rows) {
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name}=${value}`)
        .join('  '),
    );
  }
  if (rows.length === 0) console.log('none');
}
