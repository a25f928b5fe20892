import { expect, it } from 'vitest';
import {
  acceptedContentTypes,
  contentTypeOf,
  largestBytes,
  mediaTypeOf,
  normalizedContentType,
  refusedTypeName,
  refusedTypeNameOf,
} from '../../../lib/media/types.ts';

it.each([
  ['a.jpg', 'image/jpeg'],
  ['a.JPEG', 'image/jpeg'],
  ['a.b.png', 'image/png'],
  ['a.webp', 'image/webp'],
  ['a.gif', 'image/gif'],
  ['a.mp4', 'video/mp4'],
  ['a.mov', 'video/quicktime'],
  ['a.webm', 'video/webm'],
  ['a.pdf', 'application/pdf'],
  ['photo.jpeg ', 'image/jpeg'],
  ['image.JFIF', 'image/jpeg'],
  ['a.exe', undefined],
  ['IMG_1234.HEIC', 'image/heic'],
  ['a.hif', 'image/heif'],
  ['a.avif', 'image/avif'],
  ['a.mkv', 'video/matroska'],
  ['a.mp4.', undefined],
  ['a', undefined],
  ['', undefined],
  ['a.constructor', undefined],
])('the file name %j implies %s', (filename, contentType) => {
  expect(contentTypeOf(filename)).toBe(contentType);
});

it.each([
  ['scan.tiff ', 'TIFF'],
  ['old.3gp', '3GP'],
  ['clip.AVI', 'AVI'],
  ['a.jpg', undefined],
  ['a.exe', undefined],
  ['a.constructor', undefined],
])('the file name %j implies the refused type %s', (filename, name) => {
  expect(refusedTypeNameOf(filename)).toBe(name);
});

it('refuses no type by name that it accepts', () => {
  for (const contentType of acceptedContentTypes) expect(refusedTypeName(contentType)).toBeUndefined();
});

it('allows a video 1 GiB, an image 30 MiB and a document 100 MiB', () => {
  const max = { video: 1_073_741_824, image: 31_457_280, application: 104_857_600 };
  for (const contentType of acceptedContentTypes) {
    expect(max, contentType).toHaveProperty(contentType.split('/')[0] ?? '', largestBytes(contentType));
  }
});

it('maps documents to `image`, the type that posts use for them', () => {
  expect(['video/mp4', 'image/gif', 'application/pdf'].map(mediaTypeOf)).toEqual(['video', 'image', 'image']);
});

it.each([
  ['Image/JPEG', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['video/x-matroska', 'video/matroska'],
  ['IMAGE/JPG; charset=binary', 'image/jpeg'],
  ['video/mp4;codecs="avc1.42E01E, mp4a.40.2"', 'video/mp4'],
  ['  application/PDF ;', 'application/pdf'],
  ['text/html', 'text/html'],
  ['constructor', 'constructor'],
  [';', ''],
  ['', ''],
])('the content type %j means %j', (named, contentType) => {
  expect(normalizedContentType(named)).toBe(contentType);
});
