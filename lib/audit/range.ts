import * as z from 'zod';
import { invalidField } from '../kernel/errors.ts';

export const Moment = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date-time, such as 2026-03-01T12:00:00Z',
});

/**
 * Parses a range of time from the texts of a request or a command.
 *
 * @param texts.from the first moment; texts.to the end, exclusive
 * @returns epoch milliseconds
 * @throws HeraldError `invalid` (field `from` or `to`) for a text that is not a date-time; (field `to`) for an empty range
 */
export function rangeOf(texts: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const [fromMs, toMs] = (['from', 'to'] as const).map((name) => {
    const text = texts[name];
    if (text === undefined) return undefined;
    const { error } = Moment.safeParse(text);
    if (error) throw invalidField(name, error.issues[0]?.message ?? 'is not a date-time', 'field_format');
    return Date.parse(text);
  });
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs)
    throw invalidField('to', 'must be later than `from`', 'range_empty');
  return { fromMs, toMs };
}
