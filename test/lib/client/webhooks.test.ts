import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFromHerald, type ReceivedWebhook, verifyWebhook } from '../../../lib/client/webhooks.ts';
import { signatureHeader } from '../../../lib/webhooks/transport/signature.ts';
import { signatureRows } from '../webhooks/transport/signature-rows.ts';

const seconds = 1_800_000_000;
const now = () => seconds * 1_000;
const [secret, former] = ['whsec_mine', 'whsec_former'];
const event = {
  id: '0199a3c0-0000-7000-8000-000000000002',
  type: 'webhook.test',
  createdAt: '2027-01-15T08:00:00.000Z',
  data: { text: 'Grüße 👋' },
};
const body = JSON.stringify(event);
const genuine: ReceivedWebhook = { body, header: signatureHeader(body, seconds, [secret]), secret, now };
const sampling = { seed: 1, numRuns: 200 };

describe('isFromHerald', () => {
  it.each(signatureRows)('judges as another implementation does: $name', async (row) => {
    const bytes = new TextEncoder().encode(row.body);
    const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    for (const given of [row.body, bytes, bytes.buffer, Buffer.from(bytes), within])
      expect(await isFromHerald({ ...row, body: given, now: () => row.now * 1_000 })).toBe(row.valid);
  });

  it('takes another tolerance', async () => {
    const later = (late: number, toleranceSeconds: number) =>
      isFromHerald({ ...genuine, toleranceSeconds, now: () => (seconds + late) * 1_000 });
    expect(await later(10, 10)).toBe(true);
    expect(await later(11, 10)).toBe(false);
    expect(await later(-11, 10)).toBe(false);
    expect(await later(3_600, 3_600)).toBe(true);
    expect(await later(0, Number.NaN)).toBe(false);
  });

  it('uses the clock of the machine unless it is given one', async () => {
    const { now: _, ...received } = genuine;
    expect(await isFromHerald(received)).toBe(false);
    const header = signatureHeader(body, Math.floor(Date.now() / 1_000), [secret]);
    expect(await isFromHerald({ ...received, header })).toBe(true);
  });

  it.each([
    ['no header', { header: undefined }],
    ['a header that is absent from Headers', { header: null }],
    ['a header twice', { header: [String(genuine.header), String(genuine.header)] }],
    ['no header in a list', { header: [] }],
    ['a parsed body', { body: event as never }],
    ['no body', { body: undefined as never }],
  ])('returns false for %s', async (_name, change) => {
    expect(await isFromHerald({ ...genuine, ...change })).toBe(false);
  });

  it('takes the header from a list too', async () => {
    expect(await isFromHerald({ ...genuine, header: [String(genuine.header)] })).toBe(true);
  });

  it.each([undefined, null, '', `${secret}\n`, 5])('refuses %j as a secret', async (wrong) => {
    await expect(isFromHerald({ ...genuine, secret: wrong as never })).rejects.toThrow(/^secret: /);
    await expect(verifyWebhook({ body: '', header: undefined, secret: wrong as never })).rejects.toThrow(
      TypeError,
    );
  });

  it('returns false whatever a request has', async () => {
    const anything = fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true });
    const anyHeader = fc
      .array(
        fc.tuple(fc.constantFrom('t', 'v1', ' t', ''), fc.oneof(fc.string(), fc.constant(String(seconds)))),
      )
      .map((parts) => parts.map((part) => part.join('=')).join(','));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anything, fc.constant(body)),
        fc.oneof(anything, anyHeader, fc.constant(genuine.header)),
        async (...given) => {
          const [anyBody, header] = given as [never, never];
          return (await isFromHerald({ body: anyBody, header, secret: 'whsec_other', now })) === false;
        },
      ),
      sampling,
    );
  });

  it('returns false if any byte of the body, the header or the secret is another one', async () => {
    const changedByte = (text: string) =>
      fc.tuple(fc.nat(Buffer.byteLength(text) - 1), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
        const bytes = Buffer.from(text);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        return bytes;
      });
    const change = fc.oneof(
      changedByte(body).map((bytes) => ({ body: bytes })),
      changedByte(String(genuine.header)).map((bytes) => ({ header: bytes.toString('latin1') })),
      changedByte(secret)
        .map((bytes) => ({ secret: bytes.toString('latin1') }))
        .filter((changed) => !/\s/.test(changed.secret)),
    );
    await fc.assert(
      fc.asyncProperty(change, async (changed) => !(await isFromHerald({ ...genuine, ...changed }))),
      sampling,
    );
  });
});

describe('verifyWebhook', () => {
  it('returns the event of a genuine webhook, and during a rotation by either secret', async () => {
    const header = signatureHeader(body, seconds, [secret, former]);
    for (const given of [body, new TextEncoder().encode(body), Buffer.from(body)]) {
      expect(await verifyWebhook({ ...genuine, body: given })).toEqual(event);
      expect(await verifyWebhook({ ...genuine, body: given, header })).toEqual(event);
      expect(await verifyWebhook({ ...genuine, body: given, header, secret: former })).toEqual(event);
    }
  });

  it.each([
    ['that is not genuine', body, 'whsec_other'],
    ['that is not JSON', 'hello', secret],
    ['that is null', 'null', secret],
    ['that is not an event', '{"id":1}', secret],
  ])('returns undefined for a body %s', async (_name, other, signer) => {
    const header = signatureHeader(other, seconds, [signer]);
    expect(await verifyWebhook({ ...genuine, body: other, header })).toBeUndefined();
  });
});
