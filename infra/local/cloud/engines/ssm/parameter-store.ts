/** Stores parameters: the template's values, and values that were put later. */

import type { ParameterResource } from '../../model.ts';
import { openDatabase } from '../database.ts';

export interface Parameter {
  readonly name: string;
  readonly type: 'String' | 'SecureString' | 'StringList';
  readonly value: string;
  readonly version: number;
  readonly modifiedAtMs: number;
}

export interface ParameterStore {
  get(name: string): Parameter | undefined;
  put(parameter: Parameter): void;
  /** Returns all parameters, ordered by name. */
  all(): Parameter[];
  close(): void;
}

/** `template_value` is the last value in the template. It tells a changed template from a value put by hand. */
const schema = `
  CREATE TABLE IF NOT EXISTS parameters (
    name TEXT PRIMARY KEY,
    parameter TEXT NOT NULL,
    template_value TEXT
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the store and deploys the template's parameters. A value that changed in the template since the last start
 * replaces the stored one. If it is unchanged, a value that was put by hand stays.
 */
export function openParameterStore(
  file: string,
  parameters: readonly ParameterResource[],
  nowMs: number,
): ParameterStore {
  const { connection, close } = openDatabase(file, schema);
  const get = connection.prepare('SELECT parameter FROM parameters WHERE name = ?');
  const all = connection.prepare('SELECT parameter FROM parameters ORDER BY name');
  const put = connection.prepare(`
    INSERT INTO parameters (name, parameter) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET parameter = excluded.parameter`);
  const deployed = connection.prepare('SELECT template_value FROM parameters WHERE name = ?');
  const markDeployed = connection.prepare('UPDATE parameters SET template_value = ? WHERE name = ?');

  const store: ParameterStore = {
    get: (name) => fromRow(get.get(name)),
    put: (parameter) => void put.run(parameter.name, JSON.stringify(parameter)),
    all: () => all.all().flatMap((row) => fromRow(row) ?? []),
    close,
  };
  for (const { name, type, value } of parameters) {
    if (deployed.get(name)?.['template_value'] === value) continue;
    store.put({ name, type, value, version: (store.get(name)?.version ?? 0) + 1, modifiedAtMs: nowMs });
    markDeployed.run(value, name);
  }
  return store;
}

function fromRow(row: Record<string, unknown> | undefined): Parameter | undefined {
  return row && JSON.parse(String(row['parameter']));
}
