import * as z from 'zod';
import { isKnownOperator } from '../identity/policy-conditions.ts';
import type { Resource } from './stacks.ts';

/** Parameters and mappings may give a number as text. */
export const count = z.coerce.number();

const oneOrMany = z.union([z.string(), z.array(z.string())]);

/** Strict: an element that policy evaluation does not support would cause wrong decisions, so it is an error. */
const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.union([z.literal('*'), z.record(z.string(), oneOrMany)]).optional(),
  Action: oneOrMany.optional(),
  NotAction: oneOrMany.optional(),
  Resource: oneOrMany.optional(),
  NotResource: oneOrMany.optional(),
  Condition: z
    .record(
      z.string().refine(isKnownOperator, 'the local cloud does not support this condition operator'),
      z.record(z.string(), oneOrMany),
    )
    .optional(),
});

export const policyDocument = z
  .object({
    Version: z.string().optional(),
    Statement: z.union([z.array(statement), statement.transform((only) => [only])]),
  })
  .refine(
    (document) => !JSON.stringify(document).includes('${'),
    'the local cloud does not support policy variables',
  );

/**
 * Resolves and validates the properties that the schema names. Other properties are not resolved.
 *
 * @throws Error that names the stack, the resource and the invalid property.
 */
export function readProperties<Shape extends z.ZodRawShape>(
  resource: Resource,
  schema: z.ZodObject<Shape>,
): z.infer<z.ZodObject<Shape>> {
  const properties = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, resource.property(name)] as const),
  );
  const result = schema.safeParse(properties);
  if (result.success) return result.data;
  const { stackName, logicalId, type } = resource;
  throw new Error(`${stackName} ${logicalId} (${type}): ${z.prettifyError(result.error)}`);
}
