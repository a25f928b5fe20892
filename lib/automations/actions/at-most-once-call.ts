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
import type { AutomationAction } from '../schemas.ts';
import { isRecorded, noteSentId, tokenOf } from './call-token.ts';
import { claimWrite, isClaimedByOther, isClaimRefused, type SentItem, takeClaimOver } from './sent-claims.ts';
import { type ActionChanges, WriteRefusedError } from './store.ts';
import {
  commit,
  commitFailed,
  commitUnknown,
  commitWait,
  judge,
  openCall,
  problemOf,
  recordFailure,
  type Work,
  waitToRetry,
} from './transitions.ts';

/** A platform call that must happen at most once, and how to handle its outcomes. */
export interface AtMostOnceCall<Held extends AutomationAction, Result> {
  readonly kind: MessagingCall;
  readonly content: MessageContent;
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
  /** The platform's id of what was sent. */
  readonly idOf: (result: Result) => string;
  /** Commits that the call took effect, together with the changes and the writes. */
  readonly succeed: (
    work: Work<Held>,
    result: Result,
    changes: ActionChanges,
    writes: TransactionItems,
  ) => Promise<Held>;
  /** Called before the call is made again because the platform shows no trace of it. */
  readonly beforeRepeat?: (work: Work<Held>) => Promise<void>;
  /** Commits what follows from a refusal, together with the changes. If it returns `undefined`, the action fails. */
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
    commitIntent: (calls) => commit(work, { state: 'intended', content, calls }),
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
      // A refusal for good is recorded, so that the call is not repeated once more.
      const isFinal = sent.refusal?.remedy === 'rejected';
      const calls = isFinal ? noteCall(sent.calls, { refusal: sent.reason }) : sent.calls;
      return commitWait(intended, work.ports.now() + firstLookupMs, { calls });
    }
  }
}

/**
 * Commits that the call took effect, and claims what it sent.
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
  const claim = claimWrite(ports.table, sent, action, ports.now());
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
  return call.refused?.(work, error.refusedFor, changes) ?? commitFailed(work, error.message, changes);
}

/**
 * Looks up an unsettled call, before anything else is done. What other actions have claimed is not its result, even if it looks the
 * same.
 */
export async function reconcile<Held extends AutomationAction, Result>(
  work: Work<Held>,
  call: AtMostOnceCall<Held, Result>,
): Promise<Held> {
  const { ports, action } = work;
  const { calls = [] } = action;
  return reconcileCall(
    ports,
    calls,
    async () => {
      const opened = await openCall(work);
      const { access, platform, tools } = opened;
      const isTaken = (id: string) => isClaimedByOther(ports.table, sentItem(work, id), action);
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
        const reason = calls.at(-1)?.refusal ?? proof;
        return commitFailed(work, reason, { calls: settleCall(calls, outcome, proof) });
      },
      repeat: async (_preparation, opened, where) => {
        const problem = problemOf(work);
        if (problem !== undefined) return commitUnknown(work, calls, where, problem);
        await call.beforeRepeat?.(work);
        return send(work, call, opened);
      },
      lookAgain: (looked, atMs) => commitWait(work, atMs, { calls: looked }),
      unknown: (looked, where, why) => commitUnknown(work, looked, where, why),
      failed: async (error, where = 'the account') => {
        const decision = await judge(work, error);
        if (decision.kind === 'retry') return waitToRetry(work, decision);
        return commitUnknown(work, calls, where, decision.reason);
      },
    },
  );
}

/** Whether an earlier call of the action sent the reply or message with this id. */
function isKnown(action: AutomationAction, id: string): boolean {
  const isLatestMessage = action.kind === 'automationMessage' && action.messageId === id;
  return isLatestMessage || isRecorded(action.calls ?? [], id);
}
