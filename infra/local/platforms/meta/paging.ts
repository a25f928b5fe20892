import type { Call } from '../kit/call.ts';
import { refuseParameter } from './graph-errors.ts';
import { integerField, textField } from './parameters.ts';

/** Returns one page of a list, in the Graph API's format with cursors. @param most the largest page size */
export function page<T extends { readonly id: string }>(
  call: Call,
  items: readonly T[],
  fieldsOf: (item: T) => Record<string, unknown>,
  max = 100,
): unknown {
  const limit = Math.min(integerField(call.fields, 'limit', 1) ?? 25, max);
  const after = textField(call.fields, 'after');
  const start = after === undefined ? 0 : items.findIndex(({ id }) => cursorOf(id) === after) + 1;
  if (after !== undefined && start === 0) refuseParameter('Invalid cursors values');
  const shown = items.slice(start, start + limit);
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return { data: [] };
  const cursors = { before: cursorOf(first.id), after: cursorOf(last.id) };
  const next = `https://${call.host}${call.path}?limit=${limit}&after=${cursors.after}`;
  const hasMore = start + limit < items.length;
  return { data: shown.map(fieldsOf), paging: { cursors, ...(hasMore && { next }) } };
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}
