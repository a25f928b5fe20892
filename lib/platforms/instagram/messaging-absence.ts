import type { AbsenceRule } from '../contract/last-call.ts';
import type { MessagingCall } from '../contract/messaging.ts';
import { listLookups } from '../shared/find-listed.ts';

/**
 * For all three calls. `callSeconds` is the default limit of a call (`lib/platforms/shared/http.ts`).
 */
const listed = { ...listLookups, callSeconds: 20, processingSeconds: 0 } as const;

/** What follows if a reply or message leaves no trace, by kind of call. */
export const messagingAbsence: Readonly<Record<MessagingCall, AbsenceRule>> = {
  /** Instagram accepts the same reply to the same comment any number of times. */
  'public reply': { ...listed, where: 'the replies to the comment on Instagram' },
  /**
   * "Only one message can be sent to the commenter" (Private Replies, Limitations). Instagram refuses the second with
   * 100/2534025, which is also its answer if the comment is too old or gone.
   */
  'private reply': {
    ...listed,
    usedOnce: 'Instagram accepts one private reply per comment',
    where: 'the conversation with the person on Instagram',
  },
  message: { ...listed, where: 'the conversation with the person on Instagram' },
};
