import * as z from 'zod';
import { FreeForm } from '../../api-contract/fields.ts';
import type { MediaReference } from '../../media/schemas.ts';
import type { PostDraft } from '../request/check-shape.ts';
import type { StoredChainStep } from './schemas.ts';

/** What a step takes from the post that it belongs to. */
export interface ChainParent {
  readonly content: string;
  readonly mediaItems: readonly MediaReference[];
  readonly cover?: MediaReference | undefined;
  readonly timezone: string;
}

/**
 * The post that a step becomes, as if a client had asked for it. It has no chain of its own.
 *
 * @param dueMs when it is to go live, in epoch milliseconds
 */
export function stepPost(step: StoredChainStep, parent: ChainParent, dueMs: number): PostDraft {
  const { content, mediaItems, cover } = step.kind === 'crossPost' ? parent : { cover: undefined, ...step };
  const options = stepOptions(step);
  const destinations = step.accountIds.map((accountId) => ({
    entry: { accountId, platformSpecificData: options[accountId] ?? {} },
  }));
  return {
    body: { content: content ?? '', mediaItems: [], timezone: parent.timezone, chain: [] },
    dueMs,
    isScheduled: true,
    mediaItems: mediaItems ?? [],
    ...(cover && { cover }),
    destinations,
    chain: [],
  };
}

/** The posts that a draft's chain would become; when does not matter yet. */
export function stepPosts(draft: PostDraft): PostDraft[] {
  const { body, mediaItems, cover, dueMs = 0 } = draft;
  const parent = { content: body.content, mediaItems, cover, timezone: body.timezone };
  return draft.chain.map((step) => stepPost(step, parent, dueMs));
}

/** `platformSpecificData` by account id. */
export function stepOptions({ options }: StoredChainStep) {
  return z.record(z.string(), FreeForm).parse(JSON.parse(options));
}
