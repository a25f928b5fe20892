/**
 * Evaluates the filter patterns of event source mappings, as Lambda does. Every field of the pattern must match. A list
 * gives alternatives, each of which is a value or an operator.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
import type { FilterPattern } from '../model.ts';

type Value = unknown;
type Operator = (operand: Value, candidate: Value) => boolean;

/** A candidate of `undefined` means that the field is absent: JSON has no such value. */
const operators: Readonly<Record<string, Operator>> = {
  prefix: (operand, candidate) => typeof candidate === 'string' && candidate.startsWith(String(operand)),
  suffix: (operand, candidate) => typeof candidate === 'string' && candidate.endsWith(String(operand)),
  'equals-ignore-case': (operand, candidate) =>
    typeof candidate === 'string' && candidate.toLowerCase() === String(operand).toLowerCase(),
  'anything-but': (operand, candidate) =>
    candidate !== undefined && !asList(operand).some((rule) => matchesRule(rule, candidate)),
  // `exists` applies to leaf values only, so an object counts as absent.
  exists: (operand, candidate) => operand === (candidate !== undefined && !isObject(candidate)),
};

/**
 * Returns true if a record passes the mapping's filters: at least one matches, or there are none.
 *
 * @throws Error for an invalid pattern or an unsupported operator.
 */
export function passesFilters(filters: readonly FilterPattern[], record: unknown): boolean {
  return filters.length === 0 || filters.some((pattern) => matchesPattern(pattern, record));
}

/** Returns true if a record has every field of the pattern with a value that the pattern allows. */
export function matchesPattern(pattern: FilterPattern, record: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    if (field === '$or')
      return asList(expected).some((choice) => isObject(choice) && matchesPattern(choice, record));
    const candidate = isObject(record) && Object.hasOwn(record, field) ? record[field] : undefined;
    if (Array.isArray(expected)) return expected.some((rule) => matchesAny(rule, candidate));
    if (isObject(expected)) return matchesNested(expected, candidate);
    throw new Error(`a filter pattern needs a list or an object at "${field}"`);
  });
}

/**
 * Returns a queue's record as filters see it: a body that is a JSON object is parsed, any other stays text. A pattern for the
 * other kind of body does not match, so the message is dropped, as in AWS.
 */
export function queueRecordForFilter<Record extends { readonly body: string }>(
  record: Record,
): Omit<Record, 'body'> & { readonly body: unknown } {
  return { ...record, body: parseBody(record.body) };
}

function matchesNested(pattern: FilterPattern, candidate: Value): boolean {
  if (Array.isArray(candidate)) return candidate.some((element) => matchesPattern(pattern, element));
  return matchesPattern(pattern, candidate);
}

function matchesAny(rule: Value, candidate: Value): boolean {
  if (Array.isArray(candidate)) return candidate.some((element) => matchesRule(rule, element));
  return matchesRule(rule, candidate);
}

function matchesRule(rule: Value, candidate: Value): boolean {
  if (!isObject(rule)) return rule === candidate;
  const [name, ...others] = Object.keys(rule);
  const operator = name === undefined ? undefined : operators[name];
  if (name === undefined || operator === undefined || others.length > 0) {
    throw new Error(`the filter rule ${JSON.stringify(rule)} is not supported`);
  }
  return operator(rule[name], candidate);
}

function parseBody(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return isObject(parsed) ? parsed : body;
  } catch {
    return body;
  }
}

function asList(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [value];
}

function isObject(value: Value): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
