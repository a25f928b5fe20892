import { secondMs } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { CommentEvent, InboundEvent } from '../contract/inbound.ts';

/** The result of parsing one part of a delivery: an event, a part that Herald ignores, or one that it cannot parse. */
export type Reading = InboundEvent | 'skipped' | 'unreadable';

/** Parses one element of `entry`: a single change, a list of changes, or messages. Never throws. */
export function readEntry(entry: Json): readonly Reading[] {
  if (!isRecord(entry)) return ['unreadable'];
  const accountPlatformId = idOf(entry['id']);
  if (accountPlatformId === undefined) return ['unreadable'];
  const source: Source = { accountPlatformId, at: instant(entry['time']) };
  const { changes, messaging } = entry;
  const changed = Array.isArray(changes) ? changes : 'field' in entry ? [entry] : [];
  const messages = Array.isArray(messaging) ? messaging : [];
  if (changed.length === 0 && messages.length === 0) return ['unreadable'];
  return [
    ...changed.map((change) => readChange(change, source)),
    ...messages.map((item) => readMessaging(item, source)),
  ];
}

/**
 * Returns true if the account itself wrote the comment. The parser alone cannot always tell, because Instagram may name
 * the account by its id, its app-scoped id or its username. Answering such comments would cause an endless loop.
 */
export function isOwnComment(
  { personId, username }: Pick<CommentEvent, 'personId' | 'username'>,
  account: { platformAccountId: string; username: string | null; meta: { readonly [key: string]: Json } },
): boolean {
  const isOwnName = username !== null && username.toLowerCase() === account.username?.toLowerCase();
  return isOwnName || personId === account.platformAccountId || personId === account.meta['appScopedId'];
}

/** Returns true if the account itself caused the event. Messages and taps have no username. */
export function isOwnEvent(event: InboundEvent, account: Parameters<typeof isOwnComment>[1]): boolean {
  const username = event.kind === 'comment' ? event.username : null;
  return isOwnComment({ personId: event.personId, username }, account);
}

export function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The account that a delivery is for, and the time at which the delivery was sent (epoch milliseconds). */
interface Source {
  readonly accountPlatformId: string;
  readonly at: number | undefined;
}

/** Parses a change. The test button of the app's page also sends messages as changes. */
function readChange(change: Json, source: Source): Reading {
  if (!isRecord(change)) return 'unreadable';
  const { field, value } = change;
  if (field === 'comments') return isRecord(value) ? readComment(value, source) : 'unreadable';
  if (field === 'messages' || field === 'messaging_postbacks') return readMessaging(value, source);
  return typeof field === 'string' ? 'skipped' : 'unreadable';
}

function readComment(value: { [key: string]: Json }, { accountPlatformId, at }: Source): Reading {
  const { from, media, text } = value;
  const commentId = idOf(value['id']) ?? idOf(value['comment_id']);
  const parentId = idOf(value['parent_id']);
  const personId = isRecord(from) ? idOf(from['id']) : undefined;
  // An advertisement has its own media id.
  const platformPostId = isRecord(media)
    ? (idOf(media['original_media_id']) ?? idOf(media['id']))
    : undefined;
  if (commentId === undefined || personId === undefined || platformPostId === undefined) return 'unreadable';
  const sender = isRecord(from) ? from : {};
  if (personId === accountPlatformId || personId === idOf(sender['self_ig_scoped_id'])) return 'skipped';
  return {
    kind: 'comment',
    accountPlatformId,
    personId,
    commentId,
    ...(parentId !== undefined && { parentId }),
    platformPostId,
    username: textOf(sender['username']),
    text: textOf(text) ?? '',
    ...(at !== undefined && { at }),
  };
}

const ignoredEvents = ['read', 'reaction', 'message_edit', 'referral', 'optin'];
const ignoredMarks = ['is_echo', 'is_self', 'is_deleted'];

function readMessaging(item: Json | undefined, source: Source): Reading {
  if (!isRecord(item)) return 'unreadable';
  const { sender, message, postback } = item;
  const personId = isRecord(sender) ? idOf(sender['id']) : undefined;
  const at = instant(item['timestamp']) ?? source.at;
  const common = personId !== undefined && {
    accountPlatformId: source.accountPlatformId,
    personId,
    ...(at !== undefined && { at }),
  };
  if (isRecord(message)) {
    if (ignoredMarks.some((mark) => message[mark] === true)) return 'skipped';
    const messageId = idOf(message['mid']);
    if (!common || messageId === undefined) return 'unreadable';
    if (personId === source.accountPlatformId) return 'skipped';
    const quickReply = message['quick_reply'];
    const payload = isRecord(quickReply) ? textOf(quickReply['payload']) : null;
    const text = textOf(message['text']);
    return {
      kind: 'message',
      ...common,
      messageId,
      text,
      ...(payload !== null && { payload }),
      ...(isStoryReply(message) && { isStoryReply: true }),
    };
  }
  if (isRecord(postback)) {
    if (!common) return 'unreadable';
    // A tap without an id is identified by person and time, so that a redelivery is recognized.
    const messageId = idOf(postback['mid']) ?? (at === undefined ? undefined : `tap.${personId}.${at}`);
    if (messageId === undefined) return 'unreadable';
    const [payload, title] = [textOf(postback['payload']) ?? '', textOf(postback['title'])];
    return { kind: 'tap', ...common, messageId, payload, title };
  }
  return ignoredEvents.some((name) => name in item) ? 'skipped' : 'unreadable';
}

/** A reply to another message has `reply_to.mid` instead ("Webhook Notification Examples" of the Instagram Platform, 24 November 2025). */
function isStoryReply({ reply_to: original }: { readonly [key: string]: Json }): boolean {
  return isRecord(original) && isRecord(original['story']);
}

/** Returns an id as text. The JSON parser has already turned numbers beyond 2^53 into text. */
function idOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && value !== '' && value.length <= longestId
    ? value.toWellFormed()
    : undefined;
}

/** The longest id that fits into the table's keys. Message ids have about 150 characters. */
const longestId = 512;

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

const latestInstant = Date.UTC(2200, 0);

/** Returns epoch milliseconds. Instagram sends seconds for comments and milliseconds for messages, sometimes as text. */
function instant(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(number > 0) || number > latestInstant) return undefined;
  return Math.floor(number < 100_000_000_000 ? number * secondMs : number);
}
