import type { Account } from '../../accounts/account.ts';
import { words } from '../../words/words.ts';
import type { AutomationDetail } from './automation.ts';

type Failure = AutomationDetail['failures'][number];
type WaitReason = AutomationDetail['waiting']['reasons'][number]['reason'];

/** The place, in the panel or at the platform, where a person does something about a failure or a wait. */
export type Remedy = 'account' | 'edit' | 'post';

const remedies: Readonly<Record<string, Remedy>> = {
  account_expired: 'account',
  account_disconnected: 'account',
  account_restricted: 'account',
  permission_missing: 'account',
  text_removed: 'edit',
  platform_rejected: 'edit',
  outcome_unknown: 'post',
};

const texts = words.automationPage;

/** The value of a name that comes from the API, which may have names that the panel does not know yet. */
const known = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** @returns `text`: what has happened; `actor` and `next`: who can act, and how; what says nothing is empty */
export function describeFailure({ code, message, whoCanAct }: Failure): {
  readonly text: string;
  readonly actor: string;
  readonly next: string;
  readonly remedy: Remedy | undefined;
} {
  const actor = known(texts.failures.actors, whoCanAct) ?? '';
  // The message of the API says both what has happened and what to do.
  const { text, next } = known(texts.failures.codes, code) ?? { text: message, next: '' };
  return { text, actor, next, remedy: known(remedies, code) };
}

interface Present {
  readonly isActive: boolean;
  /** Absent if it is disconnected, or not read yet. */
  readonly account: Pick<Account, 'status'> | undefined;
}

/**
 * Says what messages wait for. Herald looks again only now and then: what has ended meanwhile needs no remedy.
 *
 * @param present what the automation and its account are now
 */
export function describeWait(
  reason: WaitReason,
  { isActive, account }: Present,
): { readonly text: string; readonly remedy: Remedy | undefined } {
  const hasEnded = reason === 'automation_off' ? isActive : account?.status === 'ok';
  const ended = hasEnded ? known(texts.waiting.ended, reason) : undefined;
  if (ended !== undefined) return { text: ended, remedy: undefined };
  return {
    text: known(texts.waiting.reasons, reason) ?? texts.waiting.other(reason),
    remedy: known(remedies, reason),
  };
}

/** Names what messages wait for in a word or two each, each once. */
export function shortReasonsOf(reasons: AutomationDetail['waiting']['reasons']): readonly string[] {
  const { waitReasons, otherWaitReason } = words.automationsPage.list;
  return [...new Set(reasons.map(({ reason }) => known(waitReasons, reason) ?? otherWaitReason))];
}
