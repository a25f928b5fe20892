import type { AbsenceRule } from '../contract/last-call.ts';
import { containerAbsence } from '../shared/meta/container-calls.ts';
import type { PostKind } from './options.ts';

/**
 * The rules for giving up the outcome of a `media_publish` call as unknown, by kind of post. {@link containerAbsence}
 * has the sources, and the reason why there is no `usedOnce`.
 */
export const absenceRules: Readonly<Record<PostKind, AbsenceRule>> = {
  image: containerAbsence("the account's profile on Instagram"),
  carousel: containerAbsence("the account's profile on Instagram"),
  // With `share_to_feed=false` only this tab shows it.
  reel: containerAbsence("the reels on the account's profile on Instagram"),
  // Shown there for 24 hours. After that only the account's owner can see it.
  story: containerAbsence("the account's stories on Instagram, or its stories archive"),
};
