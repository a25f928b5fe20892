import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import { parsePlatformJson } from '../../platforms/shared/json.ts';

/** What the queue `inbound` carries: a delivery of a platform, its signature verified, as `packBody` packs it. */
export const InboundQueueMessage = z.object({ body: z.string() });
export type InboundQueueMessage = z.infer<typeof InboundQueueMessage>;

/** SQS takes 1 MiB a message, all of it counted. */
const mostMessageCharacters = 1_000_000;

/** A body in a form that every queue takes, whatever characters it holds: compressed, in base64. */
export function packBody(body: string): string {
  return gzipSync(body).toString('base64');
}

/** @throws where it was not packed by {@link packBody} */
export function unpackBody(packed: string): string {
  return gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}

/** The messages that a delivery makes, and how many of its parts are left out: too long even so, or no JSON. */
export interface PackedDelivery {
  readonly messages: readonly string[];
  readonly dropped: number;
}

/**
 * A delivery's body in as many messages as it takes: one, as a rule. One that is too long is parted by its entries, and
 * an entry by its changes and messages.
 *
 * @param most characters of a message
 */
export function packDelivery(body: string, most: number = mostMessageCharacters): PackedDelivery {
  const whole = packBody(body);
  return whole.length <= most ? { messages: [whole], dropped: 0 } : packParts(partBody(body), most);
}

/** As many together as fit. */
function packParts(parts: readonly Json[], most: number): PackedDelivery {
  if (parts.length === 0) return { messages: [], dropped: 1 };
  const packed = packBody(JSON.stringify(parts));
  if (packed.length <= most) return { messages: [packed], dropped: 0 };
  if (parts.length === 1) return { messages: [], dropped: 1 };
  const middle = Math.ceil(parts.length / 2);
  const [first, second] = [packParts(parts.slice(0, middle), most), packParts(parts.slice(middle), most)];
  return { messages: [...first.messages, ...second.messages], dropped: first.dropped + second.dropped };
}

/** Each a delivery of its own with a single change or message. */
function partBody(body: string): Json[] {
  const parsed = parsePlatformJson(body) ?? null;
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((delivery) =>
    listIn(delivery, 'entry').flatMap((entry) =>
      partEntry(entry).map((part) => ({ ...(delivery as { [name: string]: Json }), entry: [part] })),
    ),
  );
}

function partEntry(entry: Json): Json[] {
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
