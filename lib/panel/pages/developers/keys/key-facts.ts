import type { Key } from '../names.ts';

const dayMs = 86_400_000;
const unusedAfterDays = 30;
const expiresSoonDays = 14;

/** Whether a key works that nobody has used for 30 days. The day of the last use is in UTC. */
export function isUnused({ status, lastUsedOn, createdAt }: Key, now: number): boolean {
  const since = lastUsedOn === null ? Date.parse(createdAt) : Date.parse(`${lastUsedOn}T00:00:00Z`) + dayMs;
  return status === 'active' && now - since >= unusedAfterDays * dayMs;
}

/** Whether a key works that expires within two weeks. */
export const isExpiringSoon = ({ status, expiresAt }: Key, now: number): boolean =>
  status === 'active' && expiresAt !== null && Date.parse(expiresAt) - now < expiresSoonDays * dayMs;

const order = { active: 0, expired: 1, revoked: 2 } as const;

/** The keys that fit, those that work first; then the newest. */
export function findKeys(keys: readonly Key[], { words, status }: { words: string; status: string }): Key[] {
  const wanted = words.trim().toLowerCase();
  return keys
    .filter((key) => status === '' || key.status === status)
    .filter(({ name, lastFour }) => `${name} ${lastFour ?? ''}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => order[one.status] - order[other.status]);
}
