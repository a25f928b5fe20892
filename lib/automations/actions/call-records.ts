import { noteCall } from '../../at-most-once/call-records.ts';
import { sha256 } from '../../kernel/ids.ts';
import type { CallRecord } from '../../platforms/contract/last-call.ts';
import type { Preparation } from '../../platforms/contract/live-post.ts';

/**
 * Returns the token that identifies a reply or message in the record of its call: a digest of its content. The content itself is
 * stored with the action only until the outcome is known, because a conversation can have many messages.
 *
 * @param content JSON
 */
export const tokenOf = (content: string): Preparation => ({ sha256: sha256(content) });

/** Notes the platform's id of the reply or message in the record of the call that sent it, the latest one. */
export function noteSentId(calls: readonly CallRecord[], id: string): CallRecord[] {
  return noteCall(calls, { token: { ...calls.at(-1)?.token, id } });
}

/** True if a recorded call has sent the reply or message with this id. */
export function isRecorded(calls: readonly CallRecord[], id: string): boolean {
  return calls.some(({ token }) => token['id'] === id);
}

/** The number of latest records to keep: more than one turn has calls that matter for its lookups. */
const latestKept = 20;
/**
 * The number of earlier records to keep. A lookup distinguishes its message from those sent since the first intent of its turn,
 * which is rarely more than one.
 */
const earlierKept = 30;

/**
 * Returns the records to keep: the latest ones, those of earlier calls that may have taken effect, and those with the ids of sent
 * messages. A conversation may go on for months, and a refused call is repeated for days. Pure.
 *
 * @returns at most 50 records, in order
 */
export function keptCalls(calls: readonly CallRecord[]): CallRecord[] {
  const earlier = calls.slice(0, -latestKept).filter(matters);
  return [...earlier.slice(-earlierKept), ...calls.slice(-latestKept)];
}

const settledOutcomes: readonly CallRecord['outcome'][] = ['refused', 'absent'];

const matters = ({ outcome, token }: CallRecord): boolean =>
  token['id'] !== undefined || !settledOutcomes.includes(outcome);
