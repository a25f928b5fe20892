import { accountList, dueShard, targetKey } from '../table/keys.ts';
import { Target } from './schemas.ts';

/**
 * A target as it is stored. What is waiting for a moment is also found by the index `overdue`, whose keys exist only
 * while it waits.
 */
export function targetItem(target: Target): Record<string, unknown> {
  const { wakeAt, options, preparation, ...rest } = target;
  return {
    ...targetKey(target.workspaceId, target.postId, target.accountId),
    kind: 'target',
    ...rest,
    options: JSON.stringify(options),
    ...(preparation && { preparation: JSON.stringify(preparation) }),
    ...(wakeAt && { dueAt: wakeAt, dueShard: dueShard(target.postId) }),
    accountList: accountList(target.workspaceId, target.accountId),
    createdKey: target.postId,
  };
}

export function targetFromItem(item: Record<string, unknown>): Target {
  const { options, preparation, dueAt, ...rest } = item;
  return Target.parse({
    ...rest,
    options: JSON.parse(String(options)),
    preparation: preparation === undefined ? undefined : JSON.parse(String(preparation)),
    wakeAt: dueAt,
  });
}
