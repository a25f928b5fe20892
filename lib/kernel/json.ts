import { invalidField } from './errors.ts';

/** DynamoDB nests documents at most 32 levels deep; no honest request comes near it. */
const deepestNesting = 32;

/** The largest honest request has some 10,000 values; each of them costs time before the schema can refuse it. */
const mostValues = 100_000;

/** JSON, as it comes out of a parser. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Reads a request's JSON and refuses what no part of the service could store or send on unchanged: text that is not
 * well-formed Unicode or holds NUL, numbers that JavaScript cannot hold exactly, and nesting or lists without end.
 *
 * @throws HeraldError `invalid`, naming the field by its path
 */
export function parseJson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw invalidField('body', 'must be valid JSON');
  }
  requireStorable(value);
  return value;
}

function requireStorable(root: Json): void {
  const open: { value: Json; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  let values = 1;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') requireStorableText(value, path);
    if (typeof value === 'number') requireExactNumber(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === deepestNesting)
      throw invalidField(path || 'body', `nested more than ${deepestNesting} levels deep`);
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > mostValues) throw invalidField('body', `holds more than ${mostValues} values`);
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
  if (!text.isWellFormed()) throw invalidField(path || 'body', 'holds half of a surrogate pair');
  if (text.includes('\u0000')) throw invalidField(path || 'body', 'holds the character U+0000');
}

function requireExactNumber(value: number, path: string): void {
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!exact) throw invalidField(path || 'body', 'number too large to be held exactly; send it as a string');
}
