/**
 * Returns the example of a body, or several by name, as a media type of OpenAPI has them. Swagger UI shows the first. A request
 * and its response have the same name.
 *
 * @param others by a short title
 */
export function namedExamples(first: unknown, others?: Readonly<Record<string, unknown>>) {
  if (first === undefined) return {};
  if (others === undefined) return { example: first };
  const named = Object.entries({ Simple: first, ...others });
  return {
    examples: Object.fromEntries(named.map(([summary, value]) => [nameOf(summary), { summary, value }])),
  };
}

/** The names of examples are keys of components: letters, digits and hyphens. */
const nameOf = (summary: string) => summary.toLowerCase().replace(/[^a-z0-9]+/g, '-');
