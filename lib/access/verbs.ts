import type { Permission, Role } from './permissions.ts';

/** The actors that may use a verb. Nobody else may. */
export interface VerbRule {
  /** The permission that an API key needs; absent if no key may. */
  readonly permission?: Permission;
  /** The permission that an API key needs for a post that is no draft, or no longer one afterwards. See `requireBeyondDrafts`. */
  readonly beyondDrafts?: Permission;
  /** The lowest role that a person needs; absent if no person may. */
  readonly role?: Role;
  /** True if operators may, with the admin command. */
  readonly isForOperators?: true;
  /** True if it concerns all accounts of the workspace. A key that is limited to some accounts may not use it. */
  readonly isAboutAllAccounts?: true;
  /** True if a person must have signed in within the last ten minutes. */
  readonly needsRecentSignIn?: true;
  /** True if it changes nothing. The audit log leaves it out. */
  readonly isRead?: true;
}

const reads = { permission: 'read', role: 'member', isRead: true } as const;
const publishes = { permission: 'publish', role: 'member' } as const;
const drafts = { permission: 'draft', role: 'member' } as const;
const draftsOrPublishes = { ...drafts, beyondDrafts: 'publish' } as const;
const connects = { permission: 'connect', role: 'member', isAboutAllAccounts: true } as const;
const automates = { permission: 'automate', role: 'member' } as const;
const notifies = { permission: 'webhooks', role: 'owner', isAboutAllAccounts: true } as const;
const issuesKeys = { role: 'owner', isForOperators: true, needsRecentSignIn: true } as const;
const managesMembers = { role: 'owner', isForOperators: true, needsRecentSignIn: true } as const;
const showsSecrets = { ...notifies, needsRecentSignIn: true } as const;
const operates = { isForOperators: true } as const;

const rules = {
  'workspace.read': { ...reads, isForOperators: true },
  'workspace.edit': { permission: 'connect', role: 'owner', isForOperators: true, isAboutAllAccounts: true },
  'workspace.read-punctuality': { ...reads, isAboutAllAccounts: true },
  'workspace.list': { ...operates, isRead: true },
  'workspace.create': operates,
  'workspace.set-quota': operates,
  'workspace.set-redirect-hosts': operates,
  'workspace.set-rate-limit': operates,
  'workspace.rebuild': operates,
  'workspace.suspend': operates,
  'workspace.resume': operates,
  'workspace.delete': operates,

  'member.read': { role: 'member', isForOperators: true, isRead: true },
  'member.invite': managesMembers,
  // An invited person answers. The person has no place in the workspace yet, so nothing here allows it.
  'member.join': {},
  'member.decline': {},
  'member.leave': { role: 'member' },
  'member.edit': managesMembers,
  'member.remove': managesMembers,

  'key.read': { role: 'owner', isForOperators: true, isRead: true },
  'key.create': issuesKeys,
  'key.rotate': issuesKeys,
  'key.revoke': issuesKeys,
  'key.set-rate-limit': issuesKeys,

  'audit.read': {
    permission: 'read',
    role: 'owner',
    isForOperators: true,
    isAboutAllAccounts: true,
    isRead: true,
  },

  'account.read': reads,
  'account.connect': connects,
  'account.read-attempt': { ...connects, isRead: true },
  'account.edit': publishes,
  'account.disconnect': { permission: 'connect', role: 'owner', needsRecentSignIn: true },
  'board.create': publishes,
  'rhythm.read': reads,
  'rhythm.set': publishes,

  'media.read': reads,
  'media.upload': drafts,
  'media.read-parts': { ...drafts, isRead: true },
  'media.complete': drafts,
  'media.preview': drafts,
  'media.import': drafts,
  'media.delete': publishes,

  'post.read': { ...reads, isForOperators: true },
  'post.validate': { ...drafts, isRead: true },
  'post.create': draftsOrPublishes,
  'post.edit': draftsOrPublishes,
  'post.delete': draftsOrPublishes,
  'post.resolve': publishes,
  'post.unpublish': publishes,
  'post.retry': { ...publishes, isForOperators: true },

  'tag.read': reads,
  'tag.edit': { ...publishes, isAboutAllAccounts: true },
  'tag.delete': { ...publishes, isAboutAllAccounts: true },
  'snippet.read': reads,
  'snippet.create': { ...publishes, isAboutAllAccounts: true },
  'snippet.edit': { ...publishes, isAboutAllAccounts: true },
  'snippet.delete': { ...publishes, isAboutAllAccounts: true },

  'metrics.read': reads,

  'webhook.read': {
    permission: 'read',
    role: 'owner',
    isForOperators: true,
    isAboutAllAccounts: true,
    isRead: true,
  },
  'webhook.create': showsSecrets,
  // What sends events elsewhere needs a recent sign-in too: see `editWebhook`.
  'webhook.edit': { ...notifies, isForOperators: true },
  'webhook.delete': notifies,
  'webhook.rotate-secret': showsSecrets,
  'webhook.test': notifies,
  'webhook.redeliver': notifies,
  'webhook.replay': notifies,
  // A key that is limited to some accounts reads the events about these.
  'event.read': { permission: 'webhooks', role: 'owner', isRead: true },

  'automation.read': { ...reads, isForOperators: true },
  'automation.create': automates,
  'automation.edit': automates,
  'automation.delete': automates,

  'pause.read': { ...operates, isRead: true },
  'pause.begin': operates,
  'pause.end': operates,
  'queue.read': { ...operates, isRead: true },
  'stage.read': { ...operates, isRead: true },
  'queue.redrive': operates,
  'stage.restore': operates,
} as const satisfies Record<string, VerbRule>;

/** Something that can be done to a workspace: the noun and the action. The audit log uses the same names. */
export type Verb = keyof typeof rules;

/** The only definition of who may do what. The API, the admin command and the OpenAPI document follow it. */
export const verbs: Readonly<Record<Verb, VerbRule>> = rules;

export const verbNames = Object.keys(rules) as readonly Verb[];
