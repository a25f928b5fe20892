import { referenceTo } from '../../../lib/access/actor.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { mediaTypeOf } from '../../../lib/media/types.ts';
import { publicUrl } from '../../../lib/media/urls.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { createPost, type PostsContext } from '../../../lib/posts/create.ts';
import { CreatePostBody } from '../../../lib/posts/request/schemas.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeAccount, storeMedia } from '../../support/builders.ts';

export const mediaBaseUrl = 'https://media.example.com';

export const inOneHour = '2026-03-01T13:00:00.000Z';

export const mediaItem = ({ contentType, objectKey }: Media) => ({
  type: mediaTypeOf(contentType),
  url: publicUrl(mediaBaseUrl, objectKey),
});

/** A workspace with three Instagram accounts and a YouTube account, an image and a video, and functions that make requests. */
export async function openFixture(table: Table, now = startMs) {
  const { context: base } = await openWorkspace(table, { now });
  const dailyLimits = dailyLimitsOf({});
  const context: PostsContext = { ...base, mediaBaseUrl, rulesFor, stageFeatures: {}, dailyLimits };
  const { workspaceId } = context;
  const uploadedBy = referenceTo(base.actor);
  const [instagram, second, third, youtube, image, video] = await Promise.all([
    storeAccount(table, workspaceId),
    storeAccount(table, workspaceId, { platformAccountId: '17841400000000002' }),
    storeAccount(table, workspaceId, { platformAccountId: '17841400000000003' }),
    storeAccount(table, workspaceId, { platform: 'youtube', platformAccountId: 'UC1' }),
    storeMedia(table, workspaceId, { uploadedBy }),
    storeMedia(table, workspaceId, { uploadedBy, filename: 'video.mp4', contentType: 'video/mp4' }),
  ]);
  /** The default request: a post with an image to Instagram. */
  const body = (changes: object = {}): CreatePostBody =>
    CreatePostBody.parse({
      content: 'Hello',
      platforms: [{ accountId: instagram.id }],
      mediaItems: [mediaItem(image)],
      ...changes,
    });
  return {
    context,
    instagram,
    second,
    third,
    youtube,
    image,
    video,
    body,
    create: (changes?: object, idempotency: object = {}, at = now) =>
      createPost({ ...context, now: at }, body(changes), { rawBody: '{}', ...idempotency }),
  };
}

/** Returns the refused fields as `field: message`. Throws if nothing was refused. */
export async function refusalsOf(attempt: Promise<unknown>): Promise<string[]> {
  const error = await attempt.then(
    () => new Error('the request was accepted'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HeraldError) || error.kind !== 'invalid') throw error;
  return Object.entries(error.fields ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => `${field}: ${message}`),
  );
}
