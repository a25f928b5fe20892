import * as z from 'zod';
import { ActorReference } from '../../access/actor.ts';
import { UnbuiltField } from '../../api-contract/unbuilt-fields.ts';
import { storedTimezone } from '../../kernel/time-zone.ts';
import { MediaReference } from '../../media/schemas.ts';
import { CallRecord } from '../../platforms/contract/last-call.ts';
import { TargetSummary } from '../../targets/schemas.ts';
import { PostStatus } from '../../targets/state.ts';
import { StoredChainStep } from './chain-schemas.ts';

export const ApprovalState = z.enum(['waiting', 'approved', 'declined']).meta({
  id: 'ApprovalState',
  description:
    '`waiting`: somebody who may not publish proposes the draft, for the time in `scheduledFor` if it has one. `approved`: somebody has scheduled it. `declined`: it stays a draft; the next change by a key that may only draft proposes it again',
});
export type ApprovalState = z.infer<typeof ApprovalState>;

/**
 * The approval of a draft: requested by an actor that may not publish, decided by one that may. A post that waits for approval, or
 * was declined, is a draft; its proposed time is its own `scheduledFor`.
 */
export const Approval = z.object({
  state: ApprovalState,
  /** The time of the latest change by the one who asks. */
  requestedAt: z.string(),
  requestedBy: ActorReference,
  decidedAt: z.string().optional(),
  decidedBy: ActorReference.optional(),
  /** The reason for declining. */
  note: z.string().optional(),
});
export type Approval = z.infer<typeof Approval>;

/** A post, as stored. `status` and `targets` are copies of the targets' own items, for lists. */
export const Post = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  content: z.string(),
  mediaItems: z.array(MediaReference),
  cover: MediaReference.optional(),
  status: PostStatus,
  scheduledFor: z.string().optional(),
  timezone: z.string().overwrite(storedTimezone),
  /** The reaction to a daily limit. Absent: `wait`. */
  onQuota: z.literal('fail').exactOptional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  targets: z.array(TargetSummary),
  /**
   * The results of all targets when all were last settled. Kept while failed targets are retried. A change of this field
   * triggers a webhook event.
   */
  settledResult: z.string().optional(),
  /**
   * The time at which the post and everything that belongs to it expires; absent while a target waits, and if posts are kept for
   * ever.
   */
  expiresAtSeconds: z.int().optional(),
  /** Incremented by every write of this item. */
  version: z.int(),
  chain: z.array(StoredChainStep).optional(),
  /** The time of the sweep's next check whether the chain has to start; absent if no step waits. */
  chainWakeAt: z.string().optional(),
  /** The number of checks that were due although a target was live. */
  chainTries: z.int().optional(),
  /** The post of the chain in which this one is a step. */
  parentPostId: z.uuid().optional(),
  /** The client's own pairs, as JSON text: see `json-fields.ts`. Absent: none. */
  metadata: z.string().optional(),
  externalId: z.string().optional(),
  /** True if the post claims its external id. No two posts with a claim have the same one. */
  externalIdUnique: z.literal(true).exactOptional(),
  /** The tags of the workspace that it has: see `lib/tags`. An earlier release drops them when it changes the post. */
  tagIds: z.array(z.int()).optional(),
  /** The fields of a draft's requests that are not built. It cannot be scheduled until a change has dealt with them. */
  unbuilt: z.array(UnbuiltField).optional(),
  /** Absent if nobody asked for approval. An earlier release drops it when it changes the post, which then is an ordinary draft. */
  approval: Approval.optional(),
  /** The last calls of targets that a change has removed, by account. A target that another change brings back has them again. */
  removedCalls: z.record(z.string(), z.array(CallRecord)).optional(),
  /** Digest of all that the search finds the post by: see `searchDigest`. Absent in posts that an earlier release has written. */
  searchDigest: z.string().optional(),
  /** Digest of the idempotency key. Deleting the post also deletes the key's record. */
  idempotencyDigest: z.string().optional(),
});
export type Post = z.infer<typeof Post>;

/** Returns a post as the audit log names it. */
export const subjectOf = ({ id, content }: Pick<Post, 'id' | 'content'>) => ({ id, name: content });
