import type * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';

/** `JSON.parse` with the third argument of its reviver (ECMAScript: JSON.parse source text access), in Node since 21. */
type SourceReviver = (key: string, value: Json, context?: { readonly source?: string }) => Json;

const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => Json;

/**
 * JSON as platforms write it: an integer beyond 2^53, which is always an id, becomes the text that was sent.
 *
 * @returns undefined for what is not JSON
 */
export function parsePlatformJson(text: string): Json | undefined {
  try {
    return parseWithSource(text, (_key, value, context) =>
      typeof value === 'number' && !isExact(value) ? (context?.source ?? String(value)) : value,
    );
  } catch {
    return undefined;
  }
}

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/**
 * Reads a successful answer.
 *
 * @throws PlatformError `unknown` where the answer is not what was promised: what was asked may have been done
 */
export function readAnswer<T>(schema: z.ZodType<T>, answer: PlatformAnswer): T {
  const result = schema.safeParse(answer.json);
  if (result.success) return result.data;
  throw new PlatformError('unknown', `${answer.call}: ${describeBody(answer)} instead of the answer`, {
    status: answer.status,
  });
}

/** What came, in a few words: for answers that hold nothing to quote. */
export function describeBody({ status, headers, text, json }: PlatformAnswer): string {
  if (status >= 300 && status < 400) return `a redirect (HTTP ${status})`;
  if (text.trim() === '') return `an empty body (HTTP ${status})`;
  if (json !== undefined) return `unexpected JSON (HTTP ${status})`;
  const isHtml = headers['content-type']?.includes('html') || /^\s*<(!doctype|html)/i.test(text);
  return `${isHtml ? 'an HTML page' : 'a body that is not JSON'} (HTTP ${status})`;
}

const longestQuoteCharacters = 500;

/** A platform's words, fit to be shown and stored: well-formed, on one line, not endless. */
export function quote(words: string): string {
  const line = words
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > longestQuoteCharacters
    ? `${characters.slice(0, longestQuoteCharacters).join('')}…`
    : line;
}
