import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import { openWhole } from '../../../../lib/platforms/pinterest/file-stream.ts';

const mebibyte = 1_048_576;

/** @param answerOf the result of the n-th read, from 0 */
function fileOf(sizeBytes: number, answerOf: (first: number, last: number, read: number) => Readable) {
  const reads: [number, number][] = [];
  const source: MediaSource = {
    type: 'video',
    contentType: 'video/mp4',
    sizeBytes,
    url: 'https://media.example/file',
    openRange: async (first, last) => {
      reads.push([first, last]);
      return answerOf(first, last, reads.length - 1);
    },
  };
  return { source, reads };
}

const zeros = (first: number, last: number) => Readable.from([Buffer.alloc(last - first + 1)]);

it('reads a file in ranges that cover it once', async () => {
  const { source, reads } = fileOf(70 * mebibyte, zeros);
  let bytes = 0;
  for await (const chunk of await openWhole(source)) bytes += chunk.length;
  expect(bytes).toBe(70 * mebibyte);
  expect(reads).toEqual([
    [0, 32 * mebibyte - 1],
    [32 * mebibyte, 64 * mebibyte - 1],
    [64 * mebibyte, 70 * mebibyte - 1],
  ]);
});

it('resumes a read where it failed', async () => {
  const { source, reads } = fileOf(8, (first, last, read) =>
    Readable.from(
      (async function* () {
        if (read === 0) {
          yield Buffer.from('abc');
          throw new Error('connection reset');
        }
        yield Buffer.from('abcdefgh').subarray(first, last + 1);
      })(),
    ),
  );
  expect((await buffer(await openWhole(source))).toString()).toBe('abcdefgh');
  expect(reads).toEqual([
    [0, 7],
    [3, 7],
  ]);
});

it('throws if the file cannot be read, whether reads fail or return nothing', async () => {
  const silent = fileOf(8, () => Readable.from([]));
  await expect(buffer(await openWhole(silent.source))).rejects.toThrow('no bytes from 0');
  expect(silent.reads.length).toBeLessThan(10);
  const broken = fileOf(8, () => {
    throw new Error('no such file');
  });
  await expect(openWhole(broken.source)).rejects.toThrow('no such file');
});
