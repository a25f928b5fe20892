/** Finds and reads the settings of a deployment, which are not part of the source. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSettings } from '../infra/settings/parse.ts';
import { findStage, type OwnSettings, type Stage } from '../infra/stages.ts';

/** The file's name in the project's folder. */
export const settingsFileName = 'herald.config.json';

const root = join(import.meta.dirname, '..');

/**
 * Reads the settings file: the given one, or the one that `HERALD_CONFIG` names, or `herald.config.json` in the project's folder.
 * If none exists, or `HERALD_CONFIG` is empty, only the built-in settings apply.
 *
 * @throws Error that names a file that does not exist, or each field that is wrong
 */
export function readSettings(
  given: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  directory = root,
): OwnSettings {
  const named = given ?? environment['HERALD_CONFIG'];
  const path = named ?? join(directory, settingsFileName);
  if (path === '' || (named === undefined && !existsSync(path))) return {};
  if (!existsSync(path)) throw new Error(`${path}: there is no such settings file`);
  return parseSettings(readFileSync(path, 'utf8'), basename(path));
}

/** Returns a stage with the settings of its deployment. @throws Error as {@link readSettings} and `findStage` */
export const readStage = (name: string): Stage => findStage(name, readSettings(undefined));

/**
 * Returns a stage with another receiver of its alarms.
 *
 * @param operatorEmail the command line's address. If it is absent or empty, like an unset variable of a pipeline, the stage
 *   keeps its own.
 */
export const withOperator = (stage: Stage, operatorEmail: unknown): Stage =>
  operatorEmail === undefined || operatorEmail === ''
    ? stage
    : { ...stage, operatorEmail: String(operatorEmail) };
