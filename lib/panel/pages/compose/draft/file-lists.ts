import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Draft } from './draft.ts';
import { keys } from './places.ts';

export type Files = readonly DraftMedia[];

/**
 * The files that a field of a draft has: the shared ones, or those of an account or of a step.
 *
 * @param key the key of the field
 * @returns `undefined` if the draft has no such list, such as one of an account that inherits
 */
export function filesOf({ media, destinations, chain }: Draft, key: string): Files | undefined {
  if (key === keys.media) return media;
  return (
    destinations.find(({ accountId }) => keys.ownMedia(accountId) === key)?.media ??
    chain.find((step) => keys.step(step.key, 'media') === key)?.media
  );
}

/** The draft with other files in a list that it has. Pure. */
export function withFiles(draft: Draft, key: string, media: Files): Draft {
  if (key === keys.media) return { ...draft, media };
  return {
    ...draft,
    destinations: draft.destinations.map((each) =>
      keys.ownMedia(each.accountId) === key ? { ...each, media } : each,
    ),
    chain: draft.chain.map((step) => (keys.step(step.key, 'media') === key ? { ...step, media } : step)),
  };
}
