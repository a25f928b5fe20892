import { type Actor, accountsOf } from '../../access/actor.ts';
import type { Target } from '../../targets/schemas.ts';
import type { Post } from './schemas.ts';

/**
 * Returns true if a post exists for the actor: if it may use all accounts of the post and of its chain. Steps count as long as
 * the post has them: changing or deleting the post also changes or deletes what they publish. A draft without accounts is visible
 * to every key. Pure.
 *
 * @param targets the post's targets, if they were read too: a concurrent edit may have changed them since the post was read
 */
export function seesPost(
  actor: Actor,
  { targets: summaries, chain = [] }: Pick<Post, 'targets' | 'chain'>,
  targets: readonly Pick<Target, 'accountId'>[] = [],
): boolean {
  const visible = accountsOf(actor);
  if (visible === undefined) return true;
  const accountIds = [
    ...[...summaries, ...targets].map(({ accountId }) => accountId),
    ...chain.flatMap((step) => step.accountIds),
  ];
  return accountIds.every((accountId) => visible.has(accountId));
}
