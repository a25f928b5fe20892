import { isDeepStrictEqual } from 'node:util';
import { accountFromItem } from '../accounts/store.ts';
import type { RiskSubject } from '../overdue/risk-checks.ts';
import { Pause } from '../pauses/schemas.ts';
import { scopeFromText } from '../pauses/scope.ts';
import type { ItemChange } from '../table/stream.ts';

/** The fields of an account on which its posts depend. */
const accountFields = ['status', 'disconnectedAt', 'connectedAt', 'reconnectBy', 'scopes', 'meta'] as const;

/**
 * Returns the waiting posts that a change of an account, a file or a pause concerns; `undefined` if there are none. Pure.
 *
 * @throws if an item cannot be read
 */
export function subjectOfChange({
  before,
  after,
}: Pick<ItemChange, 'before' | 'after'>): RiskSubject | undefined {
  const item = after ?? before;
  switch (item?.['kind']) {
    case 'account': {
      if (!before || !after) return undefined;
      const [was, is] = [accountFromItem(before), accountFromItem(after)];
      const isChanged = accountFields.some((name) => !isDeepStrictEqual(was[name], is[name]));
      return isChanged ? { kind: 'account', workspaceId: is.workspaceId, accountId: is.id } : undefined;
    }
    case 'media': {
      const isLost = after?.['status'] === 'invalid' && before?.['status'] !== 'invalid';
      return isLost
        ? { kind: 'file', workspaceId: String(after['workspaceId']), mediaId: String(after['id']) }
        : undefined;
    }
    case 'pause': {
      if (before && after) return undefined;
      const { scope } = Pause.parse(item);
      const where = scopeFromText(scope);
      return {
        kind: 'pause',
        scope,
        ...(where.kind !== 'platform' && { workspaceId: where.workspaceId }),
      };
    }
    default:
      return undefined;
  }
}
