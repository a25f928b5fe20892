import { randomUUID } from 'node:crypto';
import type { Account } from '../../../../lib/accounts/schemas.ts';
import { findAccount } from '../../../../lib/accounts/store.ts';
import { AccountTokens } from '../../../../lib/accounts/tokens/access-tokens.ts';
import { refreshDueTokens } from '../../../../lib/accounts/tokens/refresh-due.ts';
import { findTokens } from '../../../../lib/accounts/tokens/store.ts';
import { saveAccounts } from '../../../../lib/connections/save-accounts.ts';
import { dayMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import type { TokenSet } from '../../../../lib/platforms/contract/authorization.ts';
import { PlatformError, type Remedy } from '../../../../lib/platforms/contract/errors.ts';
import { connectable, tokenSet } from '../../../support/authorization.ts';
import { noon, openConnectingFixture, platform } from '../../../support/connecting.ts';

export type SweepFixture = Awaited<ReturnType<typeof openSweepFixture>>;

/** A platform whose tokens are renewed when they are a day old, and whose refresh tokens do not rotate. */
export async function openSweepFixture() {
  const fixture = await openConnectingFixture();
  const { clock, authorization, workspaceId } = fixture;
  const renewed = (refreshToken = ''): TokenSet => tokenSet(`after ${refreshToken.at(-1)}`, clock.time);
  const renewing = async ({ refreshToken }: TokenSet) => renewed(refreshToken);
  authorization.answers.refresh = renewing;

  const context = () => ({
    ...fixture.context(),
    now: () => clock.time,
    uniqueId: randomUUID,
    sleep: async (milliseconds: number) => {
      clock.time += milliseconds;
    },
  });
  /** A separate instance for each call, as in separate functions: they share nothing but the table. */
  const tokens = () => new AccountTokens(context());

  async function connect(names: readonly string[], changes: Partial<TokenSet> = {}): Promise<Account[]> {
    const accounts = names.map((name) =>
      connectable(name, clock.time, { tokens: { ...tokenSet(name, clock.time), ...changes } }),
    );
    const saved = await saveAccounts(fixture.context(), { workspaceId, platform }, accounts);
    if (!saved) throw new Error('not saved');
    authorization.asked.length = 0;
    return saved;
  }

  async function connectOne(changes: Partial<TokenSet> = {}): Promise<Account> {
    const [account] = await connect(['a'], changes);
    if (!account) throw new Error('not saved');
    return account;
  }

  return {
    ...fixture,
    renewed,
    renewing,
    tokens,
    connect,
    connectOne,
    sweep: (timeMs = 5 * minuteMs) =>
      refreshDueTokens({ ...context(), tokens: tokens() }, clock.time + timeMs),
    stored: (account: Account) => findTokens(fixture.context().table, account),
    current: (account: Account) => findAccount(fixture.context().table, workspaceId, account.id),
    dayLater: () => {
      clock.time = noon + dayMs;
    },
  };
}

export const failing =
  (remedy: Remedy, retryAfterSeconds?: number): (() => Promise<never>) =>
  async () => {
    throw new PlatformError(remedy, `the platform says ${remedy}`, { retryAfterSeconds });
  };

/** Account names: `0`, `1` and so on. */
export const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
