import { HeraldError } from '../../kernel/errors.ts';
import { maxOpenImports } from './open-import.ts';

/**
 * The wait before another request. Most imports take seconds. A longer wait would leave room unused; after a shorter
 * one, most requests would be refused again.
 */
const retryAfterSeconds = 60;

/**
 * Returns the error of a request that would open more imports than the workspace may have.
 *
 * @param openImports the number of open imports
 * @param fields the fields that name the files to import, in the order of the request. The error is about the first
 *   file for which there is no room
 */
export function tooManyImports(openImports: number, fields: readonly string[]): HeraldError {
  const param = fields[Math.max(0, maxOpenImports - openImports)] ?? fields[0] ?? 'url';
  const needed = fields.length;
  return new HeraldError(
    'too_many_imports',
    `${param}: the workspace has ${openImports} open imports, and may have ${maxOpenImports}; this request needs ${needed}. Wait until some have ended, then send it again`,
    { param, retryAfterSeconds },
  );
}
