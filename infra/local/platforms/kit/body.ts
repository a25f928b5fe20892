import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { json, Refusal } from './answers.ts';
import type { Call } from './call.ts';
import type { Answer } from './types.ts';

type CallBody = Pick<Call, 'headers' | 'body'>;

const maximumBytes = 1024 * 1024;

/**
 * Reads a form or a JSON object as fields. Any other body, including malformed JSON, yields no fields, so the platform
 * reports its missing parameters in its own words.
 *
 * @throws Refusal with 413 above 1 MiB
 */
export async function readFields({ headers, body }: CallBody): Promise<Record<string, unknown>> {
  const text = await readText(body);
  if (text === '') return {};
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
  if (type === 'application/json') return parseObject(text);
  return {};
}

/** @throws Refusal with 413 above 1 MiB */
export async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw new Refusal(json({ error: 'body too large' }, 413));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads the rest of the body before answering. The client would take an earlier answer for a broken connection. */
export async function answerAfterBody({ body }: Call, answer: Answer): Promise<Answer> {
  if (!body.readableEnded) {
    body.resume();
    await finished(body).catch(() => undefined);
  }
  return answer;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns true if a call's body is form-encoded, as token endpoints require. */
export function isForm({ headers }: Pick<Call, 'headers'>): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
}
