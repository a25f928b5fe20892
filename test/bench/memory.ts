import { readFileSync } from 'node:fs';
import { UploadGrant } from '../../lib/media/operations.ts';
import { clientOf, settled } from '../journeys/support/client.ts';
import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { largeVideo, upload } from './memory/large-video.ts';

const functionName = 'upload-target';
const withinSeconds = 290;

export const memory = defineBench({
  name: 'memory',
  describe: 'peak memory of the function that uploads, with a video of 500 MB for YouTube',
  // It reads /proc.
  system: 'linux',
  sizes: { full: { videoBytes: 500 * 1024 ** 2 }, smallest: { videoBytes: 1024 ** 2 } },
  measure: ({ videoBytes }, { progress, withCloud }) =>
    withCloud({}, async (cloud) => [await measure(cloud, videoBytes, progress)]),
});

async function measure(
  cloud: TestCloud,
  videoBytes: number,
  progress: (line: string) => void,
): Promise<BenchTable> {
  const client = clientOf(cloud, cloud.demo);
  const video = largeVideo(videoBytes);
  progress('uploading');
  const asked = { filename: 'video.mp4', contentType: 'video/mp4', size: video.sizeBytes };
  const grant = UploadGrant.parse(
    (await client.expectStatus(200, 'POST', '/v1/media/presign', asked)).json(),
  );
  await upload(video, grant.uploadUrl, asked.contentType);

  progress('publishing');
  const content = `A video of ${videoBytes} bytes`;
  const begunMs = performance.now();
  const post = await client.createPost({
    content,
    mediaItems: [{ type: 'video', url: grant.publicUrl }],
    platforms: [{ accountId: client.accountId('youtube') }],
    publishNow: true,
  });
  const { status, platforms } = await settled(client, post.id, { withinSeconds });
  const seconds = (performance.now() - begunMs) / 1_000;
  if (status !== 'published') throw new Error(`the post is ${status}: ${platforms[0]?.error}`);
  const [live] = await platformOf(cloud, 'youtube').postsSaying(content);
  if (live?.media[0]?.sha256 !== video.sha256)
    throw new Error('the live video differs from the uploaded one');

  const limitMegabytes =
    cloud.model.functions.find(({ name }) => name === functionName)?.memoryMegabytes ?? 0;
  const peaks = cloud.processes().filter((process) => process.function === functionName);
  const peakMegabytes = Math.max(...peaks.map(({ pid }) => peakResidentBytes(pid))) / 1024 ** 2;
  const isMet = peakMegabytes <= limitMegabytes;
  return {
    title: `Peak resident memory of ${functionName} while it copies a video from the bucket to YouTube`,
    columns: ['video MB', 'peak MB', 'bound MB', 'met', 'from create to live s'],
    rows: [
      [
        String(videoBytes / 1024 ** 2),
        peakMegabytes.toFixed(0),
        String(limitMegabytes),
        verdict(isMet),
        seconds.toFixed(1),
      ],
    ],
    notes: [
      "The bound is the function's memory in the template. Peak is the kernel's value (VmHWM) for the process that ran the",
      'bundle, including Node itself. The live bytes were compared with the uploaded ones.',
    ],
    bounds: countBounds([isMet]),
  };
}

/** The peak resident memory of a process. */
function peakResidentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
