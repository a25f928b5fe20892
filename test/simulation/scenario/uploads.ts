import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { getMedia } from '../../../lib/media/read.ts';
import { presignMedia } from '../../../lib/media/uploads/presign.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import type { Service } from '../service.ts';
import type { World } from '../world/world.ts';
import type { Files } from './bodies.ts';
import type { FileName } from './plan.ts';
import type { Request } from './requests.ts';

const contentTypes = {
  'image.jpg': 'image/jpeg',
  'image.png': 'image/png',
  'video.mp4': 'video/mp4',
} as const;
const fixtures = join(import.meta.dirname, '../../fixtures');
const longestWaitMs = 2 * minuteMs;
/** More than any outage takes. */
const maxTries = 300;

/** Uploads a customer's files, each of them once, and waits until they are ready. */
export function createUploads(world: World, service: Service, request: Request) {
  const urls = new Map<FileName, Promise<string>>();
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => world.clockwork.after(milliseconds, () => resolve()));

  async function upload(filename: FileName): Promise<string> {
    const bytes = readFileSync(join(fixtures, filename));
    const contentType = contentTypes[filename];
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const granted = await request(`upload ${filename}`, (context) =>
        presignMedia(context, { filename, contentType, size: bytes.length }),
      );
      if ('answer' in granted) {
        const { mediaId, uploadUrl: objectKey, publicUrl } = granted.answer;
        service.bucket.put(objectKey, bytes, contentType);
        if (await becomesReady(mediaId)) return publicUrl;
      }
      await pause(world.random.between(secondMs, Math.min(30, 10 + tries) * secondMs));
    }
    throw new Error(`${filename} could not be uploaded`);
  }

  async function becomesReady(mediaId: string): Promise<boolean> {
    const giveUpMs = world.now() + longestWaitMs;
    while (world.now() < giveUpMs) {
      const read = await request('read the file', (context) => getMedia({ ...context, seesMedia }, mediaId));
      if ('answer' in read && read.answer.status === 'ready') return true;
      await pause(world.random.between(secondMs, 5 * secondMs));
    }
    return false;
  }

  return async (names: readonly FileName[]): Promise<Files> => {
    const ready = names.map(async (name) => {
      const url = urls.get(name) ?? upload(name);
      urls.set(name, url);
      return [name, await url] as const;
    });
    return Object.fromEntries(await Promise.all(ready)) as Files;
  };
}
