import * as z from 'zod';
import { isId } from '../kernel/ids.ts';
import type { Json } from '../kernel/json.ts';

/** An id in a request's body or query. Only the canonical form is accepted. */
export const Id = z
  .string()
  .refine(isId, 'must be a UUID')
  .meta({ format: 'uuid', description: 'UUID in lower case' });

/** An id in a path. Any text passes here, because an id that is not a UUID is simply not found. */
export const PathId = z.string().meta({ format: 'uuid', description: 'UUID in lower case' });

export const Timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601 in UTC' });

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Pass as `cursor` for the next page; null at the end' });

export const CursorQuery = z
  .string()
  .max(2_000)
  .optional()
  .meta({ description: 'The `nextCursor` of the page before, with the same filters' });

/** The query parameter `limit`: a whole number from 1 to `max`. */
export const limitQuery = (max: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= max, {
      error: `must be a whole number from 1 to ${max}`,
      params: { code: 'field_out_of_range' },
    })
    .meta({ type: 'integer', minimum: 1, maximum: max });

/** Not validated: the value comes from a JSON parser, so it is JSON. */
const AnyJson = z.unknown() as z.ZodType<Json>;

/** Free-form JSON, stored unchanged. */
export const FreeForm = z.record(z.string(), AnyJson);
