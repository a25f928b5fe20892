import * as z from 'zod';
import { canonicalId, isId } from '../kernel/ids.ts';
import type { Json } from '../kernel/json.ts';

/** An id in a request's body or query, in upper or lower case. Its value is in lower case. */
export const Id = z
  .string()
  .overwrite(canonicalId)
  .refine(isId, 'must be a UUID')
  .meta({ format: 'uuid', description: 'UUID' });

/** The code of a path that no route has. */
const noRoute = 'route_unknown';

/** An id in a path. A path with any other text in its place, such as `/v1/accounts/health`, is no route: see {@link isNoRoute}. */
export const PathId = z
  .string()
  .overwrite(canonicalId)
  .refine(isId, { error: 'must be a UUID', params: { code: noRoute } })
  .meta({ format: 'uuid', description: 'UUID' });

/** Returns true if the problem is that the path has another text where a route has an id. */
export const isNoRoute = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.['code'] === noRoute;

/**
 * Returns the parameters of a schema whose message for a value of a wrong type says what is expected: `must be <expected>`. Other
 * problems keep their messages.
 */
export const typeMessage = (expected: string) => ({
  error: ({ code, input }: z.core.$ZodRawIssue): string | undefined =>
    code === 'invalid_type' && input !== undefined ? `must be ${expected}` : undefined,
});

/**
 * Returns the schema of a record with ids as keys, in upper or lower case. Its value has them in lower case; other keys stay
 * unchanged.
 */
export const recordById = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string(), value)
    .superRefine((record, { addIssue }) => {
      const seen = new Set<string>();
      for (const key of Object.keys(record)) {
        const id = canonicalId(key);
        if (seen.has(id))
          addIssue({
            code: 'custom',
            path: [key],
            message: 'is named twice',
            params: { code: 'field_duplicate' },
          });
        seen.add(id);
      }
    })
    .overwrite((record) =>
      Object.fromEntries(Object.entries(record).map(([key, entry]) => [canonicalId(key), entry])),
    );

/**
 * Marks an optional field as nullable in the document, because responses may show it as null and clients send that back. The
 * schema itself does not take null: `dropNulls` removes it before any schema sees it.
 */
export function orNull<Field extends z.ZodOptional>(field: Field): Field {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    const { type, $ref, description } = jsonSchema;
    if (typeof type === 'string') jsonSchema.type = [type, 'null'] as never;
    else if ($ref !== undefined) {
      delete jsonSchema.$ref;
      jsonSchema.anyOf = [{ $ref }, { type: 'null' }];
      if (description !== undefined) jsonSchema.description = description;
    } else jsonSchema.anyOf = [...(jsonSchema.anyOf ?? []), { type: 'null' }];
    if (jsonSchema.enum) jsonSchema.enum = [...jsonSchema.enum, null];
  };
  // Not `field.meta()`: bundles leave out all calls of it.
  const described = z.globalRegistry.get(field);
  return field.meta({ ...described, override });
}

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

/** Returns the schema of the query parameter `limit`: a whole number from 1 to `max`. */
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
