/** IAM's comparisons: globs, ARNs part by part, and values that may be single or a list. */

/** Returns a list of a policy's values, which may be a single one. */
export function arrayOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

/** Each pattern is compiled once, because there are few policies and they are evaluated often. */
const compiled = new Map<string, RegExp>();

/** `*` matches any number of characters, including none, `:` and `/`; `?` matches exactly one. */
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

/** Compares each of the six parts of two ARNs, so that a wildcard does not match a colon between parts. */
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
