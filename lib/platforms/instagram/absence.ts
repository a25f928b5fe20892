import type { AbsenceRule } from '../contract/last-call.ts';
import type { MessagingCall } from '../contract/messaging.ts';
import { listLookups } from '../shared/find-listed.ts';
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

/** The rule that all three calls of messaging share. `callSeconds` is the default limit of a call (`lib/platforms/shared/http.ts`). */
const listed = { ...listLookups, callSeconds: 20, processingSeconds: 0 } as const;

/** The rules for a reply or message that leaves no trace, by kind of call. */
export const messagingAbsence: Readonly<Record<MessagingCall, AbsenceRule>> = {
  /** Not `usedOnce`: Instagram accepts the same reply to the same comment any number of times. */
  'public reply': { ...listed, where: 'the replies to the comment on Instagram' },
  /**
   * "Only one message can be sent to the commenter" (Private Replies, Limitations). Instagram refuses a second message
   * with 100/2534025. It sends the same code if the comment is too old or gone.
   */
  'private reply': {
    ...listed,
    usedOnce: 'Instagram accepts one private reply per comment',
    where: 'the conversation with the person on Instagram',
  },
  message: { ...listed, where: 'the conversation with the person on Instagram' },
};
