/** How IAM compares names: globs, ARNs part by part, and values that may be one or many. */

/** One or many, as policies write them. */
export function arrayOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

/** Policies are few and asked often: each pattern is compiled once. */
const compiled = new Map<string, RegExp>();

/** `*` stands for any run of characters, the empty one and `:` or `/` included; `?` for exactly one. */
export function matchesGlob(pattern: string, value: string, options: { ignoreCase?: boolean } = {}): boolean {
  const flags = options.ignoreCase ? 'is' : 's';
  const cacheKey = `${flags} ${pattern}`;
  let expression = compiled.get(cacheKey);
  if (expression === undefined) {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    expression = new RegExp(`^${source}$`, flags);
    compiled.set(cacheKey, expression);
  }
  return expression.test(value);
}

/** ARNs are compared by their six parts, so that a wildcard does not reach over a colon between parts. */
export function matchesArn(pattern: string, value: string): boolean {
  const patternParts = arnParts(pattern);
  const valueParts = arnParts(value);
  return (
    patternParts.length === 6 &&
    valueParts.length === 6 &&
    patternParts.every((part, index) => matchesGlob(part, valueParts[index] ?? ''))
  );
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length < 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}
