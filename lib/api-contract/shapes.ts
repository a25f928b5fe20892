/** Requests and replies that many operations share. */
import * as z from 'zod';
import { CursorQuery, limitQuery, NextCursor, PathId } from './fields.ts';

/** The path parameters of an operation on one thing. */
export const ById = z.object({ id: PathId });

const mostOnPage = 500;

/** The query of a list that comes in pages of 50 unless `limit` says otherwise. */
export function pageQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.object({ ...filters, limit: limitQuery(mostOnPage).default(50), cursor: CursorQuery });
}

/** The query of a list that comes whole unless `limit` is given. */
export function listQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.object({ ...filters, limit: limitQuery(mostOnPage).optional(), cursor: CursorQuery });
}

/** A page of `item`s, under the name `items`. */
export function pageReply(items: string, item: z.ZodType, description: string) {
  return { 200: { description, body: z.object({ [items]: z.array(item), nextCursor: NextCursor }) } };
}

export const deletedReply = { 200: { description: 'Deleted', body: z.object({ ok: z.literal(true) }) } };
