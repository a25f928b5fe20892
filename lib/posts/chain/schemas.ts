import * as z from 'zod';
import type { LifeCycle } from '../../kernel/life-cycle.ts';
import { MediaReference } from '../../media/schemas.ts';

export const ChainStepKind = z.enum(['followUp', 'crossPost']);

const ChainStepStatus = z.enum(['waiting', 'fired', 'failed']);

/** Every move a step may make; one that waits is shown as `skipped` while its post has failed. */
export const chainStepLifeCycle: LifeCycle<z.infer<typeof ChainStepStatus>> = {
  waiting: ['fired', 'failed'],
  fired: [],
  failed: [],
};

/** A step of a post's chain as the table keeps it, on the post. */
export const StoredChainStep = z.object({
  kind: ChainStepKind,
  accountIds: z.array(z.uuid()),
  /** Counted from the moment at which the post's first target went live. */
  afterMinutes: z.int(),
  content: z.string().optional(),
  mediaItems: z.array(MediaReference).optional(),
  /** `platformSpecificData` by account id, as JSON text: the table cannot hold every JSON there is. */
  options: z.string(),
  status: ChainStepStatus,
  /** The post it became. */
  postId: z.uuid().optional(),
  /** Why it could not become one. */
  error: z.string().optional(),
});
export type StoredChainStep = z.infer<typeof StoredChainStep>;

export const ChainStepView = z
  .object({
    kind: ChainStepKind,
    status: z.enum(['waiting', 'fired', 'skipped', 'failed']).meta({
      description: '`skipped` while all destinations of the post have failed; a retry lets it wait again',
    }),
    postId: z.uuid().nullable().meta({ description: 'The post it became, with a life of its own' }),
    error: z.string().nullable().meta({ description: 'Why it could not become a post' }),
  })
  .meta({ id: 'PostChainStep' });
export type ChainStepView = z.infer<typeof ChainStepView>;

/** What the chain queue carries: whose chain may have to begin. Never its state: the consumer reads that. */
export const ChainMessage = z.object({ workspaceId: z.uuid(), postId: z.uuid() });
export type ChainMessage = z.infer<typeof ChainMessage>;
