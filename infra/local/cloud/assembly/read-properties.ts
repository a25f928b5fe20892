import * as z from 'zod';
import { isKnownOperator } from '../identity/policy-conditions.ts';
import type { Resource } from './stacks.ts';

/** Numbers may come as text from parameters and mappings. */
export const count = z.coerce.number();

const oneOrMany = z.union([z.string(), z.array(z.string())]);

/** What cannot be judged here would be judged wrongly somewhere: it is refused when the template is read. */
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
      z.string().refine(isKnownOperator, 'is no condition operator that the local cloud knows'),
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
    'the local cloud knows no policy variables',
  );

/**
 * The properties that a schema names, resolved and checked; others of the resource are never looked at.
 *
 * @throws Error naming the stack, the resource and what does not fit.
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
