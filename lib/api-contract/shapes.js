/** Requests and responses that many operations share. */
import * as z from 'zod';
import { CursorQuery, limitQuery, NextCursor, PathId } from './fields.ts';
/** The path parameters of an operation on a single thing. */
export const ById = z.object({ id: PathId });
const maxPageSize = 500;
/** The query of a list that is paginated, 50 per page unless `limit` is given. */
export function pageQuery(filters) {
    return z.object({ ...filters, limit: limitQuery(maxPageSize).default(50), cursor: CursorQuery });
}
/** The query of a list that is returned whole unless `limit` is given. */
export function listQuery(filters) {
    return z.object({ ...filters, limit: limitQuery(maxPageSize).optional(), cursor: CursorQuery });
}
/** The response of a list: a page of `item`s in the field named by `items`. */
export function pageReply(items, item, description) {
    const list = { [items]: z.array(item) };
    return { 200: { description, body: z.object({ ...list, nextCursor: NextCursor }) } };
}
export const deletedReply = { 200: { description: 'Deleted', body: z.object({ ok: z.literal(true) }) } };
