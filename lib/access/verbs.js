const reads = { permission: 'read', role: 'member', isRead: true };
const publishes = { permission: 'publish', role: 'member' };
const connects = { permission: 'connect', role: 'member', isAboutAllAccounts: true };
const automates = { permission: 'automate', role: 'member' };
const notifies = { permission: 'webhooks', role: 'owner', isAboutAllAccounts: true };
const issuesKeys = { role: 'owner', isForOperators: true, needsRecentSignIn: true };
const managesMembers = { role: 'owner', isForOperators: true, needsRecentSignIn: true };
const showsSecrets = { ...notifies, needsRecentSignIn: true };
const operates = { isForOperators: true };
const rules = {
    'workspace.read': { ...reads, isForOperators: true },
    'workspace.edit': { permission: 'connect', role: 'owner', isAboutAllAccounts: true },
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
    'account.disconnect': { permission: 'connect', role: 'owner' },
    'board.create': publishes,
    'rhythm.read': reads,
    'rhythm.set': publishes,
    'media.read': reads,
    'media.upload': publishes,
    'media.import': publishes,
    'media.delete': publishes,
    'post.read': { ...reads, isForOperators: true },
    'post.validate': { ...publishes, isRead: true },
    'post.create': publishes,
    'post.edit': publishes,
    'post.delete': publishes,
    'post.retry': publishes,
    'webhook.read': { permission: 'read', role: 'owner', isAboutAllAccounts: true, isRead: true },
    'webhook.create': showsSecrets,
    'webhook.edit': notifies,
    'webhook.delete': notifies,
    'webhook.rotate-secret': showsSecrets,
    'webhook.test': notifies,
    'webhook.redeliver': notifies,
    'automation.read': reads,
    'automation.create': automates,
    'automation.edit': automates,
    'automation.delete': automates,
    'pause.read': { ...operates, isRead: true },
    'pause.begin': operates,
    'pause.end': operates,
    'queue.read': { ...operates, isRead: true },
    'queue.redrive': operates,
};
/**
 * The one definition of who may do what. The API, the admin command and the OpenAPI document follow it.
 */
export const verbs = rules;
export const verbNames = Object.keys(rules);
