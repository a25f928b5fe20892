import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bucket, objectPutter, openBucket } from '../../lib/aws/bucket.ts';
import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { openRenderer, type Render } from '../../lib/media/renditions/render.ts';
import type { RenditionBucket, RenditionPorts } from '../../lib/media/renditions/run-rendition.ts';
import type { Wire } from './start.ts';

/** The media bucket, and a way to put renditions into it. */
export const renditionBucket: Wire<Bucket & RenditionBucket> = (environment) => {
  const name = environment('MEDIA_BUCKET');
  return { ...openBucket(name), putNew: objectPutter(name) };
};

/** Renders in a process of its own, whose program is a file beside the bundle. */
const renderWithin =
  (timeLimitMs: number): Wire<Render> =>
  (environment) =>
    openRenderer({
      programPath: join(import.meta.dirname, 'render-process.mjs'),
      // Lambda's Node.js finds its libraries by it.
      environment: { LD_LIBRARY_PATH: environment('LD_LIBRARY_PATH', '') },
      timeLimitMs,
    });

export const render = renderWithin(3 * minuteMs);

/** Renders a picture for which a request waits. */
export const renderPicture = renderWithin(10 * secondMs);

/** Lends folders on the function's temporary storage. */
export const withFolder: Wire<RenditionPorts['withFolder']> = () => async (use) => {
  const folder = await mkdtemp(join(tmpdir(), 'rendition-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
