import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { packBody, packDelivery, unpackBody } from '../../../../lib/automations/inbound/delivery-body.ts';
import { readDelivery } from '../../../../lib/platforms/instagram/webhook.ts';

/** Text that compression does not shorten. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64');

const comment = (id: string) =>
  `{"field":"comments","value":{"id":"${id}","text":"${noise(300)}","from":{"id":2},"media":{"id":18120000000000001}}}`;
const message = (id: string) => `{"sender":{"id":"2"},"message":{"mid":"${id}","text":"${noise(300)}"}}`;

describe('the body of a delivery', () => {
  it('is unpacked unchanged, whatever characters it has', () => {
    const body = 'a\u0000b\uffff\ud83d\ude00 ü "\\';
    expect(unpackBody(packBody(body))).toBe(body);
    expect(packDelivery(body)).toEqual({ messages: [packBody(body)], dropped: 0 });
  });

  it('is split if it is too long: by entries, changes and messages', () => {
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    const entries = [
      `{"id":17841400000000001,"time":1,"changes":[${ids.slice(0, 20).map(comment).join(',')}]}`,
      `{"id":17841400000000001,"time":1,"messaging":[${ids.slice(20).map(message).join(',')}]}`,
    ];
    const body = `{"object":"instagram","entry":[${entries.join(',')}]}`;
    const { messages, dropped } = packDelivery(body, 4_000);
    expect(dropped).toBe(0);
    expect(messages.length).toBeGreaterThan(3);
    for (const each of messages) expect(each.length).toBeLessThanOrEqual(4_000);
    const found = messages.flatMap((each) => readDelivery(unpackBody(each)).events);
    expect(found).toEqual(readDelivery(body).events);
    expect(found).toHaveLength(40);
  });

  it('is dropped and counted if it is too long and cannot be split', () => {
    expect(packDelivery(noise(5_000), 1_000)).toEqual({ messages: [], dropped: 1 });
    const long = `{"object":"instagram","entry":[{"id":"1","changes":["${noise(5_000)}",1]}]}`;
    expect(packDelivery(long, 1_000)).toMatchObject({ messages: [expect.any(String)], dropped: 1 });
  });
});
