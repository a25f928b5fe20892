/**
 * Returns the example of a body, or several by name, in the form of an OpenAPI media type. Swagger UI shows the first. A request
 * and its response have the same name.
 *
 * @param others further examples, by a short title
 */
export function namedExamples(first: unknown, others?: Readonly<Record<string, unknown>>) {
  if (first === undefined) return {};
  if (others === undefined) return { example: first };
  const named = Object.entries({ Simple: first, ...others });
  return {
    examples: Object.fromEntries(named.map(([summary, value]) => [nameOf(summary), { summary, value }])),
  };
}

/** Turns a title into a component key: lower-case letters, digits and hyphens. */
const nameOf = (summary: string) => summary.toLowerCase().replace(/[^a-z0-9]+/g, '-');
