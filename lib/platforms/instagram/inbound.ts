import { secondMs } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { CommentEvent, InboundEvent } from '../contract/inbound.ts';

/** What became of one piece of a delivery: an event, of no use here, or not understood. */
export type Reading = InboundEvent | 'skipped' | 'unreadable';

/** One element of `entry`: a change of its own, a list of them, or messages. Never throws. */
export function readEntry(entry: Json): readonly Reading[] {
  if (!isRecord(entry)) return ['unreadable'];
  const accountPlatformId = idOf(entry['id']);
  if (accountPlatformId === undefined) return ['unreadable'];
  const told: Told = { accountPlatformId, at: instant(entry['time']) };
  const { changes, messaging } = entry;
  const changed = Array.isArray(changes) ? changes : 'field' in entry ? [entry] : [];
  const messages = Array.isArray(messaging) ? messaging : [];
  if (changed.length === 0 && messages.length === 0) return ['unreadable'];
  return [
    ...changed.map((change) => readChange(change, told)),
    ...messages.map((item) => readMessaging(item, told)),
  ];
}

/**
 * Whether the account itself wrote the comment, which the parser cannot always tell: it comes under the account's id,
 * its app-scoped id or its name. Answering those would go on for ever.
 */
export function isOwnComment(
  { personId, username }: Pick<CommentEvent, 'personId' | 'username'>,
  account: { platformAccountId: string; username: string | null; meta: { readonly [key: string]: Json } },
): boolean {
  const isOwnName = username !== null && username.toLowerCase() === account.username?.toLowerCase();
  return isOwnName || personId === account.platformAccountId || personId === account.meta['appScopedId'];
}

/** The same for messages and taps, whose sender has no name. */
export function isOwnEvent(event: InboundEvent, account: Parameters<typeof isOwnComment>[1]): boolean {
  const username = event.kind === 'comment' ? event.username : null;
  return isOwnComment({ personId: event.personId, username }, account);
}

export function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whom a delivery is for, and when it was sent. */
interface Told {
  readonly accountPlatformId: string;
  readonly at: number | undefined;
}

/** Messages come as changes, too, from the test button of the app's page. */
function readChange(change: Json, told: Told): Reading {
  if (!isRecord(change)) return 'unreadable';
  const { field, value } = change;
  if (field === 'comments') return isRecord(value) ? readComment(value, told) : 'unreadable';
  if (field === 'messages' || field === 'messaging_postbacks') return readMessaging(value, told);
  return typeof field === 'string' ? 'skipped' : 'unreadable';
}

function readComment(value: { [key: string]: Json }, { accountPlatformId, at }: Told): Reading {
  const { from, media, text } = value;
  const commentId = idOf(value['id']) ?? idOf(value['comment_id']);
  const parentId = idOf(value['parent_id']);
  const personId = isRecord(from) ? idOf(from['id']) : undefined;
  // An advertisement has a media id of its own.
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
    username: words(sender['username']),
    text: words(text) ?? '',
    ...(at !== undefined && { at }),
  };
}

const passing = ['read', 'reaction', 'message_edit', 'referral', 'optin'];
const ownOrGone = ['is_echo', 'is_self', 'is_deleted'];

function readMessaging(item: Json | undefined, told: Told): Reading {
  if (!isRecord(item)) return 'unreadable';
  const { sender, message, postback } = item;
  const personId = isRecord(sender) ? idOf(sender['id']) : undefined;
  const at = instant(item['timestamp']) ?? told.at;
  const common = personId !== undefined && {
    accountPlatformId: told.accountPlatformId,
    personId,
    ...(at !== undefined && { at }),
  };
  if (isRecord(message)) {
    if (ownOrGone.some((mark) => message[mark] === true)) return 'skipped';
    const messageId = idOf(message['mid']);
    if (!common || messageId === undefined) return 'unreadable';
    if (personId === told.accountPlatformId) return 'skipped';
    const quickReply = message['quick_reply'];
    const payload = isRecord(quickReply) ? words(quickReply['payload']) : null;
    const text = words(message['text']);
    return { kind: 'message', ...common, messageId, text, ...(payload !== null && { payload }) };
  }
  if (isRecord(postback)) {
    if (!common) return 'unreadable';
    // Of a tap without an id, person and time tell whether it was seen before.
    const messageId = idOf(postback['mid']) ?? (at === undefined ? undefined : `tap.${personId}.${at}`);
    if (messageId === undefined) return 'unreadable';
    const [payload, title] = [words(postback['payload']) ?? '', words(postback['title'])];
    return { kind: 'tap', ...common, messageId, payload, title };
  }
  return passing.some((name) => name in item) ? 'skipped' : 'unreadable';
}

/** An id as text; numbers beyond 2^53 are text already. */
function idOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && value !== '' && value.length <= longestId
    ? value.toWellFormed()
    : undefined;
}

/** Above it keys of the table would not hold the id; message ids have some 150 characters. */
const longestId = 512;

function words(value: Json | undefined): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

const latestInstant = Date.UTC(2200, 0);

/** Comments are told in seconds and messages in milliseconds, both at times as text. */
function instant(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(number > 0) || number > latestInstant) return undefined;
  return Math.floor(number < 100_000_000_000 ? number * secondMs : number);
}
