import { type Clock, dayMs, hourMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { PlatformAuthorization, TokenRenewal } from '../../platforms/contract/authorization.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import { type Platform, platformNames } from '../../platforms/contract/names.ts';
import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import { accountKey, accountOfTokens, type Key, renewalShard } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import type { Account } from '../schemas.ts';
import { accountFromItem, markAccount, recordAccessEnd } from '../store.ts';
import type { AccountTokens } from './access-tokens.ts';
import { fractionOf } from './renewal-time.ts';
import { postponeRenewal, StoredTokens } from './store.ts';

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

/** A connected account whose tokens are due, as just read. */
interface DueTokens {
  readonly account: Account;
  readonly tokensItem: Record<string, unknown>;
  readonly stored: StoredTokens;
}

/** One batch request reads two items for each account: its tokens and the account itself. */
const pageSize = batchGetLimit / 2;

/**
 * Yields a platform's accounts whose tokens are due, longest overdue first, each of them once. Another worker may renew
 * an account's tokens before the caller gets to it.
 */
async function* dueTokens(ports: RefreshDuePorts, platform: Platform): AsyncGenerator<DueTokens> {
  const { table } = ports;
  const dueBy = toTimestamp(ports.now());
  const due = queryPages(table, {
    index: indexes.overdue,
    partition: renewalShard(platform),
    sort: { atMost: dueBy },
    limit: pageSize,
  });
  for await (const page of due) yield* await readDue(ports, page as unknown as Key[], dueBy);
}

/** Reads the items of the index again by key, because the index is eventually consistent. */
async function readDue(
  { table, report }: RefreshDuePorts,
  tokensKeys: readonly Key[],
  dueBy: string,
): Promise<DueTokens[]> {
  const pairs = tokensKeys.map((tokens) => {
    const { workspaceId, id } = accountOfTokens(tokens);
    return { tokens, account: accountKey(workspaceId, id) };
  });
  const found = await batchGet(
    table,
    pairs.flatMap(({ tokens, account }) => [tokens, account]),
  );
  return pairs.flatMap((keys) => {
    const tokensItem = found.get(keys.tokens);
    const accountItem = found.get(keys.account);
    if (!tokensItem || !accountItem) return [];
    try {
      const stored = StoredTokens.parse(tokensItem);
      const isDue = stored.dueAt !== undefined && stored.dueAt <= dueBy;
      return isDue ? [{ account: accountFromItem(accountItem), tokensItem, stored }] : [];
    } catch (error) {
      report(`${keys.tokens.sk}: the item cannot be read`, error);
      return [];
    }
  });
}

/** The next step for an account whose tokens could not be renewed, and the time of the sweep's next attempt. */
type AfterFailure =
  | { readonly kind: 'wait'; readonly againMs: number }
  /** The refresh token no longer works. The access token is used until it expires. */
  | { readonly kind: 'useUp'; readonly endsAt: string; readonly againMs: number }
  | { readonly kind: 'expire'; readonly reason: string; readonly againMs?: undefined }
  | { readonly kind: 'restrict'; readonly reason: string; readonly againMs: number };

/** Limit on the wait that a platform may ask for. Tokens are renewed weeks early, so a day is harmless. */
const longestWaitMs = dayMs;

/**
 * Decides from the failure's remedy. Pure.
 *
 * @param now epoch milliseconds
 */
function afterFailure(
  error: unknown,
  {
    accountId,
    stored: { expiresAt },
    renewal,
    now,
  }: {
    readonly accountId: string;
    readonly stored: Pick<StoredTokens, 'expiresAt'>;
    readonly renewal: TokenRenewal;
    readonly now: number;
  },
): AfterFailure {
  const {
    remedy,
    message,
    retryAfterSeconds = 0,
  } = error instanceof PlatformError ? error : new PlatformError('retry', 'an error on our side');
  if (remedy === 'restricted') return { kind: 'restrict', reason: message, againMs: now + dayMs };
  if (remedy === 'reauthorise') {
    const isGood = !renewal.byAccessToken && expiresAt !== undefined && Date.parse(expiresAt) > now;
    return isGood
      ? { kind: 'useUp', endsAt: expiresAt, againMs: Date.parse(expiresAt) }
      : { kind: 'expire', reason: message };
  }
  // One to two hours, different for each account, so that accounts that failed together are retried apart.
  const waitMs = Math.max(retryAfterSeconds * secondMs, hourMs * (1 + fractionOf(accountId)));
  return { kind: 'wait', againMs: now + Math.floor(Math.min(waitMs, longestWaitMs)) };
}
