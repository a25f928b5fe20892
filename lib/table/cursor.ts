import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../kernel/errors.ts';

/** What a cursor is bound to: it opens only in the workspace and for the filters it was made for. */
export interface CursorScope {
  /** The workspace's own secret for cursors. */
  readonly secret: string;
  readonly listing: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/**
 * Seals the place where the next page begins into an opaque text.
 *
 * @param position the sort key of the last item given out
 */
export function sealCursor(scope: CursorScope, position: string): string {
  const payload = Buffer.from(position, 'utf8').toString('base64url');
  return `${payload}.${seal(scope, payload)}`;
}

/**
 * The position inside a cursor.
 *
 * @throws HeraldError `invalid` (field `cursor`) for a forged cursor, one of another workspace, or one of a list with
 *   other filters
 */
export function openCursor(scope: CursorScope, cursor: string): string {
  const [payload, mark, ...rest] = cursor.split('.');
  // As texts: several base64url texts stand for the same bytes.
  const given = Buffer.from(mark ?? '');
  const expected = Buffer.from(seal(scope, payload ?? ''));
  const genuine = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
  if (!genuine || payload === undefined) {
    throw invalidField('cursor', 'is not a cursor of this list; begin again without it');
  }
  return Buffer.from(payload, 'base64url').toString('utf8');
}

function seal(scope: CursorScope, payload: string): string {
  const filters = Object.entries(scope.filters)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHmac('sha256', scope.secret)
    .update(JSON.stringify([scope.listing, filters, payload]))
    .digest()
    .subarray(0, 16)
    .toString('base64url');
}
