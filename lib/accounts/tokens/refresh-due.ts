import { type Clock, secondMs } from '../../kernel/clock.ts';
import type { PlatformAuthorization, TokenRenewal } from '../../platforms/contract/authorization.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import { type Platform, platformNames } from '../../platforms/contract/names.ts';
import type { Table } from '../../table/table.ts';
import { markAccount, noteEnd } from '../store.ts';
import type { AccountTokens } from './access-tokens.ts';
import { type DueTokens, dueTokens } from './due-tokens.ts';
import { type AfterFailure, afterFailure } from './renewal-failure.ts';
import { postponeRenewal } from './store.ts';

/** How many accounts of one platform are renewed side by side. */
const mostAtOnce = 5;

/** After so many passing failures one after the other the platform is left alone until the next sweep. */
const mostFailuresInARow = 5;

/** A renewal begins only where there is this much time left: a call that hangs takes 20 seconds. */
const longestRenewalMs = 45 * secondMs;

export interface TokenSweepPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly tokens: Pick<AccountTokens, 'renewDue'>;
  readonly authorizationFor: (platform: Platform) => PlatformAuthorization | undefined;
  /** Tells operators of what failed; never of a token. */
  readonly report: (message: string, error: unknown) => void;
}

/** What became of the accounts that were due. */
export type TokenSweepCount = Record<'renewed' | 'left' | AfterFailure['kind'], number>;

/**
 * Renews the tokens that are due, the oldest first, of all platforms side by side. What it has no time for is found
 * again by the next sweep, and so is what another sweep is at.
 *
 * @param deadline epoch milliseconds
 * @throws what the table or our own code failed with, once everything else is done
 */
export async function sweepTokens(ports: TokenSweepPorts, deadline: number): Promise<TokenSweepCount> {
  const count: TokenSweepCount = { renewed: 0, left: 0, wait: 0, useUp: 0, expire: 0, restrict: 0 };
  await allOf(
    platformNames.map(async (platform) => {
      const renewal = ports.authorizationFor(platform)?.renewal;
      if (renewal) await sweepPlatform(ports, platform, renewal, deadline - longestRenewalMs, count);
    }),
  );
  return count;
}

async function sweepPlatform(
  ports: TokenSweepPorts,
  platform: Platform,
  renewal: TokenRenewal,
  lastBeginMs: number,
  count: TokenSweepCount,
): Promise<void> {
  const found = dueTokens(ports, platform);
  let failuresInARow = 0;
  const work = async () => {
    // All of them take from the same list; the first that leaves it ends it for all.
    for await (const due of found) {
      if (ports.now() >= lastBeginMs || failuresInARow >= mostFailuresInARow) return;
      const outcome = await renewOne(ports, due, renewal);
      count[outcome] += 1;
      failuresInARow = outcome === 'wait' ? failuresInARow + 1 : 0;
    }
  };
  await allOf(Array.from({ length: mostAtOnce }, work));
}

/** Waits for all, and fails if one did: an answer that nobody waits for could be lost with the tokens in it. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason;
}

async function renewOne(
  ports: TokenSweepPorts,
  { account, tokensItem, stored }: DueTokens,
  renewal: TokenRenewal,
): Promise<keyof TokenSweepCount> {
  const { table } = ports;
  try {
    return (await ports.tokens.renewDue(account, tokensItem)) ? 'renewed' : 'left';
  } catch (error) {
    if (!(error instanceof PlatformError && error.remedy === 'reauthorise')) {
      ports.report(`the tokens of the ${account.platform} account ${account.id} were not renewed`, error);
    }
    const next = afterFailure(error, { accountId: account.id, stored, renewal, now: ports.now() });
    // First what people are told: should this end here, the next sweep finds the account again.
    if (next.kind === 'expire') await markAccount(table, account, 'expired', next.reason);
    if (next.kind === 'restrict') await markAccount(table, account, 'error', next.reason);
    if (next.kind === 'useUp') await noteEnd(table, account, next.endsAt);
    await postponeRenewal(table, account, stored.version, next.againMs);
    return next.kind;
  }
}
