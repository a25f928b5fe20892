import { operations } from '../../lib/operations.ts';
import type { Table } from '../../lib/table/table.ts';
import { storeAutomation } from './automations.ts';
import { referenceTo, storeAccount, storeMedia, storePost } from './builders.ts';
import { smallJpeg } from './small-jpeg.ts';
import { storeSnippet } from './tags.ts';
import { storeDelivery, storeRecordedEvent, storeWebhook } from './webhooks.ts';

/** Every operation on one thing that has an id. */
export const operationsById = operations.filter(({ path }) => path.includes('{id}'));

/** Bodies that would change something. Operations without a body here take none. */
export const bodiesById: Readonly<Record<string, object>> = {
  updatePost: { content: 'mine now' },
  duplicatePost: {},
  retryPost: {},
  unpublishPost: {},
  resolveTarget: { outcome: 'not live' },
  updateAccount: { defaultOptions: null },
  setRhythm: { gapMinutes: 60 },
  updateWebhook: { description: 'mine now' },
  redeliverFailedEvents: { since: '2026-01-01T00:00:00Z' },
  replayEvents: { since: '2026-01-01T00:00:00Z' },
  updateCommentAutomation: { name: 'mine now' },
  tryCommentAutomation: { text: 'x' },
  updateSnippet: { content: 'mine now' },
  storeMediaPreview: { data: smallJpeg },
  createBoard: { name: 'mine now' },
  createBoardSection: { name: 'mine now' },
};

/** The ids of one thing of each kind. */
export interface StoredIds {
  readonly accountId: string;
  readonly postId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly automationId: string;
  readonly mediaId: string;
  readonly snippetId: string;
}

/** Returns the name of the id in an operation's path. */
export function nounOf(path: string): keyof StoredIds {
  if (path.includes('/accounts/')) return 'accountId';
  if (path.includes('/media/')) return 'mediaId';
  if (path.includes('/snippets/')) return 'snippetId';
  if (path.includes('/events/')) return 'eventId';
  if (path.includes('/comment-automations/')) return 'automationId';
  return path.includes('/webhooks/') ? 'webhookId' : 'postId';
}

/** Stores an account, with a post, a draft with a file and an automation for it, a webhook with a delivery, and an event. */
export async function storeOneOfEach(table: Table, workspaceId: string): Promise<StoredIds> {
  const account = await storeAccount(table, workspaceId);
  const media = await storeMedia(table, workspaceId);
  // The file is one of a draft: a file that a scheduled post uses cannot be deleted.
  await storePost(table, workspaceId, [{ accountId: account.id, status: 'draft', wakeAt: undefined }], {
    status: 'draft',
    mediaItems: [referenceTo(media)],
  });
  const { post } = await storePost(table, workspaceId, [{ accountId: account.id }]);
  const webhook = await storeWebhook(table, workspaceId);
  const delivery = await storeDelivery(table, webhook, { status: 'failed' });
  const automation = await storeAutomation(table, workspaceId, { accountId: account.id });
  return {
    accountId: account.id,
    postId: post.id,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    eventId: await storeRecordedEvent(table, workspaceId, [account.id]),
    automationId: automation.id,
    mediaId: media.id,
    snippetId: (await storeSnippet(table, workspaceId)).id,
  };
}
