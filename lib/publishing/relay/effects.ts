import { takesTime } from '../../calendar/entries.ts';
import type { TakenTime } from '../../calendar/free.ts';
import type { ChainMessage } from '../../posts/chain/schemas.ts';
import type { LivePostRecord } from '../../targets/live-posts.ts';
import type { Target } from '../../targets/schemas.ts';
import { isLive } from '../../targets/state.ts';
import { messageOf, type PublishMessage } from '../message.ts';

/** What must follow a committed change of a target. */
export type Effect =
  /** Set off the target's wake. */
  | { readonly kind: 'arm'; readonly message: PublishMessage; readonly wakeMs: number }
  /** The wake before it is out of date: its schedule, if it had one, need not fire. */
  | { readonly kind: 'disarm'; readonly message: PublishMessage; readonly wakeMs: number }
  /** The target has left its time on its account's calendar. */
  | { readonly kind: 'free time'; readonly time: TakenTime }
  /** Note which post this id at the platform belongs to. */
  | { readonly kind: 'note live post'; readonly livePost: LivePostRecord }
  /** Something of a post that has a chain is live: its steps may begin. */
  | ({ readonly kind: 'run chain' } & ChainMessage)
  /** Bring the post's status and summary up to its targets. */
  | { readonly kind: 'roll-up'; readonly workspaceId: string; readonly postId: string };

/** What people see of a target: a change of any of these changes the post. */
const shown = ['status', 'scheduledFor', 'platformPostId', 'permalink', 'error', 'publishedAt'] as const;

const isShownOtherwise = (before: Target, after: Target): boolean =>
  shown.some((name) => before[name] !== after[name]);

/**
 * What follows from a change. Pure, and the same however often the change is told: every effect is one that may be
 * repeated.
 *
 * @param before the target as it was; absent for a new one
 * @param after the target as it is; absent where it was deleted
 */
export function effectsOf(before: Target | undefined, after: Target | undefined): Effect[] {
  const effects: Effect[] = [];
  const rearmed = before?.wakeNumber !== after?.wakeNumber;
  if (after?.wakeAt && rearmed) {
    effects.push({ kind: 'arm', message: messageOf(after), wakeMs: Date.parse(after.wakeAt) });
  }
  if (before?.wakeAt && rearmed) {
    effects.push({ kind: 'disarm', message: messageOf(before), wakeMs: Date.parse(before.wakeAt) });
  }
  if (
    before &&
    takesTime(before) &&
    !(after && takesTime(after) && after.scheduledFor === before.scheduledFor)
  ) {
    const { workspaceId, postId, accountId, scheduledFor } = before;
    effects.push({ kind: 'free time', time: { workspaceId, postId, accountId, scheduledFor } });
  }
  if (after?.platformPostId !== undefined && after.platformPostId !== before?.platformPostId) {
    const { workspaceId, accountId, postId, platformPostId } = after;
    effects.push({ kind: 'note live post', livePost: { workspaceId, accountId, postId, platformPostId } });
  }
  if (after?.startsChain && isLive(after.status) && !(before && isLive(before.status))) {
    effects.push({ kind: 'run chain', workspaceId: after.workspaceId, postId: after.postId });
  }
  // The last call takes a moment: lists show what came of it, and the call itself only where its outcome stays open.
  const isMomentary = after?.status === 'publishing' && !rearmed;
  if (
    before &&
    after &&
    !isMomentary &&
    (before.status === 'publishing' || isShownOtherwise(before, after))
  ) {
    effects.push({ kind: 'roll-up', workspaceId: after.workspaceId, postId: after.postId });
  }
  return effects;
}
