import type { listKeysOperation, listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { addDays, startOfDay } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useMe } from '../../workspace.tsx';

export type Key = ReplyOf<typeof listKeysOperation>['keys'][number];
export type Permission = NonNullable<Key['permissions']>[number];
type Actor = NonNullable<Key['createdBy']>;

/** Says who did something, by the members and keys of the workspace. */
export function useActorName(keys: readonly Key[]): (actor: Actor) => string {
  const { person } = useMe();
  const { data } = useGet<typeof listMembersOperation>('/panel/members');
  const members = new Map(data?.members.map((member) => [member.personId, member.name ?? member.email]));
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]));
  return ({ kind, id }) => {
    if (kind === 'operator') return words.developersPage.actors.operator(id);
    if (kind === 'key') return words.developersPage.actors.key(keyNames.get(id) ?? id);
    if (id === person.id) return words.developersPage.actors.you;
    return (
      members.get(id) ??
      (data ? words.developersPage.actors.formerMember : words.developersPage.actors.member)
    );
  };
}

const dayMs = 86_400_000;
const unusedAfterDays = 30;
const expiresSoonDays = 14;

/** Returns true if a key works that nobody has used for 30 days. The day of the last use is in UTC. */
export function isUnused({ status, lastUsedOn, createdAt }: Key, now: number): boolean {
  const since = lastUsedOn === null ? Date.parse(createdAt) : Date.parse(`${lastUsedOn}T00:00:00Z`) + dayMs;
  return status === 'active' && now - since >= unusedAfterDays * dayMs;
}

/** Returns true if a key works that expires within two weeks. */
export const isExpiringSoon = ({ status, expiresAt }: Key, now: number): boolean =>
  status === 'active' && expiresAt !== null && Date.parse(expiresAt) - now < expiresSoonDays * dayMs;

const order = { active: 0, expired: 1, revoked: 2 } as const;

/** The keys that fit, those that work first; then the newest. */
export function findKeys(keys: readonly Key[], { words, status }: { words: string; status: string }): Key[] {
  const wanted = words.trim().toLowerCase();
  return keys
    .filter((key) => status === '' || key.status === status)
    .filter(({ name, lastFour, grant }) =>
      `${name} ${lastFour ?? grant?.clientHost ?? ''}`.toLowerCase().includes(wanted),
    )
    .toSorted((one, other) => order[one.status] - order[other.status]);
}

/** The end of a key. `date`: at the end of that day in the workspace's zone; empty until one is chosen. */
export type Expiry =
  | { readonly kind: 'never' }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'date'; readonly date: string };

/**
 * Returns the end of a key that is issued now.
 *
 * @param now epoch milliseconds
 * @returns ISO 8601; `undefined` for never, or if no day is chosen
 */
export function expiresAt(expiry: Expiry, timeZone: string, now: number): string | undefined {
  if (expiry.kind === 'days') return new Date(now + expiry.days * 86_400_000).toISOString();
  if (expiry.kind === 'never' || !/^\d{4}-\d\d-\d\d$/.test(expiry.date)) return undefined;
  return startOfDay(addDays(expiry.date, 1), timeZone).toISOString();
}

/** A request that a key with these permissions may send. None of them changes anything. */
export function requestFor(permissions: readonly Permission[] | null) {
  if (permissions === null || permissions.includes('read')) return { path: '/v1/accounts' };
  if (permissions.includes('draft') || permissions.includes('publish'))
    return {
      path: '/v1/posts/validate',
      body: { content: 'Hello', platforms: [{ platform: 'threads', accountId: '<account id>' }] },
    };
  return { path: '/v1/workspace' };
}
