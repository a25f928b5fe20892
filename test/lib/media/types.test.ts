import { expect, it } from 'vitest';
import { acceptedContentTypes, contentTypeOf, largestBytes, mediaTypeOf } from '../../../lib/media/types.ts';

it.each([
  ['a.jpg', 'image/jpeg'],
  ['a.JPEG', 'image/jpeg'],
  ['a.b.png', 'image/png'],
  ['a.webp', 'image/webp'],
  ['a.gif', 'image/gif'],
  ['a.mp4', 'video/mp4'],
  ['a.mov', 'video/quicktime'],
  ['a.webm', 'video/webm'],
  ['a.exe', undefined],
  ['a.mp4.', undefined],
  ['a', undefined],
  ['', undefined],
  ['a.constructor', undefined],
])('the name %j promises %s', (filename, contentType) => {
  expect(contentTypeOf(filename)).toBe(contentType);
});

it('allows a video 1 GiB and an image 30 MiB', () => {
  for (const contentType of acceptedContentTypes) {
    const most = mediaTypeOf(contentType) === 'video' ? 1_073_741_824 : 31_457_280;
    expect(largestBytes(contentType), contentType).toBe(most);
  }
});
