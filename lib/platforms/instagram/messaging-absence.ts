import type { AbsenceRule } from '../contract/last-call.ts';
import type { MessagingCall } from '../contract/messaging.ts';

/**
 * For all three calls. `callSeconds` is the default limit of a call (`lib/platforms/shared/http.ts`). Instagram documents
 * no lag of its lists; these numbers are our judgement.
 */
const listed = {
  callSeconds: 20,
  readLagSeconds: 120,
  lookups: 3,
  gapSeconds: 60,
  processingSeconds: 0,
} as const;

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
