import { accountList, targetKey } from '../table/keys.ts';
import { Target } from './schemas.ts';
import { overdueKeys } from './wake.ts';

/** A new target's item as stored. If it has a wake, the index `overdue` finds it then. */
export function targetItem(target: Target): Record<string, unknown> {
  const { options, preparation, dueAt: _dueAt, dueShard: _dueShard, ...rest } = target;
  return {
    ...targetKey(target.workspaceId, target.postId, target.accountId),
    kind: 'target',
    ...rest,
    options: JSON.stringify(options),
    ...(preparation && { preparation: JSON.stringify(preparation) }),
    ...overdueKeys(target),
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

/** Returns the time from which a target counts as overdue, as a timestamp; `undefined` if it has no wake. */
export function overdueSince({ wakeAt, leaseUntil }: Target): string | undefined {
  return wakeAt && leaseUntil && leaseUntil > wakeAt ? leaseUntil : wakeAt;
}
