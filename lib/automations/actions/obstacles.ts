import { accountProblem, accountProblemCode } from '../../accounts/problem.ts';
import { enabledFeatures } from '../../platforms/contract/features.ts';
import { featuresFor } from '../../platforms/registry/features.ts';
import { failureCodes, type Problem, type WaitReason } from '../failure-codes.ts';
import { waitReasonOf } from './waits.ts';
import { windowEndMs } from './windows.ts';
import type { Work } from './work.ts';

/**
 * Returns the temporary problem that prevents all sending for this automation and account now; `undefined` if there is none. An
 * account that the platform has restricted is still tried.
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

/** Returns the problem of a missing feature. The operator may switch a feature off after automations that need it were stored. */
function featureObstacle({ ports, account, action }: Work): Problem<WaitReason> | undefined {
  if (!account) return undefined;
  const { platform } = account;
  const needed = action.kind === 'automationReply' ? 'comments' : 'messages';
  if (enabledFeatures(featuresFor(platform), ports.stageFeatures[platform]).includes(needed))
    return undefined;
  return { code: 'feature_off', text: `the operators have switched off the feature ${needed}` };
}

/** The problem of an action whose automation was deleted. */
export const automationDeleted: Problem = {
  code: 'automation_deleted',
  text: 'not sent: the automation was deleted',
};

/** Returns the problem of an action if its account was erased or its platform has no automations. */
export const noPlatform = ({ account }: Work): Problem =>
  account
    ? { code: 'internal', text: 'not sent: this platform has no comment automations' }
    : { code: 'account_disconnected', text: 'not sent: the account no longer exists' };

/**
 * Returns the time until which the platform accepts the action's next message, in epoch milliseconds; `undefined` if the platform
 * is unknown.
 */
export function windowEndOf({ ports, account, action }: Work): number | undefined {
  const platform = account && ports.commentPlatformFor(account.platform);
  return platform && windowEndMs(action, platform.limits);
}

/**
 * Returns the reason that an action was not sent in time: the obstacle it waited for, otherwise the given problem of the window.
 */
export function missedWindow(work: Work, ofWindow: Problem): Problem {
  const obstacle = obstacleOf(work);
  if (obstacle) return { code: obstacle.code, text: `not sent in time: ${obstacle.text}` };
  const code = waitReasonOf(work.action);
  return code ? { code, text: `not sent in time: ${failureCodes[code].message}` } : ofWindow;
}
