import { json, Refusal } from '../answers.ts';
import type { Call } from '../call.ts';

export interface MultipartBody {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, { readonly type: string; readonly bytes: Buffer }>>;
}

export function isMultipart({ headers }: Pick<Call, 'headers'>): boolean {
  return /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '');
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) into memory. Returns undefined if the body is malformed.
 * @throws Refusal with 413 above `maxBytes`
 */
export async function readMultipart(
  call: Pick<Call, 'headers' | 'body'>,
  maxBytes: number,
): Promise<MultipartBody | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of call.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(json({ error: 'body too large' }, 413));
    chunks.push(chunk);
  }
  const headers = { 'content-type': call.headers['content-type'] ?? '' };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData().catch(() => undefined);
  if (form === undefined) return undefined;
  const fields: Record<string, string> = {};
  const files: Record<string, { type: string; bytes: Buffer }> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else files[name] = { type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { fields, files };
}
