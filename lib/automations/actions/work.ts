import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { pauseAmong, pauseKeysOf } from '../../pauses/read.ts';
import type { Pause } from '../../pauses/schemas.ts';
import { commentPlatformNames } from '../../platforms/registry/comment-platforms.ts';
import { batchGet } from '../../table/batch-get.ts';
import { accountKey, automationKey, tokensKey } from '../../table/keys.ts';
import { Automation, type AutomationAction } from '../schemas.ts';
import type { ActionPorts } from './ports.ts';

/** A held action with everything that a commit needs. */
export interface HeldAction<Held extends AutomationAction = AutomationAction> {
  readonly ports: ActionPorts;
  readonly action: Held;
  /** Called with the action after each commit. */
  readonly onCommitted: (action: AutomationAction) => void;
}

/** A held action with the items to which it belongs. */
export interface Work<Held extends AutomationAction = AutomationAction> extends HeldAction<Held> {
  /** Absent if it was deleted. */
  readonly automation: Automation | undefined;
  readonly account: Account | undefined;
  readonly tokensItem: Record<string, unknown> | undefined;
  /** The pause of the account, its platform or its workspace; absent if there is none. */
  readonly pause: Pause | undefined;
}

/** Reads the items to which a held action belongs, in one request. */
export async function loadWork(held: HeldAction): Promise<Work> {
  const { ports, action } = held;
  const { workspaceId, accountId, automationId } = action;
  const keys = {
    automation: automationKey(workspaceId, automationId),
    account: accountKey(workspaceId, accountId),
    tokens: tokensKey(workspaceId, accountId),
  };
  // An action does not say its platform, so the pauses of all platforms with automations are read.
  const pauseKeys = commentPlatformNames.flatMap((platform) => pauseKeysOf({ ...action, platform }));
  const found = await batchGet(ports.table, [...Object.values(keys), ...pauseKeys]);
  const automation = found.get(keys.automation);
  const accountItem = found.get(keys.account);
  const account = accountItem && accountFromItem(accountItem);
  return {
    ...held,
    automation: automation && Automation.parse(automation),
    account,
    tokensItem: found.get(keys.tokens),
    pause: account && pauseAmong(found, pauseKeysOf({ ...action, platform: account.platform })),
  };
}
