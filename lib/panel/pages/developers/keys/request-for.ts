import type { Permission } from './permission-choice.tsx';

/** A request that a key with these permissions may send. None of them changes anything. */
export function requestFor(permissions: readonly Permission[] | null) {
  if (permissions === null || permissions.includes('read')) return { path: '/v1/accounts' };
  if (permissions.includes('publish'))
    return {
      path: '/v1/posts/validate',
      body: { content: 'Hello', platforms: [{ platform: 'threads', accountId: '<account id>' }] },
    };
  return { path: '/v1/workspace' };
}
