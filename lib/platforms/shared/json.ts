import type * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';

/** The reviver of `JSON.parse` with its third argument (ECMAScript: JSON.parse source text access; Node.js 21). */
type SourceReviver = (key: string, value: Json, context?: { readonly source?: string }) => Json;

const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => Json;

/**
 * Parses a platform's JSON. A number that JavaScript cannot represent, such as an integer beyond 2^53 (always an id),
 * becomes its source text.
 *
 * @returns undefined if the text is not JSON
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
 * Parses a successful response.
 *
 * @throws PlatformError `unknown` if the response is not as documented: the call may still have taken effect
 */
export function readResponse<T>(schema: z.ZodType<T>, response: PlatformResponse): T {
  const result = schema.safeParse(response.json);
  if (result.success) return result.data;
  throw new PlatformError('unknown', `${response.call}: unexpected response: ${describeBody(response)}`, {
    status: response.status,
  });
}

/** Describes a response in a few words, for messages about responses without a text to quote. */
export function describeBody({ status, headers, text, json }: PlatformResponse): string {
  if (status >= 300 && status < 400) return `a redirect (HTTP ${status})`;
  if (text.trim() === '') return `an empty body (HTTP ${status})`;
  if (json !== undefined) return `unexpected JSON (HTTP ${status})`;
  const isHtml = headers['content-type']?.includes('html') || /^\s*<(!doctype|html)/i.test(text);
  return `${isHtml ? 'an HTML page' : 'a body that is not JSON'} (HTTP ${status})`;
}

const longestQuoteCharacters = 500;

/** Prepares a platform's message for display and storage: well-formed Unicode, one line, at most 500 characters. */
export function quote(message: string): string {
  const line = message
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > longestQuoteCharacters
    ? `${characters.slice(0, longestQuoteCharacters).join('')}…`
    : line;
}
