import { expect, it } from 'vitest';
import { eventExamples } from '../../../lib/api-contract/openapi/examples/webhooks.ts';
import type { EventContext, WebhookEventType } from '../../../lib/webhooks/schemas.ts';
import { toZernioEvent } from '../../../lib/zernio/events.ts';
import { eventNames } from '../../../lib/zernio/names.ts';
import { compileValues, type TypedValue } from '../../contract/clients/zernio.ts';

/** The SDK's type of the payload, by the beginning of the event's name. The longest one counts. */
const types: Readonly<Record<string, string>> = {
  'post.': 'WebhookPayloadPost',
  'post.platform.': 'WebhookPayloadPostPlatform',
  'account.connected': 'WebhookPayloadAccountConnected',
  'account.disconnected': 'WebhookPayloadAccountDisconnected',
  'comment.received': 'WebhookPayloadComment',
  'message.received': 'WebhookPayloadMessage',
  'webhook.test': 'WebhookPayloadTest',
};

function typeOf(event: string): string {
  const [longest] = Object.keys(types)
    .filter((beginning) => event.startsWith(beginning))
    .toSorted((one, other) => other.length - one.length);
  const type = types[longest ?? ''];
  if (type === undefined) throw new Error(`the SDK has no type for ${event}`);
  return type;
}

const context: EventContext = {
  post: { ...eventExamples['post.published'].post },
  account: { username: 'bakery', displayName: 'The Bakery' },
  personId: '6483920175628394',
  messageId: 'mid.1',
};

const sent = (theirs: string, ours: WebhookEventType, known: EventContext): TypedValue => ({
  type: typeOf(theirs),
  value: toZernioEvent(
    { id: 'e', type: ours, createdAt: '2026-03-01T12:00:00.000Z', data: eventExamples[ours] },
    known,
  ),
});

it('every event is what the SDK declares, with its context and without', async () => {
  const values = eventNames.flatMap(([theirs, ours]) => [
    sent(theirs, ours, context),
    sent(theirs, ours, {}),
    sent(theirs, ours, { account: { username: null, displayName: null } }),
  ]);
  expect(await compileValues('zernio-events', values)).toBe('');
});

it('what the SDK does not declare is found, as are wrong values of an open type', async () => {
  const { type, value } = sent('webhook.test', 'webhook.test', {});
  const wrong = [
    { type, value: { ...(value as object), more: 1 } },
    { type, value: { ...(value as object), more: 1, message: 5 }, isOpen: true },
  ];
  const found = await compileValues('zernio-events-wrong', wrong);
  expect(found).toContain('\'"more"\' does not exist');
  expect(found).toContain("'number' is not assignable to type 'string'");
  expect(found.trim().split('\n')).toHaveLength(2);
});
