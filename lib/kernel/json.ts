import { invalidField } from './errors.ts';

/** The maximum depth. DynamoDB nests documents at most 32 levels deep. No real request comes near that. */
const maxNesting = 32;

/**
 * The maximum number of values. The largest real request has about 10,000. Each value costs time before the schema can reject the
 * request.
 */
const maxValues = 100_000;

/** A value that a JSON parser returns. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Parses a request's JSON and rejects values that Herald could not store or send on unchanged: text that contains NUL or is not
 * well-formed Unicode, numbers that JavaScript cannot represent exactly, too deep nesting and too many values.
 *
 * @throws HeraldError `invalid`, naming the field by its path
 */
export function parseJson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw invalidField('body', 'must be valid JSON', 'body_malformed');
  }
  requireStorable(value);
  return value;
}

/** Returns the same text for values that differ only in the order of their keys. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
}

function requireStorable(root: Json): void {
  const open: { value: Json; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  let values = 1;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') requireStorableText(value, path);
    if (typeof value === 'number') requireExactNumber(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === maxNesting)
      throw invalidField(
        path || 'body',
        `must not be nested more than ${maxNesting} levels deep`,
        'body_malformed',
      );
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > maxValues)
      throw invalidField('body', `must not contain more than ${maxValues} values`, 'body_malformed');
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        open.push({ value: item, path: `${path}[${index}]`, depth: depth + 1 });
      }
      continue;
    }
    for (const [key, item] of Object.entries(value)) {
      const itemPath = path ? `${path}.${key}` : key;
      requireStorableText(key, path || 'body');
      open.push({ value: item, path: itemPath, depth: depth + 1 });
    }
  }
}

function requireStorableText(text: string, path: string): void {
  if (!text.isWellFormed())
    throw invalidField(path || 'body', 'must not contain half of a surrogate pair', 'field_format');
  if (text.includes('\u0000'))
    throw invalidField(path || 'body', 'must not contain the character U+0000', 'field_format');
}

function requireExactNumber(value: number, path: string): void {
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!exact)
    throw invalidField(
      path || 'body',
      'number too large to represent exactly; send it as a string',
      'field_out_of_range',
    );
}
