import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings, settingsFileName, withOperator } from '../../bin/settings-file.ts';
import { findStage } from '../../infra/stages.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (name: string, rateLimitPerMinute: number): string => {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify({ stages: { dev: { rateLimitPerMinute } } }));
  return path;
};
const limitOf = (given?: string, environment: NodeJS.ProcessEnv = {}) =>
  readSettings(given, environment, directory).dev?.rateLimitPerMinute;

describe('the settings of a deployment', () => {
  it('are the built-in ones without a file', () => {
    expect(readSettings(undefined, {}, directory)).toEqual({});
  });

  it('come from the file that is given, else the one of the variable, else the one of the project', () => {
    write(settingsFileName, 1);
    expect(limitOf()).toBe(1);
    const other = write('other.json', 2);
    expect(limitOf(undefined, { HERALD_CONFIG: other })).toBe(2);
    expect(limitOf(write('third.json', 3), { HERALD_CONFIG: other })).toBe(3);
  });

  it('are the built-in ones if the variable is empty, as for the local run', () => {
    write(settingsFileName, 1);
    expect(readSettings(undefined, { HERALD_CONFIG: '' }, directory)).toEqual({});
  });

  it('are refused if a named file does not exist, or is wrong', () => {
    expect(() => limitOf(join(directory, 'none.json'))).toThrow(
      /none\.json: there is no such settings file$/,
    );
    expect(() => limitOf(write('bad.json', 0))).toThrow(
      'bad.json: stages.dev.rateLimitPerMinute must be at least 1',
    );
  });

  it('get their operator from the command line, unless a pipeline passes a variable that is not set', () => {
    const stage = { ...findStage('production'), operatorEmail: 'own@example.com' };
    expect(withOperator(stage, 'other@example.com').operatorEmail).toBe('other@example.com');
    for (const none of [undefined, '']) expect(withOperator(stage, none)).toBe(stage);
  });
});
