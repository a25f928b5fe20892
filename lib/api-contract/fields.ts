import * as z from 'zod';
import { isId } from '../kernel/ids.ts';
import type { Json } from '../kernel/json.ts';

/** An id in a request. Only the canonical form names anything. */
export const Id = z
  .string()
  .refine(isId, 'must be a UUID')
  .meta({ format: 'uuid', description: 'UUID in lower case' });

/** An id in a path: whatever is not a UUID is simply not found, so any text passes here. */
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
  .meta({ description: "A page's `nextCursor`; valid for the same filters only" });

/** The query parameter `limit`: digits only, from 1 to `most`. */
export const limitQuery = (most: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${most}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= most, `must be a whole number from 1 to ${most}`)
    .meta({ type: 'integer', minimum: 1, maximum: most });

/** Not looked into: all that is free-form came out of a JSON parser, so it is JSON. */
const AnyJson = z.unknown() as z.ZodType<Json>;

/** Free-form JSON, kept as it came. */
export const FreeForm = z.record(z.string(), AnyJson);
