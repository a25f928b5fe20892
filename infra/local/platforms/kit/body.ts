import type { IncomingMessage } from 'node:http';
import { json, Refusal } from './answers.ts';

const maximumBytes = 1024 * 1024;

/**
 * Reads a form or a JSON object as fields; any other body, or none, has no fields.
 * @throws Refusal with 413 above 1 MiB and 400 for JSON that is none
 */
export async function readFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === '') return {};
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
  if (type === 'application/json') return parseObject(text);
  return {};
}

/** @throws Refusal with 413 above 1 MiB */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw new Refusal(json({ error: 'body too large' }, 413));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(json({ error: 'body is not JSON' }, 400));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(json({ error: 'body is not a JSON object' }, 400));
  }
  return { ...value };
}

const secretNames = /token|secret|code|verifier|password|signature|credential/i;

/** The path of a request as it may be logged: values of secret parameters are left out. */
export function withoutSecrets(target: URL): string {
  const query = new URLSearchParams();
  for (const [name, value] of target.searchParams) query.append(name, secretNames.test(name) ? '***' : value);
  const text = query.toString();
  return text === '' ? target.pathname : `${target.pathname}?${text}`;
}
