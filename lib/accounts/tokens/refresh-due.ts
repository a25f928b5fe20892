import { type Clock, secondMs } from '../../kernel/clock.ts';
import type { PlatformAuthorization, TokenRenewal } from '../../platforms/contract/authorization.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import { type Platform, platformNames } from '../../platforms/contract/names.ts';
import type { Table } from '../../table/table.ts';
import { markAccount, recordAccessEnd } from '../store.ts';
import type { AccountTokens } from './access-tokens.ts';
import { type DueTokens, dueTokens } from './due-tokens.ts';
import { type AfterFailure, afterFailure } from './renewal-failure.ts';
import { postponeRenewal } from './store.ts';

/** The maximum number of concurrent renewals per platform. */
const maxConcurrent = 5;

/** The number of temporary failures in a row at which the sweep stops calling the platform. */
const maxFailuresInARow = 5;

/** A renewal starts only if this much time is left: a call that hangs takes 20 seconds. */
const longestRenewalMs = 45 * secondMs;

export interface RefreshDuePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly tokens: Pick<AccountTokens, 'renewDue'>;
  readonly authorizationFor: (platform: Platform) => PlatformAuthorization | undefined;
  /** Tells operators what failed. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
}

/** The number of due accounts per outcome. */
export type RefreshCount = Record<'renewed' | 'left' | AfterFailure['kind'], number>;

/**
 * Renews due tokens, oldest first, on all platforms concurrently. The next sweep finds the tokens that this one had no time for
 * and those that another sweep was working on.
 *
 * @param deadline epoch milliseconds
 * @throws any error of the table or of our own code, after all other work is done
 */
export async function refreshDueTokens(ports: RefreshDuePorts, deadline: number): Promise<RefreshCount> {
  const count: RefreshCount = { renewed: 0, left: 0, wait: 0, useUp: 0, expire: 0, restrict: 0 };
  await allOf(
    platformNames.map(async (platform) => {
      const renewal = ports.authorizationFor(platform)?.renewal;
      if (renewal) await sweepPlatform(ports, platform, renewal, deadline - longestRenewalMs, count);
    }),
  );
  return count;
}

async function sweepPlatform(
  ports: RefreshDuePorts,
  platform: Platform,
  renewal: TokenRenewal,
  lastBeginMs: number,
  count: RefreshCount,
): Promise<void> {
  const found = dueTokens(ports, platform);
  let failuresInARow = 0;
  const work = async () => {
    // All workers share one iterator. The first worker to return ends the iteration for all of them.
    for await (const due of found) {
      if (ports.now() >= lastBeginMs || failuresInARow >= maxFailuresInARow) return;
      const outcome = await renewOne(ports, due, renewal);
      count[outcome] += 1;
      failuresInARow = outcome === 'wait' ? failuresInARow + 1 : 0;
    }
  };
  await allOf(Array.from({ length: maxConcurrent }, work));
}

/** Waits for all, then throws if any failed. Stopping earlier could lose a platform's reply, and the tokens in it. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason;
}

const marks: Readonly<Partial<Record<AfterFailure['kind'], 'expired' | 'error'>>> = {
  expire: 'expired',
  restrict: 'error',
};

async function renewOne(
  ports: RefreshDuePorts,
  { account, tokensItem, stored }: DueTokens,
  renewal: TokenRenewal,
): Promise<keyof RefreshCount> {
  const { table } = ports;
  try {
    return (await ports.tokens.renewDue(account, tokensItem)) ? 'renewed' : 'left';
  } catch (error) {
    if (!(error instanceof PlatformError && error.remedy === 'reauthorise')) {
      ports.report(`the tokens of the ${account.platform} account ${account.id} were not renewed`, error);
    }
    const next = afterFailure(error, { accountId: account.id, stored, renewal, now: ports.now() });
    // Update the visible status first: after a crash in between, the next sweep finds the account again.
    const status = marks[next.kind];
    if (status && 'reason' in next) {
      const reason = `${next.reason} [while renewing the access token]`;
      await markAccount(table, account, status, reason, ports.now());
    }
    if (next.kind === 'useUp') await recordAccessEnd(table, account, next.endsAt);
    await postponeRenewal(table, account, stored.version, next.againMs);
    return next.kind;
  }
}
