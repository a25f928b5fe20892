import * as z from 'zod';
import type { LifeCycle } from '../../kernel/life-cycle.ts';
import { MediaReference } from '../../media/schemas.ts';

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

/** A message of the chain queue: the chain to check. It carries no state, because the consumer reads it. */
export const ChainMessage = z.object({ workspaceId: z.uuid(), postId: z.uuid() });
export type ChainMessage = z.infer<typeof ChainMessage>;
