import type * as z from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Removes schema details that tell a reader nothing or promise more than the API does. */
export function tidy(jsonSchema: JsonSchema, zodSchema: z.core.$ZodType): void {
  // `format` and `type` already say it.
  if (jsonSchema.format === 'uuid' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
  // These are only the bounds of JavaScript's integers.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Responses may get more fields.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Zod leaves out the default of a value that is transformed, such as a number in a query.
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = (def as z.core.$ZodDefaultDef).defaultValue as never;
}

/**
 * Adapts the fields of an object to client generators. Removes fields that may never be sent. Replaces the keyword `default` with
 * a sentence: `openapi-typescript` makes a field with a default required, also in requests. https://openapi-ts.dev/cli
 * (`--default-non-nullable`). It does not do so for parameters.
 */
export function tidyFields({ properties = {}, required = [] }: JsonSchema): void {
  for (const [name, field] of Object.entries(properties)) {
    // `zod-openapi` renders parameters and bodies as fields of one object, named after their places: `paths > … > limit`.
    if (typeof field === 'boolean' || name.includes(' > ')) continue;
    if (JSON.stringify(field.not) === '{}') delete properties[name];
    const { default: value, description } = field;
    if (value === undefined) continue;
    delete field.default;
    const said = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    // A response always has the field.
    if (!required.includes(name)) field.description = description ? `${description}. ${said}` : said;
  }
}
