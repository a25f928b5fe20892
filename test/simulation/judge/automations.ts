import { gunzipSync } from 'node:zlib';
import { actionFromItem } from '../../../lib/automations/actions/item.ts';
import { waitReasonOf } from '../../../lib/automations/actions/waits.ts';
import type { Automation, AutomationAction, MessageAction } from '../../../lib/automations/schemas.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { automationPartition, sentClaimKey } from '../../../lib/table/keys.ts';
import type { Item } from '../../support/database/database.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { Platforms } from '../platforms/platforms.ts';
import type { ListedMessage } from '../scenario/people.ts';
import type { Service } from '../service.ts';
import type { World } from '../world/world.ts';
import type { Connections } from './connections.ts';
import type { Pauses } from './pauses.ts';
import type { PeopleLog } from './people-log.ts';

interface AutomationCheck {
  readonly world: World;
  readonly committed: Committed;
  readonly service: Service;
  readonly platforms: Platforms;
  readonly connections: Connections;
  readonly pauses: Pauses;
  readonly people: PeopleLog;
  /** Returns the name of an account at its platform, which workspaces may share. */
  readonly nameOf: (accountId: string) => string | undefined;
}

/** A public reply as Instagram's simulator lists it. */
interface ListedReply {
  readonly id: string;
  readonly commentId: string;
  readonly at: number;
}

/** An answered webhook of Instagram. */
interface ListedWebhook {
  readonly at: number;
  readonly status: number;
  readonly body: string;
}

type Comment = PeopleLog['comments'][number];
type Message = PeopleLog['messages'][number];
/** The comment or message that started an action. */
type Said = Pick<Comment, 'commentId' | 'atMs'>;
type AutomationTexts = Pick<Automation, 'name' | 'dmMessage' | 'followGate'>;

/** Maximum time that a change of an automation may be invisible to a reader of it. */
const unseenMs = 15 * secondMs;
/** Allowed delay of an answer if nothing goes wrong, and after the last fault. */
const calmMs = 5 * secondMs;
/** A sweep leaves an action alone for so long after it has sent its message, which may be lost. */
const resentMs = 16 * minuteMs;
const recoveryMs = 90 * secondMs;
/** The longest wait of an action that looks whether a pause has ended. */
const heldMs = 60 * minuteMs + resentMs;
/** A comment whose reader crashed comes again after the visibility timeout of its queue. */
const redeliveryMs = 6 * minuteMs;

/**
 * Checks the automations against what Instagram shows: each matching comment is answered once, in public and in private as
 * the automation says, or the action says why it is not. No other comment is answered.
 */
export function createAutomationCheck(ports: AutomationCheck) {
  const { world, committed, service, platforms, connections, pauses, people, nameOf } = ports;
  const { violate } = world;
  const leaseHolders = new Map<string, string>();
  const firstSeenMs = new Map<string, number>();
  /** The times at which accounts that nothing could be sent with became usable again, by their ids. */
  const usableAgainMs = new Map<string, number>();
  let webhooks: readonly ListedWebhook[] = [];

  committed.listen((change) => {
    const { kind, key, before } = change;
    if (kind === 'automation' || kind === 'inboundComment' || kind === 'inboundMessage')
      if (!before) firstSeenMs.set(key, world.now());
    if (kind === 'automationReply' || kind === 'automationMessage') checkFence(change);
    if (kind === 'account' && before && isUsable(change.after) && !isUsable(before))
      usableAgainMs.set(String(before['id']), world.now());
  });

  const isUsable = (account: Item | undefined): boolean =>
    account?.['status'] === 'ok' && account['disconnectedAt'] === undefined;

  /** A worker that has lost its lease must write nothing more. */
  function checkFence({ key, before, after, by }: Change): void {
    if (!before || !after || !by.name.startsWith('run-automation')) return;
    if (after['attempt'] !== before['attempt']) leaseHolders.set(key, by.name);
    else if (leaseHolders.get(key) !== by.name && !isCorrection(before, after, by.name))
      violate(`${key} was written by a worker that had lost its lease`);
  }

  /**
   * True if a worker takes from an action what the response to its own action's call has named, or what may come from either, so that
   * nobody has it.
   */
  function isCorrection(before: Item, after: Item, writer: string): boolean {
    if (before['state'] !== 'done' || after['state'] !== 'unknown') return false;
    const sentId = before['messageId'] ?? before['replyId'];
    const { pk, sk } = sentClaimKey(sha256(`instagram\n${sentId}`));
    const { automationId, action } = committed.get(`${pk} ${sk}`) ?? {};
    if (automationId === 'nobody') return true;
    return leaseHolders.get(`${automationPartition(String(automationId))} ${action}`) === writer;
  }

  /** The platform's final state must agree with the automations' own records. */
  async function checkEnd(): Promise<void> {
    if (!platforms.names.includes('instagram')) return;
    const replies = (await platforms.control('instagram', 'GET', 'replies')) as ListedReply[];
    webhooks = (await platforms.control('instagram', 'GET', 'webhooks')) as ListedWebhook[];
    const messages = (await platforms.control('instagram', 'GET', 'messages')) as ListedMessage[];
    const fromAccounts = messages.filter(({ from }) => from === 'account');
    const explained = new Set<string>();
    for (const comment of people.comments) {
      checkIngested(comment);
      for (const id of checkReplies(comment, replies)) explained.add(id);
    }
    for (const message of people.messages) {
      checkStored(message.messageId, message);
      checkStarted(message);
    }
    for (const { tapId, ...tapped } of people.taps) checkStored(tapId, tapped);
    for (const action of conversations())
      for (const id of checkConversation(action, fromAccounts)) explained.add(id);
    checkOwners();
    for (const { id, text } of fromAccounts)
      if (!explained.has(id)) violate(`nobody asked for the message "${text}"`);
    for (const { id, commentId } of replies)
      if (!explained.has(id)) violate(`nobody asked for a reply to ${commentId}`);
  }

  const conversations = (): MessageAction[] =>
    committed.ofKind('automationMessage').map((item) => actionFromItem(item) as MessageAction);

  const inboundKey = (comment: Comment): string =>
    committed
      .ofKind('inboundComment')
      .filter(
        ({ commentId, workspaceId }) =>
          commentId === comment.commentId && workspaceId === comment.workspaceId,
      )
      .map(({ pk, sk }) => `${pk} ${sk}`)[0] ?? '';

  /** Returns the key of what is stored of a comment or a message to an account. */
  function storedKey(id: string, accountId: string): string {
    const stored =
      committed
        .ofKind('inboundComment')
        .find((item) => item['commentId'] === id && item['accountId'] === accountId) ??
      answerOf(id, accountId);
    return stored ? keyOfItem(stored) : '';
  }

  /** Every comment must be stored, and match the automation that existed when it was written. */
  function checkIngested(comment: Comment): void {
    const { commentId, accountId, atMs, text } = comment;
    const key = inboundKey(comment);
    const inbound = committed.get(key);
    if (!inbound) {
      if (!isExcused(commentId, accountId, atMs)) violate(`the comment ${commentId} ("${text}") was lost`);
      return;
    }
    const storedMs = firstSeenMs.get(key) ?? 0;
    for (const stored of committed.ofKind('inboundComment'))
      if (stored['commentId'] === commentId && nameOf(String(stored['accountId'])) !== nameOf(accountId))
        violate(`${commentId} was stored for another account`);
    const automation = automationOf(comment);
    const createdMs = automation ? (firstSeenMs.get(keyOfItem(automation)) ?? 0) : Infinity;
    const isMatching = text.includes('link') && automation !== undefined;
    const isFound = inbound['automationId'] !== undefined;
    if (isFound && (!isMatching || storedMs < createdMs))
      violate(`${commentId} ("${text}") matches no automation`);
    if (!isFound && isMatching && createdMs + unseenMs < atMs)
      violate(`${commentId} ("${text}") matches, but no automation answers it`);
    const isOwed = isFound && automation?.dmMessage !== null;
    if (isOwed && !conversations().some(({ personId }) => personId === inbound['personId']))
      violate(`${commentId} has no action for its private message`);
  }

  /**
   * A message with the keyword starts the conversation of one automation, which existed when it was written: of story replies for a
   * reply to a story, otherwise the one of messages. No other message starts any.
   */
  function checkStarted({ messageId, accountId, personId, text, isStoryReply, atMs }: Message): void {
    const inbound = answerOf(messageId, accountId);
    const begun = conversations().filter(({ commentId }) => commentId === messageId);
    if (begun.length > 1) violate(`${messageId} ("${text}") started ${begun.length} conversations`);
    const startable = [...(isStoryReply ? ['MESSAGES#STORY'] : []), 'MESSAGES#ALL'].flatMap((name) =>
      committed
        .ofKind('automation')
        .filter((item) => item['accountId'] === accountId && item['platformPostId'] === name),
    );
    const createdMs = (item: Item) => firstSeenMs.get(keyOfItem(item)) ?? 0;
    const storedMs = inbound ? (firstSeenMs.get(keyOfItem(inbound)) ?? 0) : 0;
    for (const { automationId } of begun) {
      const starting = startable.find(({ id }) => id === automationId);
      if (!text.includes('link') || !starting || storedMs < createdMs(starting))
        violate(`${messageId} ("${text}") starts no automation, but ${automationId} answers it`);
    }
    const certainIndex = startable.findIndex((item) => createdMs(item) + unseenMs < atMs);
    const certain = startable[certainIndex];
    if (!inbound || !certain || !text.includes('link')) return;
    // The automation of story replies comes first, and may be too new for the message to be sure to start it: then either answers.
    const answering = startable.slice(0, certainIndex + 1).map(({ id }) => id);
    const ofPerson = conversations().filter((each) => each.personId === personId);
    // Without buttons, a message is the answer to a question, and then starts nothing.
    const isAnswered = ofPerson.some(
      ({ automationId, withoutButtons }) => answering.includes(automationId) || withoutButtons === true,
    );
    if (!isAnswered) violate(`${messageId} ("${text}") starts "${certain['name']}", but nothing answers it`);
  }

  const keyOfItem = ({ pk, sk }: Item): string => `${pk} ${sk}`;

  const automationOf = ({ accountId, platformPostId }: Comment): (Item & Automation) | undefined =>
    committed
      .ofKind('automation')
      .find((item) => item['accountId'] === accountId && item['platformPostId'] === platformPostId) as
      | (Item & Automation)
      | undefined;

  /**
   * Returns true if an event of Instagram may be missing: its account was not connected, or the event is among the dead
   * letters, where the service keeps for operators what it could not store.
   */
  function isExcused(id: string, accountId: string, atMs: number): boolean {
    const lastMs = Math.max(atMs, world.lastTroubleMs()) + redeliveryMs + recoveryMs;
    if (connections.wasDisconnected(accountId, atMs, lastMs)) return true;
    return service.queues.inbound.deadLetters.some((letter) =>
      gunzipSync(Buffer.from((JSON.parse(letter) as { body: string }).body, 'base64')).includes(id),
    );
  }

  /** @returns the ids of the replies that the comment may have */
  function checkReplies(comment: Comment, all: readonly ListedReply[]): string[] {
    const { commentId } = comment;
    const replies = all.filter((reply) => reply.commentId === commentId);
    const inbound = committed.get(inboundKey(comment));
    const automation = automationOf(comment);
    const isOwed = inbound?.['automationId'] !== undefined && automation?.commentReply !== null;
    const item = committed.ofKind('automationReply').find((each) => each['commentId'] === commentId);
    if (replies.length > 1) violate(`${commentId} has ${replies.length} public replies`);
    if (!isOwed) return [];
    if (!item) {
      violate(`${commentId} has no action for its public reply`);
      return [];
    }
    const action = actionFromItem(item);
    checkEnded(action, replies.length);
    const [reply] = replies;
    const replyId = action.kind === 'automationReply' ? action.replyId : undefined;
    if (action.state === 'done' && reply?.id !== replyId)
      violate(`the reply to ${commentId} is ${reply?.id}, but its action says ${replyId}`);
    if (reply) checkLateness(action, comment, reply.at);
    return replies.map(({ id }) => id);
  }

  /** Returns true if it waits for days, until somebody connects its account again. */
  function waitsForAccount(action: AutomationAction): boolean {
    const account = committed.ofKind('account').find(({ id }) => id === action.accountId);
    return waitReasonOf(action) !== undefined && !isUsable(account);
  }

  /** An action has ended, and sent what it says. */
  function checkEnded(action: AutomationAction, sent: number): void {
    const { state, kind, commentId, error, wakeAt } = action;
    if (waitsForAccount(action)) return;
    const name = `the ${kind} for ${commentId}`;
    if (wakeAt !== undefined) violate(`${name} waits for ${wakeAt}, but no event is left`);
    if (state === 'waiting' || state === 'intended') violate(`${name} stays ${state}`);
    if (state === 'done' && sent === 0) violate(`${name} is done, but nothing was sent`);
    if (state === 'failed' && sent > 0) violate(`${name} has failed (${error}), but was sent`);
    if ((state === 'failed' || state === 'unknown') && !error)
      violate(`${name} is ${state} without a reason`);
  }

  /** No two actions may be recorded as the sender of one message or reply. */
  function checkOwners(): void {
    const owners = new Map<string, string>();
    for (const item of [...committed.ofKind('automationMessage'), ...committed.ofKind('automationReply')]) {
      const sentId = item['messageId'] ?? item['replyId'];
      if (sentId === undefined || sentId === null) continue;
      const owner = owners.get(String(sentId));
      if (owner !== undefined)
        violate(`${owner} and ${keyOfItem(item)} are recorded as having sent ${sentId}`);
      owners.set(String(sentId), keyOfItem(item));
    }
  }

  /** Returns the conversations with the same person whose automations send the same texts, with this one. */
  function alikeOf(action: MessageAction, texts: AutomationTexts | undefined): MessageAction[] {
    const isAlike = (other: AutomationTexts | undefined) => other?.dmMessage === texts?.dmMessage;
    return conversations().filter(
      ({ automationId, personId }) => personId === action.personId && isAlike(automationNamed(automationId)),
    );
  }

  /**
   * True if other automations write to the same person. Instagram lists no text of a message with buttons, so after a lost response
   * each of two may take the other's message for its own. Each is sent all the same.
   */
  const maySwap = ({ personId }: MessageAction, alike: number): boolean =>
    conversations().filter((other) => other.personId === personId).length > alike;

  const automationNamed = (automationId: string): AutomationTexts | undefined =>
    committed.ofKind('automation').find(({ id }) => id === automationId) as AutomationTexts | undefined;

  /** @returns the ids of the messages that belong to the conversation */
  function checkConversation(action: MessageAction, all: readonly ListedMessage[]): string[] {
    const { automationId, personId, stage, state, commentId } = action;
    const automation = automationNamed(automationId);
    const own = all.filter((message) => message.personId === personId);
    const startingWith = (text: string | null | undefined) =>
      own.filter((message) => typeof text === 'string' && message.text.startsWith(text));
    const questions = startingWith(automation?.followGate?.message);
    const refusals = startingWith(automation?.followGate?.notFollowingMessage);
    const grants = startingWith(automation?.dmMessage);
    const who = `${personId} of "${automation?.name}"`;
    const answers = answersOf(action, own);
    const { length: alike } = alikeOf(action, automation);
    if (questions.length > alike) violate(`${who} was asked ${questions.length} times`);
    if (grants.length > alike) violate(`${who} got the message ${grants.length} times`);
    if (refusals.length > answers * alike)
      violate(`${who} was refused ${refusals.length} times, after ${answers} answers`);
    if (automation?.followGate && grants.length > 0 && answers === 0)
      violate(`${who} got the message without an answer`);
    const sent = {
      opening: [...questions, ...grants],
      gated: [...questions, ...refusals],
      asking: refusals,
      granting: grants,
    };
    // The others' messages look the same, so only its record says which is its own.
    const ownGrants =
      alike === 1 || maySwap(action, alike) ? grants : grants.filter(({ id }) => id === action.messageId);
    checkEnded(action, stage === 'closed' ? ownGrants.length : state === 'failed' ? 0 : sent[stage].length);
    const recorded = maySwap(action, alike) ? own : ownGrants.slice(0, 1);
    if (stage === 'closed' && state === 'done' && !recorded.some(({ id }) => id === action.messageId))
      violate(`${who} got ${grants[0]?.id}, but the action says ${action.messageId}`);
    const taps = people.taps.filter(({ messageId }) => messageId === action.messageId);
    if (
      stage === 'gated' &&
      state === 'done' &&
      taps.some(({ tapId, accountId }) => answerOf(tapId, accountId) !== undefined)
    )
      violate(`${who} has tapped, but nothing followed`);
    const comment = people.comments.find((each) => each.commentId === commentId);
    const [opening] = automation?.followGate ? questions : grants;
    if (comment && opening) checkLateness(action, comment, opening.at);
    const message = people.messages.find(({ messageId }) => messageId === commentId);
    const [first] = [...refusals, ...grants].toSorted((one, other) => one.at - other.at);
    if (message && first) checkLateness(action, { ...message, commentId: message.messageId }, first.at);
    return [...questions, ...refusals, ...grants].map(({ id }) => id);
  }

  /**
   * Counts the answers that may move a conversation on: the first tap of each question, a later tap of any if the account has
   * sent another message since the last tap, or any message if buttons were refused or a message has started it.
   */
  function answersOf(
    { personId, withoutButtons, commentId }: MessageAction,
    own: readonly ListedMessage[],
  ): number {
    const tapped = people.taps.filter((tap) => tap.personId === personId);
    const counted = tapped
      .toSorted((one, other) => one.atMs - other.atMs)
      .filter(({ messageId, atMs }, index, all) => {
        const isFirst = !all.slice(0, index).some((earlier) => earlier.messageId === messageId);
        const previousMs = all[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
        return isFirst || own.some(({ at }) => at > previousMs && at < atMs);
      });
    const written = people.messages.filter((message) => message.personId === personId);
    const isStartedByMessage = people.messages.some(({ messageId }) => messageId === commentId);
    return counted.length + (withoutButtons || isStartedByMessage ? written.length : 0);
  }

  /**
   * Returns a message or tap of a person as the service has stored it for an account. Two workspaces may share the account, and it is
   * stored only for those that have it connected.
   */
  const answerOf = (id: string, accountId: string): Item | undefined =>
    committed
      .ofKind('inboundMessage')
      .find((item) => item['messageId'] === id && item['accountId'] === accountId);

  /** Every message and tap must be stored. */
  function checkStored(id: string, { accountId, atMs }: { accountId: string; atMs: number }): void {
    if (answerOf(id, accountId) === undefined && !isExcused(id, accountId, atMs))
      violate(`the message ${id} was lost`);
  }

  /**
   * Returns the time at which the service first accepted the webhook of a comment or message. Until then, only Instagram can repeat it.
   */
  function acceptedMs({ commentId, atMs }: Said): number {
    const accepted = webhooks.filter(({ status, body }) => status === 200 && body.includes(commentId));
    return Math.max(atMs, Math.min(...accepted.map(({ at }) => at)));
  }

  /** The first call of an action must be made soon. Later calls wait for the proof that the first left nothing. */
  function checkLateness(action: AutomationAction, comment: Said, atMs: number): void {
    const { calls = [], kind } = action;
    const { commentId } = comment;
    const askedMs = acceptedMs(comment);
    const storedMs = firstSeenMs.get(storedKey(commentId, action.accountId)) ?? askedMs;
    const lastTroubleMs = world.lastTroubleMs();
    const storedLatestMs = world.isCalm
      ? askedMs + calmMs
      : Math.max(askedMs, lastTroubleMs) + redeliveryMs + recoveryMs;
    if (storedMs > storedLatestMs)
      violate(`${commentId} was stored ${storedMs - storedLatestMs} ms too late`);
    if (calls.length > 1) return;
    const pauseEndMs = pauses.endMs({ ...action, platform: 'instagram' });
    const readyMs = Math.max(storedMs, usableAgainMs.get(action.accountId) ?? 0);
    const latestMs = Math.max(
      world.isCalm ? storedMs + calmMs : Math.max(readyMs, lastTroubleMs) + resentMs + recoveryMs,
      pauseEndMs === 0 ? 0 : pauseEndMs + heldMs,
    );
    if (atMs > latestMs) violate(`the ${kind} for ${commentId} was sent ${atMs - latestMs} ms too late`);
  }

  return { checkEnd };
}
