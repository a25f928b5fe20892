import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';
import type { MessagingLimits } from '../../platforms/contract/messaging.ts';
import type { AutomationAction, MessageAction } from '../schemas.ts';

/** The recorded time of a person's last message may be a little late. */
const windowReserveMs = minuteMs;

/** After this time nobody expects a public reply. */
const latestReplyMs = 7 * dayMs;

/**
 * Until when what an action sends next is accepted, in epoch milliseconds: a public reply and a private reply for some days
 * after the comment, another message for some hours after the person's last answer. Pure.
 */
export function windowEndMs(
  action: AutomationAction,
  limits: Pick<MessagingLimits, 'privateReplyDays' | 'windowHours'>,
): number {
  if (action.kind === 'automationReply') return Date.parse(action.createdAt) + latestReplyMs;
  if (action.stage === 'opening') return Date.parse(action.createdAt) + limits.privateReplyDays * dayMs;
  return answerWindowEndMs(action, limits);
}

/** Until when another message is accepted, in epoch milliseconds; `-Infinity` if the person has never answered. Pure. */
export function answerWindowEndMs(
  { lastHeardAt }: Pick<MessageAction, 'lastHeardAt'>,
  { windowHours }: Pick<MessagingLimits, 'windowHours'>,
): number {
  if (lastHeardAt === undefined) return Number.NEGATIVE_INFINITY;
  return Date.parse(lastHeardAt) + windowHours * hourMs - windowReserveMs;
}
