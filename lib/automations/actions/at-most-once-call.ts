import { lastCallOf, noteCall, settleCall } from '../../at-most-once/call-records.ts';
import { clearMark } from '../../at-most-once/judge-failure.ts';
import { firstLookupMs, makeCall } from '../../at-most-once/make-call.ts';
import { reconcileCall } from '../../at-most-once/reconcile-call.ts';
import type { PlatformError } from '../../platforms/contract/errors.ts';
import type { CallRecord } from '../../platforms/contract/last-call.ts';
import {
  type AccountCall,
  type CommentPlatform,
  type MessageContent,
  MessageRefused,
  type MessagingCall,
  type MessagingFinding,
  type RefusedFor,
  type Search,
} from '../../platforms/contract/messaging.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import { isWaitReason, type Problem } from '../failure-codes.ts';
import type { AutomationAction } from '../schemas.ts';
import { isRecorded, noteSentId, tokenOf } from './call-records.ts';
import { automationDeleted, obstacleOf, windowEndOf } from './obstacles.ts';
import {
  claimOfOther,
  claimWrite,
  dropGuess,
  isClaimRefused,
  type SentItem,
  takeClaimOver,
} from './sent-claims.ts';
import { type ActionChanges, WriteRefusedError } from './store.ts';
import {
  commit,
  commitFailed,
  commitUnknown,
  commitWait,
  failureProblem,
  judge,
  openCall,
  recordFailure,
  waitFor,
  waitToRetry,
} from './transitions.ts';
import { waitReasonOf } from './waits.ts';
import type { Work } from './work.ts';

/** A platform call that must happen at most once, with the handling of its outcomes. */
export interface AtMostOnceCall<Held extends AutomationAction, Result> {
  readonly kind: MessagingCall;
  readonly content: MessageContent;
  /** Changes and writes that are committed together with the intent. */
  readonly intent?: { readonly changes: ActionChanges; readonly writes: TransactionItems } | undefined;
  readonly send: (
    platform: CommentPlatform,
    call: AccountCall & { readonly content: MessageContent },
    tools: PlatformTools,
  ) => Promise<Result>;
  /** Looks for the result of an earlier call at the platform. */
  readonly find: (
    platform: CommentPlatform,
    call: AccountCall & Search & { readonly content: MessageContent },
    tools: PlatformTools,
  ) => Promise<MessagingFinding<Result>>;
  /** Returns the platform's id of the reply or message that was sent. */
  readonly idOf: (result: Result) => string;
  /** True if a lookup cannot tell the result from that of another action's call. */
  readonly isGuess?: (result: Result) => boolean;
  /** Commits that the call took effect, together with the changes and the writes. */
  readonly succeed: (
    work: Work<Held>,
    result: Result,
    changes: ActionChanges,
    writes: TransactionItems,
  ) => Promise<Held>;
  /** Called before the call is repeated because the platform shows no trace of it. */
  readonly beforeRepeat?: (work: Work<Held>) => Promise<void>;
  /** Commits the consequence of a refusal, together with the changes. If it returns `undefined`, the action fails. */
  readonly refused?: (
    work: Work<Held>,
    refusedFor: RefusedFor,
    changes: ActionChanges,
  ) => Promise<Held> | undefined;
}

type Opened = Awaited<ReturnType<typeof openCall>>;

/** Makes the call of a waiting action: commits the intent, calls the platform, commits the outcome. */
export async function execute<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
): Promise<Held> {
  let opened: Opened;
  try {
    opened = await openCall(work);
  } catch (error) {
    return recordFailure(work, error);
  }
  return send(work, call, opened);
}

async function send<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
  { access, platform, tools }: Opened,
): Promise<Held> {
  const content = JSON.stringify(call.content);
  const { held, sent } = await makeCall(work.ports, {
    calls: work.action.calls ?? [],
    token: tokenOf(content),
    rule: platform.absenceRules[call.kind],
    commitIntent: (calls) =>
      commit(
        work,
        { ...call.intent?.changes, state: 'intended', content, calls },
        { writes: call.intent?.writes ?? [] },
      ),
    send: () => call.send(platform, { ...access, content: call.content }, tools),
  });
  const intended = { ...work, action: held };
  switch (sent.state) {
    case 'done': {
      const { where } = platform.absenceRules[call.kind];
      const succeed = () => commitSuccess(intended, call, sent.result, sent.calls);
      const succeeded = await succeed().catch(async (error: unknown) => {
        if (!isClaimError(error)) throw error;
        await takeClaimOver(
          work.ports.table,
          sentItem(intended, call.idOf(sent.result)),
          intended.action,
          where,
        );
        return succeed();
      });
      await clearMark(work.ports, work.account);
      return succeeded;
    }
    case 'refused':
      return afterRefusal(intended, call, sent.error, { calls: sent.calls });
    case 'unknown': {
      // A final refusal is recorded, so that the call is not repeated.
      const isFinal = sent.refusal?.remedy === 'rejected';
      const calls = isFinal ? noteCall(sent.calls, { refusal: sent.reason }) : sent.calls;
      return commitWait(intended, work.ports.now() + firstLookupMs(sent), { calls });
    }
  }
}

/**
 * Commits that the call took effect, and claims the reply or message that it sent.
 *
 * @throws WriteRefusedError with a refused claim if another action is recorded as the sender
 */
function commitSuccess<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
  result: Result,
  calls: readonly CallRecord[],
): Promise<Held> {
  const { ports, action } = work;
  const sent = sentItem(work, call.idOf(result));
  const isGuess = call.isGuess?.(result);
  const claim = claimWrite(ports.table, sent, action, ports.now(), { isGuess });
  return call.succeed(work, result, { calls: noteSentId(calls, sent.id) }, [claim]);
}

function sentItem({ account }: Work, id: string): SentItem {
  if (account === undefined) throw new Error('a call was made without an account');
  return { platform: account.platform, id };
}

const isClaimError = (error: unknown): boolean =>
  error instanceof WriteRefusedError && isClaimRefused(error.refusal);

async function afterRefusal<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
  error: PlatformError,
  changes: ActionChanges,
): Promise<Held> {
  if (!(error instanceof MessageRefused)) return recordFailure(work, error, changes);
  return call.refused?.(work, error.refusedFor, changes) ?? recordFailure(work, error, changes);
}

/**
 * Looks up an unsettled call before anything else is done. A reply or message that another action has claimed is not its result,
 * even if it looks the same. If that claim is a guess, and this call shows no other trace, either may have sent the message: both
 * outcomes are then unknown.
 */
export async function reconcile<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
): Promise<Held> {
  const { ports, action } = work;
  const { calls = [] } = action;
  const guessed: SentItem[] = [];
  const isTaken = async (id: string) => {
    const sent = sentItem(work, id);
    const claim = await claimOfOther(ports.table, sent, action);
    if (claim?.isGuess) guessed.push(sent);
    return claim !== undefined;
  };
  const endUnknown = async (records: readonly CallRecord[], where: string, why: string | undefined) => {
    for (const sent of guessed) await dropGuess(ports.table, sent, where);
    return commitUnknown(work, records, where, why);
  };
  return reconcileCall(
    ports,
    calls,
    async () => {
      const opened = await openCall(work);
      const { access, platform, tools } = opened;
      const lastCall = lastCallOf(calls, async (id) => isKnown(action, id) || (await isTaken(id)));
      const sought = { ...access, content: call.content, call: lastCall };
      const lookUp = () => call.find(platform, sought, tools);
      return { rule: platform.absenceRules[call.kind], lookUp, context: opened };
    },
    {
      live: async (result) => {
        try {
          return await commitSuccess(work, call, result, settleCall(calls, 'live', undefined));
        } catch (error) {
          // Another action has claimed it meanwhile, so the next lookup does not find it again.
          if (isClaimError(error)) return reconcile(work, call);
          throw error;
        }
      },
      absent: ({ outcome, proof }) => {
        const refusal = calls.at(-1)?.refusal;
        const code = refusal === undefined ? 'platform_unavailable' : 'platform_rejected';
        return commitFailed(
          work,
          { code, text: refusal ?? proof },
          { calls: settleCall(calls, outcome, proof) },
        );
      },
      repeat: async (_preparation, opened, where) => {
        if (!work.automation) return endUnknown(calls, where, automationDeleted.text);
        const obstacle = obstacleOf(work);
        if (obstacle) return waitToLook(work, obstacle, calls, where);
        await call.beforeRepeat?.(work);
        return send(work, call, opened);
      },
      lookAgain: (looked, atMs) => commitWait(work, atMs, { calls: looked }),
      unknown: (looked, where, why) => {
        const obstacle = waitReasonOf(action) && obstacleOf(work);
        return endUnknown(looked, where, obstacle?.text ?? why);
      },
      failed: async (error, where = 'the account') => {
        const decision = await judge(work, error);
        if (decision.kind === 'retry') return waitToRetry(work, decision);
        return waitToLook(work, failureProblem(error, decision), calls, where);
      },
    },
  );
}

/** Waits until an interrupted call can be looked up again, if that may still help; otherwise its outcome stays unknown. */
function waitToLook<Held extends AutomationAction>(
  work: Work<Held>,
  { code, text }: Problem,
  calls: readonly CallRecord[],
  where: string,
): Promise<Held> {
  const endMs = windowEndOf(work);
  const isInTime = endMs !== undefined && work.ports.now() < endMs;
  if (!isWaitReason(code) || !isInTime) return commitUnknown(work, calls, where, text);
  return waitFor(work, code, endMs);
}

/** True if an earlier call of the action sent the reply or message with this id. */
function isKnown(action: AutomationAction, id: string): boolean {
  const isLatestMessage = action.kind === 'automationMessage' && action.messageId === id;
  return isLatestMessage || isRecorded(action.calls ?? [], id);
}
