import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Download, DownloadError } from '../../../lib/http-client/address-guard/download.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { currentProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const contentTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
};

/** The customers' file server. Every path ends with the name of a file. */
export const sourceBaseUrl = 'https://files.customer.example';

const pieceBytes = 16 * 1024;

/**
 * The file server of the customers, from which files are imported. It does not answer, breaks off, or sends a file for
 * minutes.
 */
export function createSources(world: World) {
  return {
    async open(url: string): Promise<Download> {
      const process = currentProcess();
      const name = new URL(url).pathname.split('/').at(-1) ?? '';
      const bytes = readFileSync(join(fixtures, name));
      const fault = world.happens('sourceFails') ? world.random.pick(['no answer', 'breaks off']) : undefined;
      await world.call(process, `opens ${name} at its source`, () => {
        if (fault === 'no answer') throw new DownloadError('no response within 20 s', { isTemporary: true });
      });
      const pieceMs = world.happens('sourceSlow') ? world.random.between(0, minuteMs / 4) : 0;
      async function* pieces() {
        const end = fault === 'breaks off' ? bytes.length / 2 : bytes.length;
        for (let first = 0; first < end; first += pieceBytes) {
          if (pieceMs > 0) world.troubleUntil(world.now() + pieceMs + secondMs, 'sourceSlow', process.name);
          await world.sleep(process, pieceMs);
          yield bytes.subarray(first, first + pieceBytes);
        }
      }
      const headers = {
        'content-length': String(bytes.length),
        'content-type': contentTypes[name.split('.').at(-1) ?? ''],
      };
      return { body: Readable.from(pieces()) as IncomingMessage, headers };
    },
  };
}
