import type { Target } from '../../targets/schemas.ts';
import { firstChainWake } from '../chain/wake.ts';
import { storedMetadata } from '../metadata.ts';
import type { PostDraft } from '../request/check-shape.ts';
import type { Post } from '../schemas.ts';
import { type MediaLookup, withType } from './problems.ts';

/** Plans the chain of a post, with the time of the sweep's first check. Pure. */
export function planChain(
  { chain }: PostDraft,
  targets: readonly Target[],
  media: MediaLookup,
): Pick<Post, 'chain' | 'chainWakeAt'> {
  if (chain.length === 0) return {};
  const chainWakeAt = firstChainWake(targets);
  const steps = chain.map(({ mediaItems, ...step }) => ({
    ...step,
    ...(mediaItems && { mediaItems: mediaItems.map((reference) => withType(reference, media)) }),
  }));
  return { chain: steps, ...(chainWakeAt !== undefined && { chainWakeAt }) };
}

/** Plans the labels that a client has attached to a post. Pure. */
export function planLabels({
  body: { metadata, externalId, externalIdUnique },
}: PostDraft): Pick<Post, 'metadata' | 'externalId' | 'externalIdUnique'> {
  const stored = storedMetadata(metadata);
  return {
    ...(stored !== undefined && { metadata: stored }),
    ...(typeof externalId === 'string' && { externalId }),
    ...(externalIdUnique && { externalIdUnique }),
  };
}
