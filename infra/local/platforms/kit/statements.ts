import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares a statement at its first use. Preparing takes longer than running it. */
export type Prepare = (sql: string) => StatementSync;

export function openStatements(database: DatabaseSync): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
