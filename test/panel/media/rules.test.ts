import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedContentTypes, largestImageBytes } from '../../../lib/media/types.ts';
import { acceptedInPicker, namedType, refusalOf } from '../../../lib/panel/media/accepted.ts';
import { coverOptions, frameMsOf, takesFrame } from '../../../lib/panel/media/cover.ts';
import type { DraftMedia } from '../../../lib/panel/media/draft-media.ts';
import {
  changeUploads,
  isOnItsWay,
  mostAtOnce,
  placeArrived,
  toBegin,
  type Upload,
  type UploadChange,
  type UploadState,
} from '../../../lib/panel/media/upload-queue.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';

const upload = (number: number) => ({ number, owner: 'post', fileName: `${number}.jpg`, sizeBytes: 10 });
const added = (count: number) =>
  changeUploads([], { kind: 'add', uploads: Array.from({ length: count }, (_, index) => upload(index + 1)) });
const move = (uploads: readonly Upload[], number: number, ...states: UploadState[]) =>
  states.reduce((list, state) => changeUploads(list, { kind: 'move', number, state }), uploads);
const file = (name: string): DraftMedia => ({ url: `https://media.test/${name}`, type: 'image' });

const sending = (sentBytes = 0): UploadState => ({ status: 'sending', sentBytes });

describe('the queue of uploads', () => {
  it('lets three begin, and the next one when one of them ends', () => {
    let uploads = added(5);
    expect(toBegin(uploads).map(({ number }) => number)).toEqual([1, 2, 3]);
    for (const number of [1, 2, 3]) uploads = move(uploads, number, { status: 'preparing' });
    expect(toBegin(uploads)).toEqual([]);
    uploads = move(uploads, 2, { status: 'refused', reason: 'no' });
    expect(toBegin(uploads).map(({ number }) => number)).toEqual([4]);
    uploads = changeUploads(uploads, { kind: 'drop', numbers: [1, 3] });
    expect(toBegin(uploads).map(({ number }) => number)).toEqual([4, 5]);
  });

  it('tries a failed one again when asked, but not a refused one', () => {
    const failed = move(added(2), 1, { status: 'failed', reason: 'offline' });
    const both = move(failed, 2, { status: 'refused', reason: 'empty' });
    const retried = [1, 2].reduce((list, number) => changeUploads(list, { kind: 'retry', number }), both);
    expect(retried.map(({ state }) => state.status)).toEqual(['waiting', 'refused']);
  });

  it('ignores what arrives late', () => {
    const cancelled = changeUploads(added(1), { kind: 'drop', numbers: [1] });
    expect(move(cancelled, 1, sending(5))).toEqual([]);
    const done = move(added(1), 1, { status: 'preparing' }, sending(), { status: 'done', media: file('a') });
    expect(move(done, 1, sending(5))).toEqual(done);
  });

  it('never sends more than three, and always goes on, whatever happens', () => {
    const states = fc.constantFrom<UploadState>(
      { status: 'waiting' },
      { status: 'preparing' },
      sending(3),
      { status: 'confirming' },
      { status: 'done', media: file('x') },
      { status: 'refused', reason: 'no' },
      { status: 'failed', reason: 'no' },
    );
    const number = fc.integer({ min: 1, max: 8 });
    const change = fc.oneof<fc.Arbitrary<UploadChange>[]>(
      fc.record({ kind: fc.constant('move' as const), number, state: states }),
      fc.record({ kind: fc.constant('retry' as const), number }),
      fc.record({ kind: fc.constant('drop' as const), numbers: fc.array(number, { maxLength: 2 }) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        let uploads = added(8);
        for (const each of changes) {
          // As the uploader does: only what may begin is prepared.
          const mayBegin =
            each.kind !== 'move' ||
            each.state.status !== 'preparing' ||
            toBegin(uploads).some((other) => other.number === each.number);
          if (mayBegin) uploads = changeUploads(uploads, each);
          const waiting = uploads.filter(({ state }) => state.status === 'waiting').length;
          const active = uploads.filter(isOnItsWay).length - waiting;
          expect(active).toBeLessThanOrEqual(mostAtOnce);
          expect(toBegin(uploads).length).toBe(Math.min(waiting, mostAtOnce - active));
        }
      }),
    );
  });
});

describe('files that have arrived', () => {
  it('are in the order in which they were chosen, behind those that were there', () => {
    const files = Array.from({ length: 6 }, (_, index) => file(String(index)));
    const numbers = new Map(files.map(({ url }, index) => [url, index]));
    const old = file('old');
    const arbitrary = fc.shuffledSubarray(files, { minLength: 1 });
    fc.assert(
      fc.property(arbitrary, (arrived) => {
        const placed = arrived.reduce<readonly DraftMedia[]>(
          (list, each) => placeArrived(list, [each], ({ url }) => numbers.get(url)),
          [old],
        );
        expect(placed[0]).toBe(old);
        expect(placed.slice(1)).toEqual(files.filter((each) => arrived.includes(each)));
      }),
    );
  });
});

describe('a file that is chosen', () => {
  it.each([
    ['an image', { name: 'a.png', size: 10 }, 'image/png', undefined],
    ['an empty file', { name: 'a.png', size: 0 }, 'image/png', /empty/],
    [
      'an image over the limit',
      { name: 'a.png', size: largestImageBytes + 1 },
      'image/png',
      /Images may have up to 30 MiB/,
    ],
    ['a video of that size', { name: 'a.mp4', size: largestImageBytes + 1 }, 'video/mp4', undefined],
    ['a photo of an iPhone', { name: 'a.jpg', size: 10 }, 'image/heic', undefined],
    ['a photo in AVIF', { name: 'a.avif', size: 10 }, 'image/avif', undefined],
    ['a film in Matroska', { name: 'a.mkv', size: 10 }, 'video/matroska', undefined],
    ['an old film of Windows', { name: 'a.wmv', size: 10 }, undefined, /WMV.*MP4/],
    ['a sound', { name: 'a.mp3', type: 'audio/mpeg', size: 10 }, undefined, /audio file/],
    ['a scan', { name: 'A.TIF', size: 10 }, undefined, /TIFF/],
    [
      'a broken document',
      { name: 'a.docx', type: acceptedContentTypes.at(-1) ?? '', size: 10 },
      undefined,
      /Use JPEG/,
    ],
    ['a text', { name: 'a.txt', type: 'text/plain', size: 10 }, undefined, /Use JPEG/],
  ])('%s is taken or refused with the reason', (_, file, contentType, reason) => {
    const refusal = refusalOf({ type: '', ...file }, contentType);
    if (reason === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(reason);
  });

  it('is expected to be what its name says, else what the browser says', () => {
    expect(namedType({ name: 'a.MOV', type: 'video/mp4' })).toBe('video/quicktime');
    expect(namedType({ name: 'a', type: 'image/png' })).toBe('image/png');
    expect(namedType({ name: 'a.txt', type: 'text/plain' })).toBeUndefined();
  });

  it('can be picked, also where the system does not know its type', () => {
    const accepted = acceptedInPicker.split(',');
    expect(accepted).toEqual(expect.arrayContaining([...acceptedContentTypes]));
    const endings = accepted.filter((each) => each.startsWith('.'));
    expect(endings.map((ending) => namedType({ name: `a${ending}`, type: '' }))).toEqual([
      'image/heic',
      'image/heif',
      'image/avif',
      'video/matroska',
    ]);
  });
});

describe('the frame of a cover', () => {
  it('is said in each platform’s own option and unit, and read back', () => {
    expect(coverOptions('instagram', 1_500)).toEqual({ thumbOffset: 1_500 });
    expect(coverOptions('tiktok', 1_500)).toEqual({ videoCoverTimestampMs: 1_500 });
    expect(coverOptions('pinterest', 1_500)).toEqual({ coverKeyFrameSeconds: 1 });
    expect(coverOptions('youtube', 1_500)).toEqual({});
    expect(coverOptions('tiktok', undefined)).toEqual({});
    for (const platform of platformNames)
      expect(frameMsOf(platform, coverOptions(platform, 3_000))).toBe(
        takesFrame(platform) ? 3_000 : undefined,
      );
  });
});
