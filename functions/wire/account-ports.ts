import { clearMark, markAccount } from '../../lib/accounts/store.ts';
import { AccountTokens, type TokenPorts } from '../../lib/accounts/tokens/access-tokens.ts';
import type { ActionPorts } from '../../lib/automations/actions/ports.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { randomToken } from '../../lib/kernel/ids.ts';
import { every, sleep } from '../../lib/kernel/retry.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { reportError } from './logger.ts';

/**
 * Returns an id that differs for each write of an item. It is short because the item stores it: a target of over 1 KB costs
 * twice.
 */
const uniqueId = () => randomToken(12);

type AccountDependencies = Pick<TokenPorts, 'table' | 'vault' | 'toolsFor'>;

/** Returns the tokens of connected accounts. */
export const accountTokens = (dependencies: AccountDependencies): AccountTokens =>
  new AccountTokens({ ...dependencies, now: systemClock, sleep, uniqueId, authorizationFor });

/** Returns the ports shared by all workers that call platforms on behalf of an account. */
export function accountPorts(dependencies: AccountDependencies) {
  const { table, toolsFor } = dependencies;
  const tokens = accountTokens(dependencies);
  return {
    table,
    toolsFor,
    now: systemClock,
    chance: Math.random,
    every,
    uniqueId,
    report: reportError,
    accessToken: (account, tokensItem) => tokens.accessToken(account, tokensItem),
    renewToken: (account, tokensItem) => tokens.renewToken(account, tokensItem),
    markAccount: (account, status, reason) => markAccount(table, account, status, reason, systemClock()),
    clearMark: (account) => clearMark(table, account),
  } satisfies Partial<PublishingPorts & ActionPorts>;
}
