import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import {
  objectKeyFor,
  parseObjectKey,
  publicUrl,
  referenceFromUrl,
  toMediaItem,
} from '../../../lib/media/urls.ts';

const baseUrl = 'https://media.example.com';
const [workspaceId, otherWorkspaceId, mediaId] = [newId(1), newId(2), newId(3)];

const hostileNames = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 255 }),
  fc.string({ unit: 'grapheme', maxLength: 255 }),
  fc.constantFrom(
    '../../etc/passwd',
    '..',
    '.',
    '/',
    '\\',
    'a/b.mp4',
    '%2e%2e%2f',
    'a?b#c.jpg',
    ' .jpg',
    '~',
  ),
  fc.constantFrom('con.mp4', '-rf.mp4', '.htaccess', 'a\r\nb.jpg', '<script>.png', `${'x'.repeat(250)}.mp4`),
);

describe('an object key', () => {
  it.each([
    ['holiday.mp4', 'holiday.mp4'],
    ['My Holiday (1).MP4', 'My-Holiday-1-.MP4'],
    ['Übergröße.jpeg', 'U-bergro-e.jpeg'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.hidden.jpg', 'hidden.jpg'],
    ['фото.jpg', 'file.jpg'],
    ['写真.png', 'file.png'],
    ['🎬.mp4', 'file.mp4'],
    ['...', 'file'],
    ['名前', 'file'],
    [`${'x'.repeat(250)}.mp4`, `${'x'.repeat(76)}.mp4`],
  ])('keeps the safe characters of %j: %s', (filename, name) => {
    expect(objectKeyFor('w', 'm', filename)).toBe(`media/w/m/${name}`);
  });

  it('is plain, short and parseable, whatever the file name', () => {
    fc.assert(
      fc.property(hostileNames, (filename) => {
        const key = objectKeyFor(workspaceId, mediaId, filename);
        expect(key).toMatch(/^media\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/);
        expect(parseObjectKey(key)).toEqual({ workspaceId, mediaId });
        const url = new URL(publicUrl(baseUrl, key));
        expect(url.href).toBe(`${baseUrl}/${key}`);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    'media/',
    `media/${workspaceId}/${mediaId}/`,
    `media/${workspaceId}/${mediaId}/a/b`,
    `media/${workspaceId}/${mediaId}/a b`,
    `media/${workspaceId}/a.mp4`,
    `other/${workspaceId}/${mediaId}/a.mp4`,
    `/media/${workspaceId}/${mediaId}/a.mp4`,
    `media/${workspaceId.toUpperCase()}/${mediaId}/a.mp4`,
    `media/${workspaceId}/${mediaId}/a.mp4\n`,
  ])('cannot be %j', (key) => {
    expect(parseObjectKey(key)).toBeUndefined();
  });
});

describe('a media URL in a post', () => {
  const objectKey = objectKeyFor(workspaceId, mediaId, 'a.mp4');
  const item = {
    type: 'video',
    url: publicUrl(baseUrl, objectKey),
    filename: 'Ä.mp4',
    sizeBytes: 7,
  } as const;

  it('becomes a reference by key, and the same URL when it is shown', () => {
    const reference = referenceFromUrl(baseUrl, workspaceId, item);
    expect(reference).toEqual({ type: 'video', filename: 'Ä.mp4', sizeBytes: 7, mediaId, objectKey });
    const stored = { type: 'video', filename: 'Ä.mp4', sizeBytes: 7, mediaId, objectKey } as const;
    expect(toMediaItem(baseUrl, stored)).toEqual(item);
    expect(toMediaItem('https://other.example', stored).url).toBe(`https://other.example/${objectKey}`);
  });

  it('may leave the type to its file', () => {
    const { type: _type, ...untyped } = item;
    const reference = referenceFromUrl(baseUrl, workspaceId, untyped);
    expect(reference).toEqual({ filename: 'Ä.mp4', sizeBytes: 7, mediaId, objectKey });
  });

  it('is stored as an image if it is a document, and is shown as a document', () => {
    const document = { ...item, type: 'document' } as const;
    const stored = {
      type: 'image',
      isDocument: true,
      filename: 'Ä.mp4',
      sizeBytes: 7,
      mediaId,
      objectKey,
    } as const;
    expect(referenceFromUrl(baseUrl, workspaceId, document)).toEqual(stored);
    expect(toMediaItem(baseUrl, stored)).toEqual(document);
  });

  it.each([
    ['another workspace', publicUrl(baseUrl, objectKeyFor(otherWorkspaceId, mediaId, 'a.mp4'))],
    ['another host', publicUrl('https://evil.example', objectKey)],
    ['a host with the same prefix', publicUrl(`${baseUrl}.evil.example`, objectKey)],
    ['another scheme', publicUrl('http://media.example.com', objectKey)],
    ['a query', `${baseUrl}/${objectKey}?x=1`],
    ['a fragment', `${baseUrl}/${objectKey}#x`],
    ['a parent directory', `${baseUrl}/media/../${objectKey}`],
    ['an escaped slash', `${baseUrl}/${objectKey.replaceAll('/', '%2F')}`],
    ['only the base URL', baseUrl],
    ['nothing', ''],
  ])('is rejected with %s', (_what, url) => {
    expect(referenceFromUrl(baseUrl, workspaceId, { ...item, url })).toBeUndefined();
  });
});
