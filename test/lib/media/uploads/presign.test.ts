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

it('prefers the given content type, in lower case, to the one of the file name', async () => {
  const grant = await presignMedia(context, { filename: 'clip.bin', contentType: 'Video/QuickTime' });
  expect(grant.contentType).toBe('video/quicktime');
});

describe('refuses', () => {
  it.each<[string, PresignBody, string]>([
    ['a name that implies no type', { filename: 'clip' }, 'field_required contentType: cannot be inferred'],
    [
      'a type that no platform accepts',
      { filename: 'a.mp4', contentType: 'text/html' },
      'field_unknown_value contentType: must be',
    ],
    [
      'a type with parameters',
      { filename: 'a.mp4', contentType: 'video/mp4; x=1' },
      'field_unknown_value contentType: must',
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
