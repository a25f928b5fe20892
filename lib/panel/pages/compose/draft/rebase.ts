import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Draft } from './draft.ts';
import { isSame } from './to-request.ts';

/** The parts of a draft that two people may change at the same time. */
const parts = [
  'content',
  'media',
  'cover',
  'frameMs',
  'firstComment',
  'destinations',
  'when',
  'chain',
  'onQuota',
  'externalId',
  'isExternalIdUnique',
  'metadata',
  'tags',
] as const;
export type Part = (typeof parts)[number];

/**
 * Puts a person's changes on what the post has become meanwhile. Where both have changed a part, the person's is kept and named.
 *
 * @param before the post as the person's changes began
 */
export function rebase(
  before: Draft,
  mine: Draft,
  theirs: Draft,
): { readonly draft: Draft; readonly conflicts: readonly Part[] } {
  const [first, own, other] = [asChosen(before), asChosen(mine), asChosen(theirs)];
  const isMine = (part: Part) => !isSame(first[part], own[part]);
  const conflicts = parts.filter(
    (part) => isMine(part) && !isSame(first[part], other[part]) && !isSame(own[part], other[part]),
  );
  const kept = Object.fromEntries(parts.filter(isMine).map((part) => [part, mine[part]]));
  return { draft: { ...theirs, parked: mine.parked, ...kept } as Draft, conflicts };
}

/** Returns true if a person would see no difference between two drafts. Facts that are found out about their files make none. */
export const isSameDraft = (one: Draft, other: Draft): boolean => isSame(asChosen(one), asChosen(other));

/** A draft without what nobody has chosen: the facts of its files. */
function asChosen(draft: Draft): Draft {
  const { media, cover, destinations, chain } = draft;
  return {
    ...draft,
    media: media.map(withoutFacts),
    ...(cover !== undefined && { cover: withoutFacts(cover) }),
    destinations: destinations.map((each) =>
      each.media === undefined ? each : { ...each, media: each.media.map(withoutFacts) },
    ),
    chain: chain.map((step) => ({ ...step, media: step.media.map(withoutFacts) })),
  };
}

const withoutFacts = ({
  mediaId: _mediaId,
  sizeBytes: _sizeBytes,
  widthPixels: _widthPixels,
  heightPixels: _heightPixels,
  durationMs: _durationMs,
  ...chosen
}: DraftMedia): DraftMedia => chosen;
