import type { RequestedReference } from '../../media/schemas.ts';
import { metadataOf, stepOptions } from '../stored/json-fields.ts';
import type { OnQuota } from '../view/schemas.ts';
import type { RequestedChainStep } from './check-chain.ts';
import type { PostDraft } from './check-shape.ts';

/** The fields that a step takes from the post of its chain. */
export interface ChainParent {
  readonly content: string;
  readonly mediaItems: readonly RequestedReference[];
  readonly cover?: RequestedReference | undefined;
  readonly timezone: string;
  readonly onQuota?: OnQuota | undefined;
  /** The metadata, as stored on the post. */
  readonly metadata?: string | undefined;
  readonly tagIds?: readonly number[] | undefined;
}

/**
 * Converts a step to the draft of its post, as if a client had requested it. The draft has no chain.
 *
 * @param dueMs the time at which the post should go live, in epoch milliseconds
 */
export function stepPost(step: RequestedChainStep, parent: ChainParent, dueMs: number): PostDraft {
  const { content, mediaItems, cover } = step.kind === 'crossPost' ? parent : { cover: undefined, ...step };
  const options = stepOptions(step);
  const destinations = step.accountIds.map((accountId) => ({
    entry: { accountId, platformSpecificData: options[accountId] ?? {} },
  }));
  return {
    body: {
      content: content ?? '',
      mediaItems: [],
      timezone: parent.timezone,
      onQuota: parent.onQuota,
      metadata: metadataOf(parent),
      chain: [],
    },
    dueMs,
    isScheduled: true,
    mediaItems: mediaItems ?? [],
    ...(cover && { cover }),
    ...(parent.tagIds && { tagIds: parent.tagIds }),
    destinations,
    chain: [],
  };
}

/** Converts all steps of a draft's chain to drafts, to check them. Their times do not matter yet. */
export function stepPosts(draft: PostDraft): PostDraft[] {
  const { body, mediaItems, cover, dueMs = 0 } = draft;
  const { content, timezone, onQuota } = body;
  const parent = { content, mediaItems, cover, timezone, onQuota };
  return draft.chain.map((step) => stepPost(step, parent, dueMs));
}
