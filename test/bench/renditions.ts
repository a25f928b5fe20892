import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BufferSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { workerFunctions } from '../../infra/functions/workers.ts';
import type { ImageRecipe, Recipe } from '../../lib/media/renditions/recipe.ts';
import type { RenderTask, RenderVerdict } from '../../lib/media/renditions/render-task.ts';
import { loadSharp } from '../../lib/media/renditions/sharp.ts';
import { countBounds, defineBench, verdict } from './bench.ts';

const corpus = join(import.meta.dirname, '../fixtures/media-corpus');
const program = join(import.meta.dirname, '../../lib/media/renditions/render-process.ts');

interface Size {
  readonly photoBytes: number;
  readonly photoSide: number;
  readonly videoBytes: number;
}

export const renditions = defineBench({
  name: 'renditions',
  describe: 'time and peak memory of the process that renders: photos of 30 MiB, and a video of 1 GiB',
  // It reads /proc.
  system: 'linux',
  sizes: {
    full: { photoBytes: 30 * 1024 ** 2, photoSide: 7_000, videoBytes: 1_000 * 1024 ** 2 },
    smallest: { photoBytes: 100_000, photoSide: 300, videoBytes: 300_000 },
  },
  measure: async (size: Size, { progress }) => {
    const folder = await mkdtemp(join(tmpdir(), 'herald-renditions-'));
    try {
      const files: [what: string, path: string, contentType: string, recipe: Recipe][] = [];
      progress('making a photo');
      const photo = join(folder, 'photo.jpg');
      await makePhoto(photo, size);
      files.push(['JPEG', photo, 'image/jpeg', picture]);
      files.push([
        'HEIC of the corpus',
        join(corpus, 'photo.heic'),
        'image/heic',
        { ...picture, heightPixels: 1_350 },
      ]);
      files.push([
        'AVIF of the corpus',
        join(corpus, 'photo.avif'),
        'image/avif',
        { ...picture, heightPixels: 1_350 },
      ]);
      progress('making a video');
      const film = join(folder, 'film.mp4');
      await makeFilm(film, size.videoBytes);
      files.push(['MP4 with the index last', film, 'video/mp4', video]);
      const rows = [];
      for (const [what, path, contentType, recipe] of files) {
        progress(`rendering ${what}`);
        const outputPath = join(folder, 'rendition');
        rows.push({ what, ...(await measure({ recipe, contentType, inputPath: path, outputPath }, folder)) });
      }
      const definition = workerFunctions.find(({ name }) => name === 'render-media');
      // The function itself takes the rest.
      const boundMegabytes = (definition?.memoryMegabytes ?? 0) - 300;
      const met = rows.map(({ peakBytes }) => peakBytes / 1024 ** 2 <= boundMegabytes);
      return [
        {
          title: 'Rendering a file on disk',
          columns: [
            'original',
            'MB',
            'result MB',
            'seconds',
            'processor seconds',
            'peak MB',
            `at most ${boundMegabytes}`,
          ],
          rows: rows.map(({ what, bytes, resultBytes, seconds, cpuSeconds, peakBytes }, index) => [
            what,
            (bytes / 1024 ** 2).toFixed(1),
            (resultBytes / 1024 ** 2).toFixed(1),
            seconds.toFixed(1),
            cpuSeconds.toFixed(1),
            (peakBytes / 1024 ** 2).toFixed(0),
            verdict(met[index]),
          ]),
          notes: [
            'The photo is noise, which takes the most bytes per pixel. The video repeats a small one, with filler in each frame.',
            'Memory is resident memory. It includes the start of Node.js, some 50 MB, and the code of the decoders.',
          ],
          bounds: countBounds(met),
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

const picture: ImageRecipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 1_080,
  heightPixels: 1_080,
  maxBytes: 8 * 1024 ** 2,
  background: '#ffffff',
};
const video: Recipe = { kind: 'video', contentType: 'video/mp4', maxBytes: 2 * 1024 ** 3 };

/** Makes a square JPEG of about this many bytes. */
async function makePhoto(path: string, { photoBytes, photoSide }: Size): Promise<void> {
  const sharp = loadSharp();
  const side = Math.ceil(photoSide / 4);
  const noise = Buffer.alloc(side * side * 3);
  for (let at = 0, state = 1; at < noise.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647;
    noise[at] = state;
  }
  const raw = { width: side, height: side, channels: 3 } as const;
  for (let quality = 98; quality > 0; quality -= 12) {
    const jpeg = await sharp(noise, { raw })
      .resize(photoSide, photoSide, { kernel: 'nearest' })
      .jpeg({ quality, chromaSubsampling: '4:4:4' })
      .toBuffer();
    if (jpeg.length <= photoBytes) return writeFile(path, jpeg);
  }
}

/** Makes a video of about this many bytes, with 30 frames a second. */
async function makeFilm(path: string, videoBytes: number): Promise<void> {
  const source = new BufferSource(readFileSync(join(corpus, 'silent.mp4')));
  const input = new Input({ formats: [MP4], source });
  const [track] = await input.getVideoTracks();
  const decoderConfig = (await track?.getDecoderConfig()) ?? undefined;
  if (!track || !decoderConfig) throw new Error('the video of the corpus has no track');
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(path),
  });
  const target = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(target);
  await output.start();
  const seconds = 4.2;
  const frameBytes = 35_000;
  const rounds = Math.max(1, Math.round(videoBytes / frameBytes / packets.length));
  const filler = fillerOf(Math.min(frameBytes, Math.round(videoBytes / packets.length)));
  for (let round = 0; round < rounds; round += 1)
    for (const packet of packets) {
      const data = Buffer.concat([packet.data, filler]);
      const time = packet.timestamp + round * seconds;
      await target.add(new EncodedPacket(data, packet.type, time, packet.duration), { decoderConfig });
    }
  await output.finalize();
}

/** A unit of H.264 that decoders skip (`filler_data_rbsp`), with its length before it. */
function fillerOf(bytes: number): Buffer {
  const filler = Buffer.alloc(bytes, 0xff);
  filler.writeUInt32BE(bytes - 4);
  filler[4] = 0x0c;
  filler[bytes - 1] = 0x80;
  return filler;
}

async function measure(task: RenderTask, folder: string) {
  const begunMs = performance.now();
  const child = fork(program, [], { cwd: folder, execArgv: ['--max-old-space-size=1024'] });
  const verdict = await new Promise<RenderVerdict>((resolve, reject) => {
    child.once('message', resolve).once('error', reject);
    child.once('exit', (code) => reject(new Error(`the renderer ended with ${code}`)));
    child.send(task);
  });
  const seconds = (performance.now() - begunMs) / 1_000;
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  // Ticks of user and system time, of which there are 100 in a second.
  const times = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  child.kill('SIGKILL');
  if (verdict.state === 'failed') throw new Error(verdict.reason);
  return {
    bytes: (await stat(task.inputPath)).size,
    resultBytes: (await stat(task.outputPath)).size,
    seconds,
    cpuSeconds: (Number(times[11]) + Number(times[12])) / 100,
    peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024,
  };
}
