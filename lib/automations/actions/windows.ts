import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';
import type { MessagingLimits } from '../../platforms/contract/messaging.ts';
import type { AutomationAction, MessageAction } from '../schemas.ts';

/** The safety margin of the window: the recorded time of a person's last message may be a little late. */
const windowReserveMs = minuteMs;

/** The time limit for a public reply. Nobody expects one later. */
const latestReplyMs = 7 * dayMs;

/**
 * Returns the time until which the platform accepts an action's next message, in epoch milliseconds: a public reply and a private
 * reply for some days after the comment, another message for some hours after the person's last answer. Pure.
 */
export function windowEndMs(
  action: AutomationAction,
  limits: Pick<MessagingLimits, 'privateReplyDays' | 'windowHours'>,
): number {
  if (action.kind === 'automationReply') return Date.parse(action.createdAt) + latestReplyMs;
  if (action.stage === 'opening') return Date.parse(action.createdAt) + limits.privateReplyDays * dayMs;
  return answerWindowEndMs(action, limits);
}

/**
 * Returns the time until which another message is accepted, in epoch milliseconds; `-Infinity` if the person has never answered.
 * Pure.
 */
export function answerWindowEndMs(
  { lastHeardAt }: Pick<MessageAction, 'lastHeardAt'>,
  { windowHours }: Pick<MessagingLimits, 'windowHours'>,
): number {
  if (lastHeardAt === undefined) return Number.NEGATIVE_INFINITY;
  return Date.parse(lastHeardAt) + windowHours * hourMs - windowReserveMs;
}
