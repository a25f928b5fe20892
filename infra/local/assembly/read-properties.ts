import * as z from 'zod';
import type { Resource } from './stacks.ts';

/** Numbers may come as text from parameters and mappings. */
export const count = z.coerce.number();

export const policyDocument = z.object({
  Version: z.string().optional(),
  Statement: z.union([z.array(z.unknown()), z.unknown().transform((statement) => [statement])]),
});

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
