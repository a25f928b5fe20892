import * as z from 'zod';
import { ChainStepKind, ChainStepView, StoredChainStep } from '../chains/schemas.ts';
import { FreeForm, Id, Timestamp } from '../http/fields.ts';
import { MediaItem, MediaReference } from '../media/schemas.ts';
import { Platform } from '../platforms/names.ts';
import { TargetSummary } from '../targets/schemas.ts';
import { PostStatus } from './state.ts';

/** The most that one request may ask for. */
export const mostTargets = 50;
export const mostMediaItems = 35;
export const mostCharacters = 100_000;
export const mostChainSteps = 5;

const Content = z.string().max(mostCharacters);
const MediaItems = z.array(MediaItem).max(mostMediaItems);

/** A field that clients of other APIs send and that means something we do not do: taking it silently would publish the wrong thing. */
const notBuilt = z.undefined('is not supported; leave it out');

export const PlatformEntry = z
  .object({
    accountId: Id,
    platform: Platform.optional().meta({ description: "Checked against the account's platform where given" }),
    platformSpecificData: FreeForm.optional(),
    customContent: Content.optional().meta({ description: "Takes the place of the post's content here" }),
    customMedia: MediaItems.optional().meta({ description: "Takes the place of the post's media here" }),
    scheduledFor: z.string().max(64).optional().meta({ description: 'Its own time', format: 'date-time' }),
  })
  .meta({ id: 'PlatformEntry' });
export type PlatformEntry = z.infer<typeof PlatformEntry>;

export const ChainStep = z
  .object({
    kind: ChainStepKind,
    accountIds: z.array(Id).min(1).max(mostTargets),
    afterMinutes: z.int().min(0).max(1_440).optional(),
    content: Content.optional().meta({ description: "Of a followUp; a crossPost takes the post's own" }),
    mediaItems: MediaItems.optional().meta({ description: 'Of a followUp' }),
    options: z
      .record(z.string(), FreeForm)
      .optional()
      .meta({ description: 'platformSpecificData by account id' }),
  })
  .meta({ id: 'ChainStep' });
export type ChainStep = z.infer<typeof ChainStep>;

const idempotencyKeyRule = z.string().min(1).max(255);

export const CreatePostBody = z
  .object({
    platforms: z.array(PlatformEntry).max(mostTargets).optional(),
    content: Content.default(''),
    mediaItems: MediaItems.default([]),
    coverUrl: z
      .string()
      .max(2_048)
      .optional()
      .meta({ description: '`publicUrl` of an image of this workspace' }),
    scheduledFor: z.string().max(64).optional().meta({
      description:
        'ISO 8601; without an offset it is read in `timezone`. `auto`: the earliest slot within 90 days that fits the rhythms of all channels. Omit for a draft',
    }),
    publishNow: z.boolean().optional(),
    isDraft: z.boolean().optional(),
    timezone: z.string().max(64).default('UTC'),
    idempotencyKey: idempotencyKeyRule.optional(),
    chain: z.array(ChainStep).max(mostChainSteps).default([]),
    ...Object.fromEntries(
      [
        'queueId',
        'queuedFromProfile',
        'recurrence',
        'recycling',
        'title',
        'tags',
        'hashtags',
        'mentions',
        'tiktokSettings',
      ].map((field) => [field, notBuilt.optional()]),
    ),
  })
  .meta({ id: 'CreatePost' });
export type CreatePostBody = z.infer<typeof CreatePostBody>;

/** A change of a post: what is absent stays as it is. */
export const EditPostBody = z
  .object({
    content: Content.optional(),
    mediaItems: MediaItems.optional(),
    platforms: z.array(PlatformEntry).min(1).max(mostTargets).optional(),
    coverUrl: z.string().max(2_048).nullable().optional().meta({ description: 'null takes the cover away' }),
    scheduledFor: z
      .string()
      .max(64)
      .nullable()
      .optional()
      .meta({ description: 'As when creating; null makes it a draft' }),
    timezone: z.string().max(64).optional(),
    chain: z.array(ChainStep).max(mostChainSteps).optional(),
  })
  .meta({ id: 'EditPost' });
export type EditPostBody = z.infer<typeof EditPostBody>;

export const PostTarget = z
  .object({
    platform: Platform,
    accountId: z.uuid(),
    status: PostStatus,
    scheduledFor: Timestamp.nullable(),
    platformPostId: z.string().nullable().meta({ description: 'Null until the target goes live' }),
    permalink: z.string().nullable(),
    error: z.string().nullable(),
    publishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'PostTarget' });
export type PostTarget = z.infer<typeof PostTarget>;

export const PostView = z
  .object({
    _id: z.uuid(),
    id: z.uuid().meta({ description: 'The same id as `_id`' }),
    content: z.string(),
    status: PostStatus,
    scheduledFor: Timestamp.nullable(),
    timezone: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mediaItems: z.array(MediaItem),
    coverUrl: z.string().nullable(),
    platforms: z.array(PostTarget),
    chain: z.array(ChainStepView),
    parentPostId: z.uuid().nullable().meta({ description: 'The post whose chain this one is a step of' }),
  })
  .meta({ id: 'Post' });
export type PostView = z.infer<typeof PostView>;

/** A post as the table keeps it. `status` and `targets` follow the targets' own items, for lists. */
export const Post = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  content: z.string(),
  mediaItems: z.array(MediaReference),
  cover: MediaReference.optional(),
  status: PostStatus,
  scheduledFor: z.string().optional(),
  timezone: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  targets: z.array(TargetSummary),
  /** Raised by every write of this item. */
  version: z.int(),
  chain: z.array(StoredChainStep).optional(),
  /** When the sweep asks whether the chain has to begin, while a step waits. */
  chainWakeAt: z.string().optional(),
  /** The post whose chain this one is a step of. */
  parentPostId: z.uuid().optional(),
  /** Set off the idempotency record with the post when it is deleted. */
  idempotencyDigest: z.string().optional(),
});
export type Post = z.infer<typeof Post>;
