import * as z from 'zod';
import { FreeForm, Id } from '../../api-contract/fields.ts';
import { MediaItem } from '../../media/schemas.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { ChainStepKind } from '../chain/schemas.ts';

/** The most that one request may ask for. */
export const mostTargets = 50;
export const mostMediaItems = 35;
export const mostCharacters = 100_000;
export const mostChainSteps = 5;

const Content = z.string().max(mostCharacters);
const MediaItems = z.array(MediaItem).max(mostMediaItems);

/** A field that clients of other APIs send and that means something we do not do: taking it silently would publish the wrong thing. */
const notBuilt = z.undefined('is not supported; leave it out');

/** Looked into by the rules of the destination's platform alone, so that one platform's schema is built and not all. */
const PlatformSpecificData = FreeForm.meta({
  id: 'PlatformSpecificData',
  description: "Options of the destination's platform; keys that it does not know are left alone",
});

export const PlatformEntry = z
  .object({
    accountId: Id,
    platform: Platform.optional().meta({ description: "Checked against the account's platform where given" }),
    platformSpecificData: PlatformSpecificData.optional(),
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
      .record(z.string(), PlatformSpecificData)
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
