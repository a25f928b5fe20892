import * as z from 'zod';
import { invalidField, invalidFields } from '../../lib/kernel/errors.ts';
import { likelyName } from '../../lib/kernel/nearest-name.ts';

/** Allows each parameter once, because nobody could know which of two values is meant. */
export function readQuery(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    if (Object.hasOwn(query, name))
      throw invalidField(name || 'query', 'must not be given more than once', 'field_duplicate');
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

/**
 * Refuses parameters that the operation does not have: a filter that is ignored would return too much.
 *
 * @param schema the query's schema; absent if the operation takes no query
 * @throws HeraldError `unknown_parameter`, naming the parameter that was probably meant, or else all that exist
 */
export function requireKnownParameters(
  schema: z.ZodType | undefined,
  query: Readonly<Record<string, string>>,
): void {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const problems = Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: name || 'query',
      message: `is not a parameter of this request; ${hint(name, known)}`,
      code: 'unknown_parameter' as const,
    }));
  if (problems.length > 0) throw invalidFields(problems);
}

function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'it takes none';
  const likely = likelyName(name, known);
  return likely === undefined ? `it has ${known.join(', ')}` : `did you mean ${likely}?`;
}
