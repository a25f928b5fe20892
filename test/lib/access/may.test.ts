import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../lib/access/actor.ts';
import { reasonAgainst, recentSignInMs, requireMay, requireRecentSignIn } from '../../../lib/access/may.ts';
import { Permission } from '../../../lib/access/permissions.ts';
import { type Verb, verbNames, verbs } from '../../../lib/access/verbs.ts';
import { operations } from '../../../lib/operations.ts';
import { startMs } from '../../support/builders.ts';

const session = { sessionId: 's', signedInAt: 0 };

/** Every kind of actor, by the column of the table below. */
const actors: Readonly<Record<string, Actor>> = {
  ...Object.fromEntries(
    Permission.options.map((name) => [name, { kind: 'key', id: 'k', permissions: [name] } as const]),
  ),
  'full key': { kind: 'key', id: 'k' },
  'key of one account': { kind: 'key', id: 'k', accountIds: ['a'] },
  'key without permissions': { kind: 'key', id: 'k', permissions: [] },
  member: { kind: 'person', id: 'p', role: 'member', ...session },
  owner: { kind: 'person', id: 'p', role: 'owner', ...session },
  operator: { kind: 'operator', id: 'ada' },
};

const reading = ['read', 'full key', 'key of one account', 'member', 'owner'];
const publishing = ['publish', 'full key', 'key of one account', 'member', 'owner'];
const publishingForAll = ['publish', 'full key', 'member', 'owner'];
/** `publish` includes `draft`. */
const drafting = ['draft', ...publishing];
const automating = ['automate', 'full key', 'key of one account', 'member', 'owner'];
const connecting = ['connect', 'full key', 'member', 'owner'];
const notifying = ['webhooks', 'full key', 'owner'];

/** The roles that may, for each verb. It repeats the rules on purpose: a change of a rule must be made twice. */
const whoMay: Readonly<Record<Verb, readonly string[]>> = {
  'workspace.read': [...reading, 'operator'],
  'workspace.edit': ['connect', 'full key', 'owner', 'operator'],
  'workspace.read-punctuality': ['read', 'full key', 'member', 'owner'],
  'workspace.list': ['operator'],
  'workspace.create': ['operator'],
  'workspace.set-quota': ['operator'],
  'workspace.set-redirect-hosts': ['operator'],
  'workspace.set-rate-limit': ['operator'],
  'workspace.rebuild': ['operator'],
  'workspace.suspend': ['operator'],
  'workspace.resume': ['operator'],
  'workspace.delete': ['operator'],
  'member.read': ['member', 'owner', 'operator'],
  'member.invite': ['owner', 'operator'],
  'member.join': [],
  'member.decline': [],
  'member.leave': ['member', 'owner'],
  'member.edit': ['owner', 'operator'],
  'member.remove': ['owner', 'operator'],
  'key.read': ['owner', 'operator'],
  'key.create': ['owner', 'operator'],
  'key.rotate': ['owner', 'operator'],
  'key.revoke': ['owner', 'operator'],
  'key.set-rate-limit': ['owner', 'operator'],
  'audit.read': ['read', 'full key', 'owner', 'operator'],
  'account.read': reading,
  'metrics.read': reading,
  'tag.read': reading,
  'tag.edit': publishingForAll,
  'tag.delete': publishingForAll,
  'snippet.read': reading,
  'snippet.create': publishingForAll,
  'snippet.edit': publishingForAll,
  'snippet.delete': publishingForAll,
  'account.connect': connecting,
  'account.read-attempt': connecting,
  'account.edit': publishing,
  'account.disconnect': ['connect', 'full key', 'key of one account', 'owner'],
  'board.create': publishing,
  'rhythm.read': reading,
  'rhythm.set': publishing,
  'media.read': reading,
  'media.preview': drafting,
  'media.upload': drafting,
  'media.read-parts': drafting,
  'media.complete': drafting,
  'media.import': drafting,
  'media.delete': publishing,
  'post.read': [...reading, 'operator'],
  'post.validate': drafting,
  'post.create': drafting,
  'post.edit': drafting,
  'post.delete': drafting,
  'post.resolve': publishing,
  'post.unpublish': publishing,
  'post.retry': [...publishing, 'operator'],
  'webhook.read': ['read', 'full key', 'owner', 'operator'],
  'webhook.create': notifying,
  'webhook.edit': [...notifying, 'operator'],
  'webhook.delete': notifying,
  'webhook.rotate-secret': notifying,
  'webhook.test': notifying,
  'webhook.redeliver': notifying,
  'webhook.replay': notifying,
  'event.read': [...notifying, 'key of one account'],
  'automation.read': [...reading, 'operator'],
  'automation.create': automating,
  'automation.edit': automating,
  'automation.delete': automating,
  'pause.read': ['operator'],
  'pause.begin': ['operator'],
  'pause.end': ['operator'],
  'queue.read': ['operator'],
  'stage.read': ['operator'],
  'queue.redrive': ['operator'],
  'stage.restore': ['operator'],
};

const cases = verbNames.flatMap((verb) =>
  Object.entries(actors).map(([name, actor]) => {
    const may = whoMay[verb].includes(name);
    return { verb, name, actor, may, word: may ? 'may' : 'may not' };
  }),
);

describe('who may do what', () => {
  it.each(cases)('$name: $word $verb', ({ actor, verb, may }) => {
    expect(reasonAgainst(actor, verb) === undefined).toBe(may);
  });

  it('names the permission that a key lacks', () => {
    const key: Actor = { kind: 'key', id: 'k', permissions: ['read'] };
    expect(() => requireMay(key, 'post.retry')).toThrow('this API key lacks the permission "publish"');
    expect(() => requireMay(key, 'post.create')).toThrow(
      expect.objectContaining({ code: 'permission_missing' }),
    );
    expect(() => requireMay(key, 'media.upload')).toThrow(
      'this API key lacks the permission "draft" or "publish"',
    );
  });

  it('names the limit to accounts if that is what stands against it', () => {
    const key: Actor = { kind: 'key', id: 'k', accountIds: ['a'] };
    expect(() => requireMay(key, 'webhook.create')).toThrow('this API key is limited to some accounts');
  });
});

describe('the operations of the API', () => {
  const withKey = operations.filter(({ access }) => access === 'key');

  it.each(withKey)('$method $path is open to some key', ({ verb }) => {
    expect(verb && verbs[verb].permission).toBeDefined();
  });

  it.each(withKey)('$method $path is a read if and only if it changes nothing', ({ method, verb, path }) => {
    const isRead = method === 'GET' || path.endsWith('/validate') || path.endsWith('/try');
    expect(verb && (verbs[verb].isRead ?? false)).toBe(isRead);
  });

  it('never let a key do what only operators and owners may', () => {
    const used = new Set(withKey.map(({ verb }) => verb));
    const notForKeys = verbNames.filter((verb) => verbs[verb].permission === undefined);
    expect(notForKeys.filter((verb) => used.has(verb))).toEqual([]);
  });
});

describe('a verb that needs a recent sign-in', () => {
  const now = startMs;
  const person = (ageMs: number): Actor => ({
    kind: 'person',
    id: 'p',
    role: 'owner',
    sessionId: 's',
    signedInAt: now - ageMs,
  });

  it('is issuing and rotating keys and secrets, changing members, and disconnecting accounts', () => {
    expect(verbNames.filter((verb) => verbs[verb].needsRecentSignIn)).toEqual([
      'member.invite',
      'member.edit',
      'member.remove',
      'key.create',
      'key.rotate',
      'key.revoke',
      'key.set-rate-limit',
      'account.disconnect',
      'webhook.create',
      'webhook.rotate-secret',
    ]);
  });

  it.each<[string, Actor, Verb, boolean]>([
    ['a person who has just signed in', person(0), 'key.create', true],
    ['a person just before the ten minutes are over', person(recentSignInMs - 1), 'key.create', true],
    ['a person when the ten minutes are over', person(recentSignInMs), 'key.create', false],
    ['a person who never proved who they are', person(now), 'member.invite', false],
    ['a person, for another verb', person(now), 'key.read', true],
    ['an API key', actors['full key'] as Actor, 'webhook.create', true],
    ['an operator', actors['operator'] as Actor, 'key.create', true],
  ])('lets %s: %s', (_who, actor, verb, isAllowed) => {
    const ask = () => requireRecentSignIn(actor, verb, now);
    if (isAllowed) expect(ask()).toBeUndefined();
    else expect(ask).toThrow(expect.objectContaining({ code: 'sign_in_again' }));
  });
});
