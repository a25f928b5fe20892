import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { describeMedia } from '../../lib/media/describe.ts';
import { inspectFile } from '../../lib/media/probe/inspect.ts';
import { mediaTypeOf } from '../../lib/media/types.ts';
import type { MediaType } from '../../lib/platforms/contract/names.ts';
import type { VerifiedFile } from './verification.ts';

/**
 * Reads the properties of a file at a public URL. Some platforms download it from there; for the others the command does.
 *
 * @throws Error that says what is wrong with the file
 */
export async function openFile(type: MediaType, url: string): Promise<VerifiedFile> {
  if (!URL.canParse(url)) throw new Error(`--${type}: ${url} is not a URL`);
  const read = async (first: number, last: number) => {
    const answer = await fetch(url, { headers: { range: `bytes=${first}-${last}` } });
    if (answer.ok && answer.body !== null) return answer;
    throw new Error(`--${type}: ${url} answered HTTP ${answer.status}`);
  };
  const start = await read(0, 0);
  await start.body?.cancel();
  const sizeBytes = Number(start.headers.get('content-range')?.split('/')[1]);
  if (start.status !== 206 || !Number.isInteger(sizeBytes)) {
    throw new Error(`--${type}: the host of ${url} must serve ranges of bytes, as Herald's media host does`);
  }
  const contentType = (start.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!contentType.startsWith(`${type}/`) || mediaTypeOf(contentType) !== type) {
    throw new Error(`--${type}: ${url} has the content type ${contentType || 'none'}`);
  }
  const inspected = await inspectFile(
    async (first, last) => new Uint8Array(await (await read(first, last)).arrayBuffer()),
    sizeBytes,
    contentType,
  );
  if (inspected.state === 'unfit') throw new Error(`--${type}: ${url} cannot be used: ${inspected.reason}`);
  const probe = inspected.state === 'fit' && inspected.probe ? { probe: inspected.probe } : {};
  const described = describeMedia({ type }, { contentType, sizeBytes, ...probe });
  const { widthPixels, heightPixels, durationSeconds } = described;
  return {
    described,
    source: {
      type,
      url,
      contentType,
      sizeBytes,
      widthPixels,
      heightPixels,
      durationSeconds,
      openRange: async (first, last) =>
        Readable.fromWeb((await read(first, last)).body as ReadableStream<Uint8Array>),
    },
  };
}
