import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../kernel/errors.ts';

/** The scope of a cursor, which opens only in the same workspace and with the same filters. */
export interface CursorScope {
  /** The workspace's own secret for cursors. */
  readonly secret: string;
  readonly listing: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
  /** The parameter that an error names. Default: `cursor`. */
  readonly parameter?: string;
}

/**
 * Returns an opaque, signed cursor for the position at which the next page begins.
 *
 * @param position the sort key of the last returned item
 */
export function sealCursor(scope: CursorScope, position: string): string {
  const payload = Buffer.from(position, 'utf8').toString('base64url');
  return `${payload}.${seal(scope, payload)}`;
}

/**
 * Verifies a cursor and returns its position.
 *
 * @throws HeraldError `invalid`, naming the parameter, if the cursor is forged, or belongs to another workspace, another list
 *   or other filters
 */
export function openCursor(scope: CursorScope, cursor: string): string {
  const [payload, mark, ...rest] = cursor.split('.');
  // Compared as text, because several base64url texts decode to the same bytes.
  const given = Buffer.from(mark ?? '');
  const expected = Buffer.from(seal(scope, payload ?? ''));
  const genuine = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
  if (!genuine || payload === undefined) {
    throw invalidField(
      scope.parameter ?? 'cursor',
      'is not a cursor of this list with these filters; start again without it',
      'cursor_invalid',
    );
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
