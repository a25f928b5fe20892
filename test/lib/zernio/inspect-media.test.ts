import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { DownloadError } from '../../../lib/http-client/address-guard/download.ts';
import { inspectMedia } from '../../../lib/zernio/inspect-media.ts';

const serving = (headers: Record<string, string>) => {
  const body = new IncomingMessage(new Socket());
  return { body, open: async () => ({ url: 'u', headers, body }) };
};

it.each([
  [
    { 'content-type': 'image/jpeg', 'content-length': '5' },
    { problem: null, contentType: 'image/jpeg', sizeBytes: 5, type: 'image' },
  ],
  [
    { 'content-type': 'Video/MP4; codecs=x' },
    { problem: null, contentType: 'video/mp4', sizeBytes: null, type: 'video' },
  ],
  [{ 'content-type': 'text/html' }, { problem: expect.stringContaining('text/html'), type: 'unknown' }],
  [{ 'content-length': '-5' }, { problem: expect.any(String), contentType: null, sizeBytes: null }],
])('reads the headers %j, and nothing more', async (headers, expected) => {
  const { body, open } = serving(headers as Record<string, string>);
  expect(await inspectMedia(open, 'u', 'w')).toMatchObject(expected);
  expect(body.destroyed).toBe(true);
});

it('says why a file cannot be read', async () => {
  const open = async () => {
    throw new DownloadError('it answers 404');
  };
  expect(await inspectMedia(open, 'u', 'w')).toMatchObject({ problem: 'it answers 404', type: 'unknown' });
});
