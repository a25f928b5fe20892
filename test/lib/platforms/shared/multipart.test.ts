import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { multipartBody } from '../../../../lib/platforms/shared/multipart.ts';

it('holds the fields and the file, in exactly the declared number of bytes', async () => {
  const bytes = Buffer.from('--\r\nnot a boundary\0');
  const body = multipartBody(
    { 'a "name"': 'one\r\ntwo', left: undefined, title: 'é 漢' },
    {
      name: 'file',
      filename: 'clip.mp4',
      contentType: 'video/mp4',
      sizeBytes: bytes.length,
      open: async () => Readable.from([bytes]),
    },
  );
  if (!('open' in body)) throw new Error('no stream');
  const sent = await buffer(await body.open());
  expect(sent.length).toBe(body.sizeBytes);

  const form = await new Response(sent, { headers: { 'content-type': body.contentType } }).formData();
  expect([...form.keys()].sort()).toEqual(['a "name"', 'file', 'title']);
  expect([form.get('a "name"'), form.get('title')]).toEqual(['one\r\ntwo', 'é 漢']);
  const file = form.get('file');
  if (!(file instanceof File)) throw new Error('no file');
  expect([file.name, file.type]).toEqual(['clip.mp4', 'video/mp4']);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
});
