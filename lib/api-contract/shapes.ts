/** Requests and responses that many operations share. */
import * as z from 'zod';
import { CursorQuery, limitQuery, NextCursor, PathId } from './fields.ts';

/** The path parameters of an operation on a single thing. */
export const ById = z.object({ id: PathId });

const maxPageSize = 500;

/** Returns the query of a paginated list, 50 per page unless `limit` is given. */
export function pageQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.object({ ...filters, limit: limitQuery(maxPageSize).default(50), cursor: CursorQuery });
}

/** Returns the query of a list that is returned whole unless `limit` is given. */
export function listQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.object({ ...filters, limit: limitQuery(maxPageSize).optional(), cursor: CursorQuery });
}

/** Returns the response of a list: a page of `item`s in the field named by `items`. */
export function pageReply<Items extends string, Item extends z.ZodType>(
  items: Items,
  item: Item,
  description: string,
) {
  const list = { [items]: z.array(item) } as Record<Items, z.ZodArray<Item>>;
  return { 200: { description, body: z.object({ ...list, nextCursor: NextCursor }) } };
}

export const deletedReply = { 200: { description: 'Deleted', body: z.object({ ok: z.literal(true) }) } };
