import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import { parsePlatformJson } from '../../platforms/shared/json.ts';

/** A message of the `inbound` queue: a platform's webhook delivery with a verified signature, packed by `packBody`. */
export const InboundQueueMessage = z.object({ body: z.string() });
export type InboundQueueMessage = z.infer<typeof InboundQueueMessage>;

/** The maximum length of a packed message: SQS limits a whole message to 1 MiB. */
const maxMessageCharacters = 1_000_000;

/** Compresses a body and encodes it in base64: SQS refuses some characters. */
export function packBody(body: string): string {
  return gzipSync(body).toString('base64');
}

/** @throws if the text was not packed by {@link packBody} */
export function unpackBody(packed: string): string {
  return gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}

/** The messages of a delivery, and the number of parts that were dropped because they are too long or not JSON. */
export interface PackedDelivery {
  readonly messages: readonly string[];
  readonly dropped: number;
}

/**
 * Packs a delivery's body into queue messages, usually one. A body that is too long is split by its entries, and each entry by
 * its changes and messages.
 *
 * @param maxCharacters the maximum length of a message
 */
export function packDelivery(body: string, maxCharacters: number = maxMessageCharacters): PackedDelivery {
  const whole = packBody(body);
  return whole.length <= maxCharacters
    ? { messages: [whole], dropped: 0 }
    : packParts(splitBody(body), maxCharacters);
}

/** Halves the parts until each half fits in one message. */
function packParts(parts: readonly Json[], maxCharacters: number): PackedDelivery {
  if (parts.length === 0) return { messages: [], dropped: 1 };
  const packed = packBody(JSON.stringify(parts));
  if (packed.length <= maxCharacters) return { messages: [packed], dropped: 0 };
  if (parts.length === 1) return { messages: [], dropped: 1 };
  const middle = Math.ceil(parts.length / 2);
  const [first, second] = [
    packParts(parts.slice(0, middle), maxCharacters),
    packParts(parts.slice(middle), maxCharacters),
  ];
  return { messages: [...first.messages, ...second.messages], dropped: first.dropped + second.dropped };
}

/** Splits a body into deliveries with a single change or message each. */
function splitBody(body: string): Json[] {
  const parsed = parsePlatformJson(body) ?? null;
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((delivery) =>
    listIn(delivery, 'entry').flatMap((entry) =>
      splitEntry(entry).map((part) => ({ ...(delivery as { [name: string]: Json }), entry: [part] })),
    ),
  );
}

function splitEntry(entry: Json): Json[] {
  const parts = ['changes', 'messaging'].flatMap((name) =>
    listIn(entry, name).map((element) => {
      const { changes, messaging, ...head } = entry as { [name: string]: Json };
      return { ...head, [name]: [element] };
    }),
  );
  return parts.length > 0 ? parts : [entry];
}

function listIn(value: Json, name: string): Json[] {
  const list = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : [];
  return Array.isArray(list) ? list : [];
}
