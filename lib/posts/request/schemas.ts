import * as z from 'zod';
import { FreeForm, Id, orNull, recordById, typeMessage } from '../../api-contract/fields.ts';
import { bringNames } from '../../api-contract/unbuilt-fields.ts';
import { RequestedMediaItem, shapeFields } from '../../media/schemas.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { SnippetReferences } from '../../snippets/schemas.ts';
import { TagNames } from '../../tags/schemas.ts';
import { ChainStepKind } from '../stored/chain-schemas.ts';
import { DryRun, OnQuota } from '../view/schemas.ts';
import { broughtNames } from './brought-names.ts';
import { ExternalId, Metadata } from './labels.ts';

/** Limits for one request. */
export const maxTargets = 50;
export const maxMediaItems = 35;
export const maxCharacters = 100_000;
export const maxChainSteps = 5;

export const Content = z.string().max(maxCharacters);
export const MediaItems = z
  .array(bringNames(RequestedMediaItem, broughtNames.inMediaItem), typeMessage('a list of { type, url }'))
  .max(maxMediaItems);

/** A time of a post or a destination. */
const Time = z.string(typeMessage('an ISO 8601 date and time, as a string')).max(64);
const Timezone = z.string(typeMessage('the name of a time zone, as a string')).max(64);

/** The options of a destination. Only the rules of its platform check them, so that not every platform's schema is built. */
const PlatformSpecificData = FreeForm.meta({
  id: 'PlatformSpecificData',
  description:
    "Options of the destination's platform. An unknown name is ignored with a warning. In a post that goes live it is refused if it is close to the name of an option, or if the platform or another client has it and it is not supported",
});

const Entry = z
  .object(
    {
      accountId: Id,
      platform: Platform.optional().meta({ description: "If given, must match the account's platform" }),
      platformSpecificData: PlatformSpecificData.optional(),
      customContent: orNull(
        Content.optional().meta({ description: "Replaces the post's content on this destination" }),
      ),
      customMedia: orNull(
        MediaItems.optional().meta({ description: "Replaces the post's media on this destination" }),
      ),
      fit: orNull(shapeFields.fit),
      padColor: orNull(shapeFields.padColor),
      focalPoint: orNull(shapeFields.focalPoint),
      scheduledFor: orNull(Time.optional().meta({ description: 'Its own time', format: 'date-time' })),
    },
    typeMessage('an object such as { accountId }, with the id of an account from GET /v1/accounts'),
  )
  .meta({ id: 'PlatformEntry' });
export const PlatformEntry = bringNames(Entry, broughtNames.inEntry);
export type PlatformEntry = z.infer<typeof PlatformEntry>;

const PlatformEntries = z.array(PlatformEntry, typeMessage('a list of { accountId }')).max(maxTargets);

const Step = z
  .object(
    {
      kind: ChainStepKind,
      accountIds: z.array(Id).min(1).max(maxTargets).meta({
        description:
          'In a crossPost: neither a destination of the post nor an account of another crossPost, because that account would get the same text twice',
      }),
      afterMinutes: z.int().min(0).max(1_440).optional(),
      content: orNull(
        Content.optional().meta({ description: "Only for a followUp; a crossPost uses the post's own" }),
      ),
      mediaItems: MediaItems.optional().meta({ description: 'Only for a followUp' }),
      options: recordById(PlatformSpecificData)
        .optional()
        .meta({ description: 'platformSpecificData by account id' }),
    },
    typeMessage('an object such as { kind, accountIds }'),
  )
  .meta({ id: 'ChainStep' });
export const ChainStep = bringNames(Step, broughtNames.inStep);
export type ChainStep = z.infer<typeof ChainStep>;

const idempotencyKeyRule = z.string().min(1).max(255);

const CreatePost = z
  .object({
    platforms: PlatformEntries.optional(),
    content: Content.default(''),
    mediaItems: MediaItems.default([]),
    coverUrl: orNull(
      z
        .string()
        .max(2_048)
        .optional()
        .meta({ description: 'An image, as in `mediaItems[].url`: of this workspace, or to import' }),
    ),
    scheduledFor: orNull(
      Time.optional().meta({
        description:
          'ISO 8601; a time without an offset is local time in `timezone`. `auto`: the earliest slot within 90 days that fits the rhythms of all accounts, each in its own time zone, whatever `timezone` says; it is refused if every entry of `platforms` has its own time. Omit for a draft',
      }),
    ),
    publishNow: z.boolean().optional().meta({
      description:
        'If true, the post is due now. Cannot be combined with `scheduledFor` or `isDraft: true`, or if every entry of `platforms` has its own `scheduledFor`',
    }),
    isDraft: z.boolean().optional().meta({
      description:
        'If true, the post is a draft; it keeps the time in `scheduledFor`, and takes no slot. If false, it needs a time',
    }),
    timezone: Timezone.default('UTC'),
    onQuota: OnQuota.optional(),
    dryRun: DryRun.optional(),
    idempotencyKey: idempotencyKeyRule.optional(),
    chain: z.array(ChainStep).max(maxChainSteps).default([]),
    snippets: SnippetReferences.optional(),
    tags: TagNames.nullish(),
    metadata: Metadata.nullish(),
    externalId: ExternalId.nullish(),
    externalIdUnique: z.boolean().optional().meta({
      description:
        'If true, the reply is 409 if another post of the workspace has this `externalId`. A later request without it may still give the same id to another post',
    }),
  })
  .meta({ id: 'CreatePost' });
export const CreatePostBody = bringNames(CreatePost, broughtNames.atRoot);
export type CreatePostBody = z.infer<typeof CreatePostBody>;

const DuplicatePost = z
  .object({
    accountIds: z
      .array(Id)
      .min(1)
      .max(maxTargets)
      .optional()
      .meta({ description: 'Only these destinations of the post; all if absent' }),
    scheduledFor: orNull(
      CreatePostBody.shape.scheduledFor.meta({
        description:
          'The same as in the request to create a post. If absent, the duplicate is a draft without a time',
      }),
    ),
    publishNow: z.boolean().optional(),
    isDraft: z.boolean().optional(),
    timezone: Timezone.optional().meta({ description: "Default: the post's" }),
    dryRun: DryRun.optional(),
    idempotencyKey: idempotencyKeyRule.optional(),
  })
  .meta({ id: 'DuplicatePost' });
/** The differences of a duplicate from its post. */
export const DuplicatePostBody = bringNames(DuplicatePost, broughtNames.inDuplicate);
export type DuplicatePostBody = z.infer<typeof DuplicatePostBody>;

const EditPost = z
  .object({
    content: Content.optional(),
    mediaItems: MediaItems.optional(),
    platforms: PlatformEntries.min(1).optional(),
    coverUrl: z.string().max(2_048).nullable().optional().meta({ description: 'null removes the cover' }),
    scheduledFor: Time.nullable().optional().meta({
      description:
        'The same as in the request to create a post; null makes it a draft without a time. If absent, and every entry of `platforms` has its own time, the earliest of these becomes the time of the post, unless the post has its own',
    }),
    publishNow: z.boolean().optional().meta({
      description:
        'If true, the post is due now. Cannot be combined with `scheduledFor` or `isDraft: true`, or if every entry of `platforms` has its own `scheduledFor`',
    }),
    isDraft: z.boolean().optional().meta({
      description:
        'If true, the post becomes or stays a draft, and keeps its time. If false, a draft is scheduled for its time',
    }),
    timezone: Timezone.optional(),
    onQuota: OnQuota.optional(),
    ifVersion: z.int().min(1).optional().meta({
      description:
        'Change the post only if `approval.version` is still this; otherwise the reply is 409. Needed to decide about a draft: to decline it, or to schedule it while its approval is not `approved`',
    }),
    decline: z
      .object({
        note: z.string().max(1_000).optional().meta({ description: 'The reason, for whoever proposed it' }),
      })
      .optional()
      .meta({ description: 'Declines a draft that waits for approval. It stays a draft' }),
    dryRun: DryRun.optional(),
    chain: z
      .array(ChainStep)
      .max(maxChainSteps)
      .nullish()
      .meta({ description: 'Replaces the chain; null removes it' }),
    snippets: SnippetReferences.optional().meta({
      description: 'The same as in the request to create a post. It needs `content`, to which they are added',
    }),
    tags: TagNames.nullish().meta({
      description:
        'Replaces all tags; null removes them. A request that changes nothing else is possible in every state of the post, and changes nothing at a platform',
    }),
    metadata: Metadata.nullish().meta({ description: 'Replaces all pairs; null removes them' }),
    externalId: ExternalId.nullish().meta({ description: 'null removes it' }),
    externalIdUnique: z
      .boolean()
      .optional()
      .meta({ description: 'The same as in the request to create a post; false ends the claim' }),
  })
  .meta({ id: 'EditPost' });
/** A change of a post. Absent fields keep their values. */
export const EditPostBody = bringNames(EditPost, broughtNames.atRoot);
export type EditPostBody = z.infer<typeof EditPostBody>;
