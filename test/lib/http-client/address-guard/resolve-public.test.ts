import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createLookUp,
  type LookUp,
  resolvePublic,
} from '../../../../lib/http-client/address-guard/resolve-public.ts';
import { stopTime } from '../../../support/stopped-time.ts';

describe('a look-up', () => {
  const open: Socket[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const socket of open.splice(0)) socket.close();
  });

  type Answer = { readonly addresses: readonly Buffer[] } | { readonly code: number } | undefined;

  /** Longer than a test may take. */
  const patienceMs = 3_600_000;

  const typeA = 1;
  const typeAaaa = 28;

  /** Starts a name server with one answer per query type (undefined: no answer) and returns a look-up that uses it. */
  async function lookUpAt(answers: Readonly<Record<number, Answer>>, asked: string[] = []): Promise<LookUp> {
    const socket = createSocket('udp4');
    open.push(socket);
    socket.on('message', (query, { port }) => {
      const nameEnd = query.indexOf(0, 12);
      asked.push(query.toString('latin1', 13, nameEnd).replaceAll(/[\u0001-\u0020]/g, '.'));
      const question = query.subarray(12, nameEnd + 5);
      const type = query.readUInt16BE(nameEnd + 1);
      const answer = answers[type];
      if (!answer) return;
      const addresses = 'addresses' in answer ? answer.addresses : [];
      const header = Buffer.alloc(12);
      query.copy(header, 0, 0, 2);
      header.writeUInt16BE(0x8180 | ('code' in answer ? answer.code : 0), 2);
      header.writeUInt16BE(1, 4);
      header.writeUInt16BE(addresses.length, 6);
      const records = addresses.map((address) => {
        const record = Buffer.from('c00c00000001000000000000', 'hex');
        record.writeUInt16BE(type, 2);
        record.writeUInt16BE(address.length, 10);
        return Buffer.concat([record, address]);
      });
      socket.send(Buffer.concat([header, question, ...records]), port, '127.0.0.1');
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return createLookUp([`127.0.0.1:${socket.address().port}`], patienceMs);
  }

  const four = { addresses: [Buffer.of(93, 184, 216, 34), Buffer.of(127, 0, 0, 1)] };
  const six = { addresses: [Buffer.from('26062800000000000000000000000001', 'hex')] };
  const absent = { code: 3 };

  it('queries both address families for the exact name', async () => {
    const asked: string[] = [];
    const lookUp = await lookUpAt({ [typeA]: four, [typeAaaa]: six }, asked);
    expect(await lookUp('hooks.example.com')).toEqual(['93.184.216.34', '127.0.0.1', '2606:2800::1']);
    expect(asked).toEqual(['hooks.example.com', 'hooks.example.com']);
  });

  it('uses one family if the other is empty or fails', async () => {
    for (const none of [absent, { addresses: [] }, { code: 2 }]) {
      expect(await (await lookUpAt({ [typeA]: none, [typeAaaa]: six }))('a.example.com')).toEqual([
        '2606:2800::1',
      ]);
    }
  });

  it('distinguishes a name that does not exist from a failing name server', async () => {
    const there = await lookUpAt({ [typeA]: absent, [typeAaaa]: absent });
    expect(await resolvePublic('a.example.com', there)).toEqual({
      problem: 'a.example.com does not resolve',
    });
    const failed = await lookUpAt({ [typeA]: absent, [typeAaaa]: { code: 2 } });
    expect(await resolvePublic('a.example.com', failed)).toEqual({
      problem: 'a.example.com could not be resolved: its name servers do not answer',
      isTemporary: true,
    });
  });

  it('does not wait for look-ups at a silent server', async () => {
    stopTime();
    const silent = await lookUpAt({});
    const quick = await lookUpAt({ [typeA]: four, [typeAaaa]: six });
    const waiting = Array.from({ length: 20 }, (_, index) =>
      resolvePublic(`slow${index}.example.com`, silent, 5),
    );
    // Resolves although none of the others does: their time stands still.
    await quick('hooks.example.com');
    vi.advanceTimersByTime(5_000);
    for (const outcome of await Promise.all(waiting)) expect(outcome).toHaveProperty('problem');
  });
});
