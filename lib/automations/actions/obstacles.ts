import { accountProblem, accountProblemCode } from '../../accounts/problem.ts';
import { enabledFeatures } from '../../platforms/contract/features.ts';
import { featuresFor } from '../../platforms/registry/features.ts';
import { failureCodes, type Problem, type WaitReason } from '../failure-codes.ts';
import { waitReasonOf } from './waits.ts';
import { windowEndMs } from './windows.ts';
import type { Work } from './work.ts';

/**
 * What keeps anything from being sent for this automation and account now, although it may pass; `undefined` if nothing
 * does. An account that the platform has restricted is still tried.
 */
export function obstacleOf(work: Work): Problem<WaitReason> | undefined {
  const { automation, account, pause } = work;
  if (automation && !automation.isActive)
    return { code: 'automation_off', text: 'the automation is switched off' };
  const text = accountProblem(account);
  if (text !== undefined) {
    const isDisconnected = accountProblemCode(account) === 'account_disconnected';
    return { code: isDisconnected ? 'account_disconnected' : 'account_expired', text };
  }
  if (pause) return { code: 'paused', text: `paused by the operators (${pause.reason})` };
  return featureObstacle(work);
}

/** The operator may switch off a feature after automations that need it were stored. */
function featureObstacle({ ports, account, action }: Work): Problem<WaitReason> | undefined {
  if (!account) return undefined;
  const { platform } = account;
  const needed = action.kind === 'automationReply' ? 'comments' : 'messages';
  if (enabledFeatures(featuresFor(platform), ports.stageFeatures[platform]).includes(needed))
    return undefined;
  return { code: 'feature_off', text: `the operators have switched off the feature ${needed}` };
}

/** The end of an action whose automation no longer exists. */
export const automationDeleted: Problem = {
  code: 'automation_deleted',
  text: 'not sent: the automation was deleted',
};

/** The end of an action whose account was erased, or is of a platform without automations. */
export const noPlatform = ({ account }: Work): Problem =>
  account
    ? { code: 'internal', text: 'not sent: this platform has no comment automations' }
    : { code: 'account_disconnected', text: 'not sent: the account no longer exists' };

/** Until when what the action sends next is accepted, in epoch milliseconds; `undefined` if nobody knows its platform. */
export function windowEndOf({ ports, account, action }: Work): number | undefined {
  const platform = account && ports.commentPlatformFor(account.platform);
  return platform && windowEndMs(action, platform.limits);
}

/**
 * Why an action was not sent while it would have been accepted: what it has waited for, or otherwise what is said about the
 * window itself.
 */
export function missedWindow(work: Work, ofWindow: Problem): Problem {
  const obstacle = obstacleOf(work);
  if (obstacle) return { code: obstacle.code, text: `not sent in time: ${obstacle.text}` };
  const code = waitReasonOf(work.action);
  return code ? { code, text: `not sent in time: ${failureCodes[code].message}` } : ofWindow;
}
