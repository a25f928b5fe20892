import { type Actor, referenceTo } from '../../access/actor.ts';
import { reasonAgainstBeyondDrafts } from '../../access/may.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Approval } from '../stored/schemas.ts';

/** A change of a post, as far as its approval is concerned. */
interface ApprovalChange {
  readonly actor: Actor;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The approval of the stored post. */
  readonly before?: Approval | undefined;
  /** True if the post will go live afterwards. */
  readonly isScheduled: boolean;
  /** Present if the change declines the draft. */
  readonly decline?: { readonly note?: string | undefined } | undefined;
}

/**
 * Returns the approval of a post after a change. Whatever a key that may only draft writes waits for approval, also if it was
 * decided before. Whoever may publish approves a draft by scheduling it. A post that becomes a draft again loses its approval.
 * Pure.
 */
export function approvalAfter({
  actor,
  now,
  before,
  isScheduled,
  decline,
}: ApprovalChange): Approval | undefined {
  const at = toTimestamp(now);
  if (reasonAgainstBeyondDrafts(actor, 'post.edit'))
    return { state: 'waiting', requestedAt: at, requestedBy: referenceTo(actor) };
  if (before === undefined) return undefined;
  const { requestedAt, requestedBy } = before;
  const decision = { requestedAt, requestedBy, decidedAt: at, decidedBy: referenceTo(actor) };
  if (decline) return { ...decision, state: 'declined', ...(decline.note && { note: decline.note }) };
  if (isScheduled) return before.state === 'approved' ? before : { ...decision, state: 'approved' };
  return before.state === 'approved' ? undefined : before;
}
