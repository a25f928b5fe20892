import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Action } from './actions.ts';
import type { Draft } from './draft.ts';
import { keys, type Placed } from './places.ts';

/**
 * Returns the action that changes the shape of the picture that a finding is about; `undefined` if the draft no longer has it. For a
 * cover, only its destination can say the shape. Pure.
 */
export function fitAction(
  { media, destinations, chain }: Draft,
  { place: { key, file }, accountId }: Placed,
  fit: 'pad' | 'crop',
): Action | undefined {
  const shaped = (files: readonly DraftMedia[]) =>
    files.map((each, index) => (index === file ? { ...each, shape: { ...each.shape, fit } } : each));
  if (key === keys.media) return { do: 'attach', media: shaped(media) };
  const owner = destinations.find((each) => keys.ownMedia(each.accountId) === key);
  if (owner?.media)
    return { do: 'override', accountId: owner.accountId, changes: { media: shaped(owner.media) } };
  const step = chain.find((each) => keys.step(each.key, 'media') === key);
  if (step) return { do: 'editStep', key: step.key, changes: { media: shaped(step.media) } };
  const destination = destinations.find((each) => each.accountId === accountId);
  return (
    destination && {
      do: 'override',
      accountId: destination.accountId,
      changes: { shape: { ...destination.shape, fit } },
    }
  );
}
