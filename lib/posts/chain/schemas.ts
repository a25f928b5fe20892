import * as z from 'zod';
import { FreeForm } from '../../api-contract/fields.ts';
import type { LifeCycle } from '../../kernel/life-cycle.ts';
import { MediaItem, MediaReference, type RequestedReference } from '../../media/schemas.ts';

export const ChainStepKind = z.enum(['followUp', 'crossPost']).meta({ id: 'ChainStepKind' });

const ChainStepStatus = z.enum(['waiting', 'fired', 'failed']);

/** All moves that a step may make. A waiting step is shown as `skipped` while its post is `failed`. */
export const chainStepLifeCycle: LifeCycle<z.infer<typeof ChainStepStatus>> = {
  waiting: ['fired', 'failed'],
  fired: [],
  failed: [],
};

/** A step of a chain, as stored on its post. */
export const StoredChainStep = z.object({
  kind: ChainStepKind,
  accountIds: z.array(z.uuid()),
  /** Minutes after the post's first target went live. */
  afterMinutes: z.int(),
  content: z.string().optional(),
  mediaItems: z.array(MediaReference).optional(),
  /** `platformSpecificData` by account id, as JSON text, because DynamoDB cannot hold all valid JSON. */
  options: z.string(),
  status: ChainStepStatus,
  /** The post that the step became. */
  postId: z.uuid().optional(),
  /** The reason that the step could not become a post. */
  error: z.string().optional(),
});
export type StoredChainStep = z.infer<typeof StoredChainStep>;

/** A step before the records of its files were read. */
export type RequestedChainStep = Omit<StoredChainStep, 'mediaItems'> & {
  readonly mediaItems?: readonly RequestedReference[] | undefined;
};

export const ChainStepView = z
  .object({
    kind: ChainStepKind,
    status: z.enum(['waiting', 'fired', 'skipped', 'failed']).meta({
      description:
        '`skipped` while all destinations of the post have failed; after a retry it is `waiting` again',
    }),
    postId: z.uuid().nullable().meta({
      description:
        'The post that the step became, independent of this one. If it is deleted, the step stays `fired` and keeps this id',
    }),
    error: z.string().nullable().meta({ description: 'Reason why the step could not become a post' }),
    accountIds: z.array(z.uuid()),
    afterMinutes: z.int().meta({ description: "Minutes after the post's first destination went live" }),
    content: z.string().nullable().meta({ description: "Null for a crossPost, which uses the post's own" }),
    mediaItems: z.array(MediaItem),
    options: z.record(z.string(), FreeForm).meta({ description: 'platformSpecificData by account id' }),
  })
  .meta({ id: 'PostChainStep' });
export type ChainStepView = z.infer<typeof ChainStepView>;

/** A message of the chain queue: the chain to check. It carries no state, because the consumer reads it. */
export const ChainMessage = z.object({ workspaceId: z.uuid(), postId: z.uuid() });
export type ChainMessage = z.infer<typeof ChainMessage>;
