/**
 * Those who can do something about a reply or message that was not sent:
 * - `customer`: the owner of the automation or of its account;
 * - `commenter`: the person, with another comment, tap or answer;
 * - `operator`: those who run the service;
 * - `nobody`: it is over, or a limit ends by itself.
 */
export const actors = ['customer', 'commenter', 'operator', 'nobody'] as const;
export type Actor = (typeof actors)[number];

interface DescribedFailure {
  readonly whoCanAct: Actor;
  /** The problem and its remedy, as sentences for people. */
  readonly message: string;
  /** True if a reply or message waits for the end of this problem, for as long as the platform accepts it. */
  readonly isWaitedFor: boolean;
}

/** The stable codes for a reply or message of an automation that waits, was not sent, or has an unknown outcome. */
export const failureCodes = {
  account_expired: {
    whoCanAct: 'customer',
    message: "The account's authorization has expired or was withdrawn. Connect the account again.",
    isWaitedFor: true,
  },
  account_disconnected: {
    whoCanAct: 'customer',
    message: 'The account is disconnected. Connect it again.',
    isWaitedFor: true,
  },
  account_restricted: {
    whoCanAct: 'customer',
    message:
      'The platform has restricted what the account may do, or a permission is missing. The owner of the account resolves this at the platform, or connects the account again with all permissions.',
    isWaitedFor: true,
  },
  permission_missing: {
    whoCanAct: 'customer',
    message:
      'The authorization of the account lacks a permission. Connect the account again and grant every permission.',
    isWaitedFor: true,
  },
  automation_off: {
    whoCanAct: 'customer',
    message: 'The automation is switched off. Switch it on.',
    isWaitedFor: true,
  },
  paused: {
    whoCanAct: 'operator',
    message:
      'The operators of the service have paused the platform, the workspace or the account. Ask them when the pause ends.',
    isWaitedFor: true,
  },
  feature_off: {
    whoCanAct: 'operator',
    message:
      'The operators of the service have switched off public replies or private messages on the platform. Ask them when they are on again.',
    isWaitedFor: true,
  },
  hourly_limit: {
    whoCanAct: 'nobody',
    message: 'The account has sent all private replies that the platform allows in an hour.',
    isWaitedFor: true,
  },
  automation_deleted: {
    whoCanAct: 'nobody',
    message: 'The automation was deleted before it could answer.',
    isWaitedFor: false,
  },
  text_removed: {
    whoCanAct: 'customer',
    message:
      'The text was removed from the automation before it was sent. Restore it: the next comment of the person begins again.',
    isWaitedFor: false,
  },
  comment_too_old: {
    whoCanAct: 'commenter',
    message: 'The comment is older than the platform allows for an answer. A new comment begins again.',
    isWaitedFor: false,
  },
  comment_unavailable: {
    whoCanAct: 'commenter',
    message:
      'The platform no longer accepts an answer to the comment: it is gone or already has one. A new comment begins again.',
    isWaitedFor: false,
  },
  window_closed: {
    whoCanAct: 'commenter',
    message:
      'The person has not answered for longer than the platform allows. Another comment, tap or answer begins again.',
    isWaitedFor: false,
  },
  platform_rejected: {
    whoCanAct: 'customer',
    message:
      'The platform has refused the reply or message. Check its text and buttons. The next comment of the person tries again.',
    isWaitedFor: false,
  },
  app_refused: {
    whoCanAct: 'operator',
    message: 'The platform refuses the app of this service. Ask the operator of the service.',
    isWaitedFor: false,
  },
  platform_unavailable: {
    whoCanAct: 'commenter',
    message:
      'The platform did not do it, and Herald has given up after six hours. The next comment of the person tries again.',
    isWaitedFor: false,
  },
  quota_exhausted: {
    whoCanAct: 'commenter',
    message: 'A daily limit of the platform is used up. The next comment of the person tries again.',
    isWaitedFor: false,
  },
  outcome_unknown: {
    whoCanAct: 'customer',
    message:
      'The outcome of the reply or message is unknown, so it is not sent again. Look at the comment or the conversation, and answer by hand if it is not there.',
    isWaitedFor: false,
  },
  internal: {
    whoCanAct: 'operator',
    message: 'There was an error in the service for more than six hours. Ask the operator of the service.',
    isWaitedFor: false,
  },
  other: {
    whoCanAct: 'nobody',
    message: 'An earlier release of the service stored this failure without a code.',
    isWaitedFor: false,
  },
} as const satisfies Readonly<Record<string, DescribedFailure>>;

export type FailureCode = keyof typeof failureCodes;
export const failureCodeNames = Object.keys(failureCodes) as [FailureCode, ...FailureCode[]];

/** The codes for which a reply or message waits. */
export type WaitReason = {
  [Code in FailureCode]: (typeof failureCodes)[Code]['isWaitedFor'] extends true ? Code : never;
}[FailureCode];
export const isWaitReason = (code: FailureCode): code is WaitReason => failureCodes[code].isWaitedFor;
export const waitReasons = failureCodeNames.filter(isWaitReason) as [WaitReason, ...WaitReason[]];

/** The problem because of which a reply or message waits or was not sent. */
export interface Problem<Code extends FailureCode = FailureCode> {
  readonly code: Code;
  /** The text for people. */
  readonly text: string;
}
