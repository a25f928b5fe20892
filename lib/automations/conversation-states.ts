import { ForbiddenMoveError } from '../kernel/life-cycle.ts';
import type { ActionState, ConversationStage } from './schemas.ts';

/** The state of a conversation's call and the stage to which the call belongs. */
export type ConversationPlace = `${ActionState} ${ConversationStage}`;

/** One row of the table: the event moves a conversation from the first place to one of the others. */
type Move = readonly [from: ConversationPlace, ...to: readonly ConversationPlace[]];

interface DescribedEvent {
  /** The event in words, for the documentation. */
  readonly meaning: string;
  readonly moves: readonly Move[];
}

/**
 * The life of a conversation: state × stage × event → next. A failure keeps its stage, so that the conversation can continue
 * there. No event repeats a message that may have arrived: none leads from `done closed`, `unknown granting` or `unknown closed`
 * to a call.
 */
export const conversationEvents = {
  intent: {
    meaning: 'A worker is about to make the call.',
    moves: [
      ['waiting opening', 'intended opening'],
      ['waiting asking', 'intended asking'],
      ['waiting granting', 'intended granting'],
    ],
  },
  sent: {
    meaning:
      'The platform has accepted the question (`gated`) or the message (`closed`). It waits if the answer to the question is there already.',
    moves: [
      ['intended opening', 'done gated', 'waiting gated', 'done closed'],
      ['intended asking', 'done gated', 'waiting gated'],
      ['intended granting', 'done closed'],
    ],
  },
  refusedForNow: {
    meaning: 'Certainly nothing was sent. It is tried again.',
    moves: [
      ['intended opening', 'waiting opening'],
      ['intended asking', 'waiting asking'],
      ['intended granting', 'waiting granting'],
    ],
  },
  followStateRead: {
    meaning:
      'The platform has said whether the person follows: the message follows (`granting`), or the question again (`asking`).',
    moves: [['waiting gated', 'waiting granting', 'waiting asking']],
  },
  gateRemoved: {
    meaning: 'The automation has no follow gate any more.',
    moves: [['waiting asking', 'waiting granting']],
  },
  failure: {
    meaning: 'Certainly nothing was sent, and nothing will be unless somebody acts: see the failure codes.',
    moves: [
      ['waiting opening', 'failed opening'],
      ['waiting gated', 'failed gated'],
      ['waiting asking', 'failed asking'],
      ['waiting granting', 'failed granting'],
      ['intended opening', 'failed opening'],
      ['intended asking', 'failed asking'],
      ['intended granting', 'failed granting'],
    ],
  },
  noProof: {
    meaning: 'Nobody knows whether the call took effect.',
    moves: [
      ['intended opening', 'unknown opening'],
      ['intended asking', 'unknown asking'],
      ['intended granting', 'unknown granting'],
    ],
  },
  disproved: {
    meaning:
      'The message that a lookup matched to this conversation was sent by another action with the same text. So the outcome of this one is unknown.',
    moves: [
      ['done gated', 'unknown gated'],
      ['done closed', 'unknown closed'],
    ],
  },
  tap: {
    meaning:
      'The person has tapped: the button of the last message, which proves that this message has arrived; or an older one, later than the last message was sent, or later than the end of the call of which nobody knows whether it has sent the second question.',
    moves: [
      ['done gated', 'waiting gated'],
      ['waiting opening', 'waiting gated'],
      ['waiting asking', 'waiting gated'],
      ['intended opening', 'waiting gated'],
      ['intended asking', 'waiting gated'],
      ['unknown opening', 'waiting gated'],
      ['unknown gated', 'waiting gated'],
      ['unknown asking', 'waiting gated'],
      ['failed opening', 'waiting gated'],
      ['failed gated', 'waiting gated'],
      ['failed asking', 'waiting gated'],
      ['failed granting', 'waiting gated'],
      ['failed closed', 'waiting gated'],
    ],
  },
  answer: {
    meaning:
      'The person has written after a question without a button, or has again written what starts the automation.',
    moves: [
      ['done gated', 'waiting gated'],
      ['failed gated', 'waiting gated'],
      ['failed asking', 'waiting gated'],
      ['failed granting', 'waiting gated'],
    ],
  },
  comment: {
    meaning:
      'The person has written another matching comment. A failed conversation goes on where it failed while the person may be written to; otherwise it begins again with the new comment.',
    moves: [
      ['failed opening', 'waiting opening'],
      ['failed gated', 'waiting gated', 'waiting opening'],
      ['failed asking', 'waiting asking', 'waiting opening'],
      ['failed granting', 'waiting granting', 'waiting opening'],
      // Earlier releases closed every conversation that failed.
      ['failed closed', 'waiting opening'],
    ],
  },
} as const satisfies Readonly<Record<string, DescribedEvent>>;

export type ConversationEvent = keyof typeof conversationEvents;

const movesOf = (event: ConversationEvent): readonly Move[] => conversationEvents[event].moves;
const allMoves = (Object.keys(conversationEvents) as ConversationEvent[]).flatMap(movesOf);

export interface StateAndStage {
  readonly state: ActionState;
  readonly stage: ConversationStage;
}

export const placeOf = ({ state, stage }: StateAndStage): ConversationPlace => `${state} ${stage}`;

/**
 * Prevents a write that no event of the table allows. Staying in a place is always allowed.
 *
 * @throws ForbiddenMoveError
 */
export function requireConversationMove(from: StateAndStage, to: StateAndStage): void {
  const [fromPlace, toPlace] = [placeOf(from), placeOf(to)];
  if (fromPlace === toPlace) return;
  if (allMoves.some(([before, ...after]) => before === fromPlace && after.includes(toPlace))) return;
  throw new ForbiddenMoveError(`a conversation must not go from ${fromPlace} to ${toPlace}`);
}

/** True if the event moves a conversation in this place. */
export function isMovedBy(event: ConversationEvent, at: StateAndStage): boolean {
  return movesOf(event).some(([from]) => from === placeOf(at));
}

/**
 * True if an answer in words can no longer move the conversation. A conversation that failed after an answer can still be moved
 * by the next one.
 */
export function awaitsNoAnswer(at: StateAndStage): boolean {
  const { state, stage } = at;
  if (state === 'waiting' || state === 'intended') return false;
  return stage === 'closed' || !isMovedBy('answer', at);
}
