import type { LivePost } from '@herald/platform-simulators/kit/live-post.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { Platforms } from '../platforms/platforms.ts';
import type { World } from '../world/world.ts';
import { callsOf, readTarget } from './calls.ts';

interface RemovalPorts {
  readonly world: World;
  readonly committed: Committed;
  readonly platforms: Platforms;
  /** True if the account was disconnected, or connected again, during the run. */
  readonly wasDisconnected: (accountId: string) => boolean;
  /** True if another target of the account has the same text, so that one may be taken for the other. */
  readonly isTwin: (accountId: string) => boolean;
}

/**
 * Checks that a target that was taken down never goes live again, that its posts are gone in the end unless something in the run
 * explains a failure, and that no other post is deleted.
 */
export function createRemovalCheck({ world, committed, platforms, wasDisconnected, isTwin }: RemovalPorts) {
  const { violate } = world;

  committed.listen(({ kind, key, before, after }: Change) => {
    if (kind !== 'target' || !before || !after || before['removal'] === undefined) return;
    if (after['removal'] === undefined) violate(`${key} has lost its removal`);
    if (callsOf(after).length > callsOf(before).length)
      violate(`${key} has an intent to go live, but was taken down`);
    if (before['removedAt'] !== undefined && before['removedAt'] !== after['removedAt'])
      violate(`${key} was removed, and was then changed`);
  });

  const failureIsExplained = ({ accountId, removal }: Target): boolean =>
    removal?.errorDetail?.code !== 'internal' && (wasDisconnected(accountId) || !world.isCalm);

  return {
    async checkEnd(): Promise<void> {
      const live = new Map<string, Set<string>>();
      for (const platform of platforms.names) {
        const posts = (await platforms.control(platform, 'GET', 'posts')) as readonly LivePost[];
        live.set(platform, new Set(posts.map(({ id }) => id)));
      }
      for (const target of committed.ofKind('target').map(readTarget)) {
        const { platform, platformPostId = '', accountId, removal, status } = target;
        const name = `the post of ${target.postId} on ${accountId}`;
        const isThere = live.get(platform)?.has(platformPostId) ?? false;
        if (removal?.state === 'requested') violate(`${name} still waits for its removal`);
        if (removal?.state === 'removed' && isThere) violate(`${name} was removed, but is live`);
        if (removal?.state === 'failed' && !failureIsExplained(target))
          violate(`${name} was not removed: ${removal.error}`);
        const isOwn = status === 'published' && platformPostId !== '' && !isTwin(accountId);
        if (isOwn && !isThere && removal === undefined)
          violate(`${name} was deleted, but nobody has asked for that`);
      }
    },
  };
}
