import type { Verb } from '../../../access/verbs.ts';
import { addDays, isDay, startOfDay } from '../../time.ts';

interface Texts {
  /** Follows the name of who did it: “Ada created a post”. */
  readonly did: string;
  /** Follows “tried to” and “began to”, and is in the list of actions. */
  readonly todo: string;
}

/** The verbs of the audit log in words. Verbs that only read have no entries. */
const texts = {
  'post.create': { did: 'created a post', todo: 'create a post' },
  'post.edit': { did: 'edited a post', todo: 'edit a post' },
  'post.delete': { did: 'deleted a post', todo: 'delete a post' },
  'post.resolve': {
    did: 'said what became of a destination',
    todo: 'say what became of a destination',
  },
  'post.unpublish': { did: 'took a post down', todo: 'take a post down' },
  'post.retry': { did: 'retried a post', todo: 'retry a post' },

  'tag.edit': { did: 'changed a tag', todo: 'change a tag' },
  'tag.delete': { did: 'deleted a tag', todo: 'delete a tag' },
  'snippet.create': { did: 'saved a text', todo: 'save a text' },
  'snippet.edit': { did: 'changed a saved text', todo: 'change a saved text' },
  'snippet.delete': { did: 'deleted a saved text', todo: 'delete a saved text' },

  'media.preview': { did: 'stored a picture of a video', todo: 'store a picture of a video' },
  'media.upload': { did: 'began an upload', todo: 'upload a file' },
  'media.complete': { did: 'completed an upload', todo: 'complete an upload' },
  'media.import': { did: 'imported a file', todo: 'import a file' },
  'media.delete': { did: 'deleted a file', todo: 'delete a file' },

  'account.connect': { did: 'connected an account', todo: 'connect an account' },
  'account.edit': {
    did: 'changed an account’s default options',
    todo: 'change an account’s default options',
  },
  'account.disconnect': { did: 'disconnected an account', todo: 'disconnect an account' },
  'board.create': { did: 'created a board', todo: 'create a board' },
  'rhythm.set': { did: 'changed an account’s rhythm', todo: 'change an account’s rhythm' },

  'automation.create': { did: 'created an automation', todo: 'create an automation' },
  'automation.edit': { did: 'changed an automation', todo: 'change an automation' },
  'automation.delete': { did: 'deleted an automation', todo: 'delete an automation' },

  'webhook.create': { did: 'added a webhook endpoint', todo: 'add a webhook endpoint' },
  'webhook.edit': { did: 'changed a webhook endpoint', todo: 'change a webhook endpoint' },
  'webhook.delete': { did: 'deleted a webhook endpoint', todo: 'delete a webhook endpoint' },
  'webhook.rotate-secret': {
    did: 'rotated the secret of a webhook endpoint',
    todo: 'rotate the secret of a webhook endpoint',
  },
  'webhook.test': { did: 'sent a test event', todo: 'send a test event' },
  'webhook.redeliver': { did: 'sent an event again', todo: 'send an event again' },
  'webhook.replay': {
    did: 'replayed events to a webhook endpoint',
    todo: 'replay events to a webhook endpoint',
  },

  'key.create': { did: 'issued an API key', todo: 'issue an API key' },
  'key.rotate': { did: 'rotated an API key', todo: 'rotate an API key' },
  'key.revoke': { did: 'revoked an API key', todo: 'revoke an API key' },
  'key.set-rate-limit': {
    did: 'changed the rate limit of an API key',
    todo: 'change the rate limit of an API key',
  },

  'member.invite': { did: 'invited a member', todo: 'invite a member' },
  'member.decline': { did: 'declined an invitation', todo: 'decline an invitation' },
  'member.leave': { did: 'left the workspace', todo: 'leave the workspace' },
  'member.join': { did: 'joined the workspace', todo: 'join the workspace' },
  'member.edit': { did: 'changed a member’s role', todo: 'change a member’s role' },
  'member.remove': {
    did: 'removed a member or withdrew an invitation',
    todo: 'remove a member or withdraw an invitation',
  },

  'workspace.edit': {
    did: 'changed the workspace’s name or time zone',
    todo: 'change the workspace’s name or time zone',
  },
  'workspace.create': { did: 'created the workspace', todo: 'create the workspace' },
  'workspace.set-quota': { did: 'changed the storage quota', todo: 'change the storage quota' },
  'workspace.set-redirect-hosts': {
    did: 'changed where connecting may return to',
    todo: 'change where connecting may return to',
  },
  'workspace.set-rate-limit': {
    did: 'changed the workspace’s rate limit',
    todo: 'change the workspace’s rate limit',
  },
  'workspace.rebuild': { did: 'rebuilt the workspace’s lists', todo: 'rebuild the workspace’s lists' },
  'workspace.suspend': { did: 'suspended the workspace', todo: 'suspend the workspace' },
  'workspace.resume': { did: 'resumed the workspace', todo: 'resume the workspace' },
  'workspace.delete': { did: 'marked the workspace for deletion', todo: 'mark the workspace for deletion' },

  'pause.begin': { did: 'paused publishing', todo: 'pause publishing' },
  'pause.end': { did: 'resumed publishing', todo: 'resume publishing' },
  'queue.redrive': {
    did: 'sent failed messages of a queue again',
    todo: 'send failed messages of a queue again',
  },
  'stage.restore': { did: 'restored from a backup', todo: 'restore from a backup' },
} as const satisfies Partial<Record<Verb, Texts>>;

type AuditVerb = keyof typeof texts;

export const auditVerbs = Object.keys(texts) as readonly AuditVerb[];

export const isAuditVerb = (text: string): text is AuditVerb => Object.hasOwn(texts, text);

/** A verb of another release is shown as it is: `did “post.merge”`. */
export const textsOf = (verb: string): Texts =>
  isAuditVerb(verb) ? texts[verb] : { did: `did “${verb}”`, todo: `do “${verb}”` };

/** Returns the name of a choice: “Create a post”. */
export const titleOf = (verb: AuditVerb): string => {
  const { todo } = texts[verb];
  return todo.charAt(0).toUpperCase() + todo.slice(1);
};

/**
 * The query for a range of days on the clocks of a zone, both included. What is no day does not limit it.
 *
 * @returns ISO times; `to` is the first moment after the range. `undefined` if the range ends before it begins
 */
export function rangeOf(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): { readonly from?: string; readonly to?: string } | undefined {
  if (isDay(from) && isDay(to) && to < from) return undefined;
  return {
    ...(isDay(from) && { from: startOfDay(from, timeZone).toISOString() }),
    ...(isDay(to) && { to: startOfDay(addDays(to, 1), timeZone).toISOString() }),
  };
}
