import { beforeAll, describe, expect, it } from 'vitest';
import { HeraldError } from '../../../../lib/kernel/errors.ts';
import type { PresignBody } from '../../../../lib/media/operations.ts';
import { findMedia } from '../../../../lib/media/store.ts';
import { type MediaContext, presignMedia } from '../../../../lib/media/uploads/presign.ts';
import { openWorkspace } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

const signed: unknown[] = [];
let context: MediaContext;
beforeAll(async () => {
  const table = await createTestTable();
  const workspace = await openWorkspace(table, { storageQuotaBytes: 2 * 1024 ** 3 });
  context = {
    ...workspace.context,
    mediaBaseUrl: 'https://media.example.com',
    signUpload: async (upload) => {
      signed.push(upload);
      return `https://bucket.example.com/${upload.objectKey}?signed`;
    },
    clientUploads: { begin: async () => 'an upload' },
  };
});

it('grants an upload of exactly this type and size for an hour', async () => {
  const grant = await presignMedia(context, { filename: 'Holiday.MP4', size: 1_000 });
  const path = `${context.workspaceId}/${grant.mediaId}/Holiday.MP4`;
  expect(grant).toEqual({
    mediaId: grant.mediaId,
    uploadUrl: `https://bucket.example.com/incoming/${path}?signed`,
    publicUrl: `https://media.example.com/media/${path}`,
    expiresIn: 3_600,
    contentType: 'video/mp4',
  });
  expect(signed.at(-1)).toEqual({
    objectKey: `incoming/${path}`,
    contentType: 'video/mp4',
    sizeBytes: 1_000,
    expiresInSeconds: 3_600,
  });
  expect(await findMedia(context.table, context.workspaceId, grant.mediaId)).toMatchObject({
    status: 'pending',
    reservedBytes: 1_000,
    filename: 'Holiday.MP4',
  });
});

it.each([
  ['clip.bin', 'Video/QuickTime', 'video/quicktime'],
  ['a.mp4', 'Image/JPEG', 'image/jpeg'],
  ['a.jpg', 'image/jpg', 'image/jpeg'],
  ['a.mp4', 'video/mp4; codecs="avc1"', 'video/mp4'],
])(
  'grants %s as %s by the usual name of the type, which it returns',
  async (filename, contentType, usual) => {
    const grant = await presignMedia(context, { filename, contentType });
    expect(grant.contentType).toBe(usual);
    expect(signed.at(-1)).toMatchObject({ contentType: usual });
  },
);

describe('in parts', () => {
  it('grants 8 MiB per part, for a day, and one URL for all of it', async () => {
    const size = 20 * 1024 ** 2;
    const grant = await presignMedia(context, { filename: 'film.mp4', size, parts: true });
    expect(grant).toMatchObject({
      uploadUrl: expect.stringContaining('/film.mp4?signed'),
      parts: {
        partSize: 8 * 1024 ** 2,
        partCount: 3,
        expiresAt: new Date(context.now + 86_400_000).toISOString(),
      },
    });
    expect(await findMedia(context.table, context.workspaceId, grant.mediaId)).toMatchObject({
      reservedBytes: size,
      parts: { uploadId: 'an upload', partBytes: 8 * 1024 ** 2, sizeBytes: size },
    });
  });

  it('needs the size', async () => {
    await expect(presignMedia(context, { filename: 'film.mp4', parts: true })).rejects.toMatchObject({
      code: 'field_required',
      param: 'size',
    });
  });

  it('says nothing of parts otherwise', async () => {
    const grant = await presignMedia(context, { filename: 'film.mp4', size: 1, parts: false });
    expect(grant).not.toHaveProperty('parts');
  });
});

describe('in a workspace without free bytes', () => {
  const openFull = async () => {
    const { context: full } = await openWorkspace(context.table, { storageQuotaBytes: 1_000 });
    const caller = { ...context, ...full };
    await presignMedia(caller, { filename: 'a.png', size: 1_000 });
    return caller;
  };

  it.each([{}, { size: 1 }])('refuses an upload: %j', async (size) => {
    await expect(presignMedia(await openFull(), { filename: 'b.png', ...size })).rejects.toMatchObject({
      code: 'storage_quota_exceeded',
    });
  });

  it('grants an upload without a size again once a byte is free', async () => {
    const { context: opened } = await openWorkspace(context.table, { storageQuotaBytes: 1_000 });
    const caller = { ...context, ...opened };
    await presignMedia(caller, { filename: 'a.png', size: 999 });
    expect(await presignMedia(caller, { filename: 'b.png' })).toMatchObject({ contentType: 'image/png' });
  });
});

describe('refuses', () => {
  it.each<[string, PresignBody, string]>([
    ['a name that implies no type', { filename: 'clip' }, 'field_required contentType: cannot be inferred'],
    [
      'a scan by its name',
      { filename: 'scan.TIFF' },
      'field_unknown_value filename: TIFF files are not accepted; convert the file first. Accepted are JPEG, PNG',
    ],
    [
      'a scan by its type',
      { filename: 'scan', contentType: 'image/tiff' },
      'field_unknown_value contentType: TIFF files are not accepted',
    ],
    [
      'a film of an old camera',
      { filename: 'film.avi' },
      'field_unknown_value filename: AVI files are not accepted',
    ],
    [
      'a type that no platform accepts',
      { filename: 'a.mp4', contentType: 'text/html' },
      'field_unknown_value contentType: must be',
    ],
    ['an empty type', { filename: 'a.mp4', contentType: '' }, 'field_unknown_value contentType: must be'],
    [
      'an image that is too large',
      { filename: 'a.png', size: 30 * 1024 ** 2 + 1 },
      'media_too_large size: must be at most',
    ],
    [
      'more than the free quota',
      { filename: 'a.mp4', size: 1024 ** 3 },
      'storage_quota_exceeded storage quota',
    ],
  ])('%s', async (_what, body, refusal) => {
    if (refusal.startsWith('storage')) await presignMedia(context, { filename: 'b.mp4', size: 1024 ** 3 });
    const error = await presignMedia(context, body).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HeraldError);
    const { code, message } = error as HeraldError;
    expect(`${code} ${message}`.slice(0, refusal.length)).toBe(refusal);
  });
});
