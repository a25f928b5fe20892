import type { Comment, Message, Person } from './state.ts';

/** An event that a webhook reports: a comment, a message or a tapped button. */
export type WebhookEvent =
  | { readonly field: 'comments'; readonly igId: string; readonly comment: Comment; readonly isAd: boolean }
  | { readonly field: 'messages'; readonly igId: string; readonly message: Message }
  | {
      readonly field: 'messaging_postbacks';
      readonly igId: string;
      readonly person: Pick<Person, 'id'>;
      readonly tap: { readonly mid: string; readonly title: string; readonly payload: string };
      readonly at: number;
    };

/** The payload shapes of deliveries, documented or observed. The simulator uses them in turn. */
export const shapes = ['changes', 'in the entry', 'comment_id', 'numbers', 'in a list'] as const;
export type Shape = (typeof shapes)[number];

/** Returns the body of one delivery. @param now epoch milliseconds */
export function payload(events: readonly WebhookEvent[], shape: Shape, now: number): string {
  const entries = [...groupBy(events, ({ igId }) => igId)].flatMap(([igId, ofAccount]) =>
    entriesOf(igId, ofAccount, shape, now),
  );
  const body = JSON.stringify({ object: 'instagram', entry: entries });
  if (shape === 'in a list') return `[${body}]`;
  // Writes ids as JSON numbers above 2^53, which `JSON.stringify` cannot do.
  return shape === 'numbers' ? body.replaceAll(/("id":)"(\d{17})"/g, '$1$2') : body;
}

function entriesOf(id: string, events: readonly WebhookEvent[], shape: Shape, now: number): unknown[] {
  const comments = events.filter((event) => event.field === 'comments');
  const changes = comments.map((event) => ({ field: event.field, value: commentValue(event, shape) }));
  const messaging = events.filter((event) => event.field !== 'comments').map(messagingItem);
  const seconds = Math.floor(now / 1000);
  const direct = shape === 'in the entry';
  return [
    ...(direct ? changes.map((change) => ({ id, time: seconds, ...change })) : []),
    ...(!direct && changes.length > 0 ? [{ id, time: seconds, changes }] : []),
    ...(messaging.length > 0 ? [{ id, time: now, messaging }] : []),
  ];
}

function commentValue(
  { comment, isAd }: Extract<WebhookEvent, { field: 'comments' }>,
  shape: Shape,
): unknown {
  const { id, mediaId, parentId, fromId, username, text } = comment;
  const media = isAd
    ? {
        id: `9${mediaId.slice(1)}`,
        media_product_type: 'AD',
        original_media_id: mediaId,
        ad_id: '6000000000001',
      }
    : { id: mediaId, media_product_type: 'FEED' };
  return {
    ...(shape === 'comment_id' ? { comment_id: id } : { id }),
    ...(parentId !== undefined && { parent_id: parentId }),
    from: { id: fromId, username },
    media,
    text,
  };
}

function messagingItem(event: Exclude<WebhookEvent, { field: 'comments' }>): unknown {
  if (event.field === 'messaging_postbacks') {
    const { igId, person, tap, at } = event;
    return { sender: { id: person.id }, recipient: { id: igId }, timestamp: at, postback: tap };
  }
  const { igId, personId, from, id, text, buttons, at, storyId } = event.message;
  const isEcho = from === 'account';
  const [sender, recipient] = isEcho ? [igId, personId] : [personId, igId];
  const template = { template_type: 'button', text, buttons };
  return {
    sender: { id: sender },
    recipient: { id: recipient },
    timestamp: at,
    message: {
      mid: id,
      ...(buttons.length === 0 ? { text } : { attachments: [{ type: 'template', payload: template }] }),
      ...(isEcho && { is_echo: true }),
      ...(storyId !== undefined && { reply_to: { story: storyOf(storyId) } }),
    },
  };
}

/** The story that a message replies to, as in "Webhook Notification Examples" of the Instagram Platform (24 November 2025). */
const storyOf = (id: string) => ({ url: `https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=${id}`, id });

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
