/** A webhook, as a receiver gets it. */
export interface ReceivedWebhook {
  /** The raw body, before any parser: text or bytes. */
  readonly body: string | ArrayBufferView | ArrayBuffer;
  /** The header `X-Service-Signature`. */
  readonly header: string | readonly string[] | null | undefined;
  /** The endpoint's whole secret, `whsec_…`. */
  readonly secret: string | undefined;
  /** The greatest difference between the signature's time and now. Default: 300. A greater one is a replay. */
  readonly toleranceSeconds?: number | undefined;
  /** Returns the time in milliseconds, for tests. */
  readonly now?: (() => number) | undefined;
}

/** The fields of every event. */
export interface AnyWebhookEvent {
  /** The same at every attempt: an event may arrive more than once. */
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly data: object;
}

const encoder = new TextEncoder();

/**
 * Returns true if Herald has signed the webhook with this secret, within the tolerance. It returns false for anything else: without a
 * header, changed, old, parsed, or junk. It does not throw, so that no request can end a receiver.
 */
export async function isFromHerald(received: ReceivedWebhook): Promise<boolean> {
  const { header, secret, toleranceSeconds = 300, now = Date.now } = received;
  const body = bytesOf(received.body);
  if (body === undefined || typeof header !== 'string' || typeof secret !== 'string' || secret === '')
    return false;
  const parts = header.split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice('t='.length) ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (!(Math.abs(now() / 1000 - Number(time)) <= toleranceSeconds)) return false;
  const expected = `v1=${await signatureOf(time, body, secret)}`;
  // During a rotation there is one signature by the new secret and one by the old.
  return parts.some((part) => areEqual(part, expected));
}

/** Verifies a webhook. @returns its event; undefined if it is not genuine or not an event. It does not throw, like {@link isFromHerald}. */
export async function verifyWebhook<Event extends AnyWebhookEvent = AnyWebhookEvent>(
  received: ReceivedWebhook,
): Promise<Event | undefined> {
  if (!(await isFromHerald(received))) return undefined;
  const event = jsonOf(received.body);
  return typeof event?.id === 'string' && typeof event.type === 'string' ? (event as Event) : undefined;
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return undefined;
}

async function signatureOf(time: string, body: Uint8Array, secret: string): Promise<string> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const prefix = encoder.encode(`${time}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const bytes = new Uint8Array(await subtle.sign('HMAC', key, signed));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares in a time that does not depend on where the texts differ. */
function areEqual(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}

function jsonOf(body: ReceivedWebhook['body']): AnyWebhookEvent | undefined {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(bytesOf(body)));
  } catch {
    return undefined;
  }
}
