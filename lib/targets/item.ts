import { accountList, dueShard, targetKey } from '../table/keys.ts';
import { Target } from './schemas.ts';

/**
 * A target as it is stored. While it waits for anything it is also found by the index `overdue`: under its wake, or
 * up to two minutes before it.
 */
export function targetItem(target: Target): Record<string, unknown> {
  const { options, preparation, dueAt: _dueAt, ...rest } = target;
  return {
    ...targetKey(target.workspaceId, target.postId, target.accountId),
    kind: 'target',
    ...rest,
    options: JSON.stringify(options),
    ...(preparation && { preparation: JSON.stringify(preparation) }),
    ...(target.wakeAt && { dueAt: target.wakeAt, dueShard: dueShard(target.postId) }),
    accountList: accountList(target.workspaceId, target.accountId),
    createdKey: target.postId,
  };
}

export function targetFromItem(item: Record<string, unknown>): Target {
  const { options, preparation } = item;
  return Target.parse({
    ...item,
    options: JSON.parse(String(options)),
    preparation: preparation === undefined ? undefined : JSON.parse(String(preparation)),
  });
}

/** Since when somebody should have looked after the target, as a timestamp; `undefined` where it waits for nothing. */
export function neglectedSince({ wakeAt, leaseUntil }: Target): string | undefined {
  return wakeAt && leaseUntil && leaseUntil > wakeAt ? leaseUntil : wakeAt;
}
