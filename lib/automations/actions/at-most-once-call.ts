import { countFailure } from '../../at-most-once/retry-policy.ts';
import { reconcileDelayMs } from '../../at-most-once/unknown-outcome.ts';
import { minuteMs, toTimestamp } from '../../kernel/clock.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import {
  type AccountCall,
  type CommentPlatform,
  type MessageContent,
  MessageRefused,
  type RefusedFor,
  type Search,
} from '../../platforms/contract/messaging.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import type { AutomationAction } from '../schemas.ts';
import {
  commit,
  commitFailed,
  commitUnknown,
  commitWait,
  judge,
  leaseMs,
  openCall,
  recordFailure,
  type Work,
} from './transitions.ts';

/** A platform call that must happen at most once, and how to handle its outcomes. */
export interface AtMostOnceCall<Held extends AutomationAction, Result> {
  readonly content: MessageContent;
  readonly send: (
    platform: CommentPlatform,
    call: AccountCall & { readonly content: MessageContent },
    tools: PlatformTools,
  ) => Promise<Result>;
  /** Looks for the result of an earlier call at the platform; `undefined` if there is none. */
  readonly find: (
    platform: CommentPlatform,
    call: AccountCall & Search & { readonly content: MessageContent },
    tools: PlatformTools,
  ) => Promise<Result | undefined>;
  /** Commits that the call took effect. */
  readonly succeed: (work: Work<Held>, result: Result) => Promise<Held>;
  /** Commits what follows from a refusal. If it returns `undefined`, the action fails. */
  readonly refused?: (work: Work<Held>, refusedFor: RefusedFor) => Promise<Held> | undefined;
  /** Whether to send again if the platform shows no result. Otherwise the outcome stays unknown. */
  readonly mayRepeat: boolean;
}

/** Makes the call of a waiting action: commits the intent, calls the platform, commits the outcome. */
export async function execute<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
): Promise<Held> {
  const { ports } = work;
  let opened: Awaited<ReturnType<typeof openCall>>;
  try {
    opened = await openCall(work);
  } catch (error) {
    return recordFailure(work, error);
  }
  const until = toTimestamp(ports.now() + leaseMs);
  const intended = {
    ...work,
    action: await commit(work, {
      state: 'intended',
      intentAt: toTimestamp(ports.now()),
      content: JSON.stringify(call.content),
      questions: null,
      refusal: null,
      leaseUntil: until,
      // If this worker crashes, the action is due again when the lease ends.
      wakeAt: until,
    }),
  };
  let result: Result;
  try {
    const { access, platform, tools } = opened;
    result = await call.send(platform, { ...access, content: call.content }, tools);
  } catch (error) {
    return afterError(intended, call, error);
  }
  return call.succeed(intended, result);
}

async function afterError<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
  error: unknown,
): Promise<Held> {
  if (error instanceof MessageRefused) {
    return call.refused?.(work, error.refusedFor) ?? commitFailed(work, error.message);
  }
  const isKnown = error instanceof PlatformError && error.remedy !== 'unknown';
  if (isKnown) return recordFailure(work, error);
  if (!(error instanceof PlatformError)) work.ports.report('a platform call of an automation failed', error);
  const isRefused = error instanceof PlatformError && error.ifAbsent === 'rejected';
  return commitWait(work, work.ports.now() + reconcileDelayMs, isRefused ? { refusal: error.message } : {});
}

/** The waits after the first, second, … search that found nothing. */
const searchGapsMs = [minuteMs, 10 * minuteMs, 30 * minuteMs];
/** The same if the call may be repeated: lists of replies and open conversations are soon up to date. */
const repeatableSearchGapsMs = [minuteMs];

/**
 * Reconciles an intent without an outcome: asks the platform before anything else.
 *
 * @param except ids of results of earlier calls, which do not count as this call's
 */
export async function reconcile<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
  except: readonly string[],
): Promise<Held> {
  const { ports, action } = work;
  const intentMs = Date.parse(action.intentAt ?? '');
  if (ports.now() < intentMs + reconcileDelayMs) return commitWait(work, intentMs + reconcileDelayMs);
  let found: Result | undefined;
  try {
    const { access, platform, tools } = await openCall(work);
    const sought = { ...access, content: call.content, since: intentMs, except };
    found = await call.find(platform, sought, tools);
  } catch (error) {
    const decision = await judge(work, error);
    if (decision.kind === 'fail') return commitUnknown(work, decision.reason);
    return commitWait(
      work,
      decision.wakeMs,
      decision.isAskedFor ? {} : countFailure(work.action, work.ports.now()),
    );
  }
  if (found !== undefined) return call.succeed(work, found);
  const questions = (action.questions ?? 0) + 1;
  const gapMs = (call.mayRepeat ? repeatableSearchGapsMs : searchGapsMs)[questions - 1];
  if (gapMs !== undefined) return commitWait(work, ports.now() + gapMs, { questions });
  if (!call.mayRepeat) {
    return commitUnknown(
      work,
      action.refusal ?? 'the call was interrupted, and the platform does not show the message',
    );
  }
  if (action.refusal !== undefined) return commitFailed(work, action.refusal);
  return recordFailure(work, new PlatformError('unknown', 'the platform did not carry out the call'));
}
