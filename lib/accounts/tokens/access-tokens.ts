import type { Clock } from '../../kernel/clock.ts';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { PlatformAuthorization, TokenSet } from '../../platforms/contract/authorization.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import type { Table } from '../../table/table.ts';
import type { Account } from '../schemas.ts';
import { markRefreshed } from '../store.ts';
import type { Vault } from '../vault.ts';
import { renewalDueMs } from './renewal-time.ts';
import {
  endRefreshLease,
  findTokens,
  openTokens,
  type RefreshLease,
  StoredTokens,
  sealTokens,
  storeRefreshed,
  takeRefreshLease,
} from './store.ts';

export interface TokenPorts {
  readonly table: Table;
  readonly vault: Vault;
  readonly now: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A text that no other call gets. */
  readonly uniqueId: () => string;
  readonly authorizationFor: (platform: Platform) => PlatformAuthorization | undefined;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

type HeldLease = Extract<RefreshLease, { state: 'taken' }> & {
  readonly id: string;
  readonly untilMs: number;
};

/** A token with less than this left is not handed out: the work it is for takes a while. */
const usableMs = 2 * minuteMs;

/** Longer than any refresh takes; after it the worker that asked counts as dead. */
const leaseMs = minuteMs;

/** How long a worker without a usable token waits for the one that is refreshing it, and how often it looks. */
const patienceMs = 10 * secondMs;
const lookEveryMs = 250;

/** A token that is refused this soon is refused for another reason than its age. */
const youngestRenewedMs = minuteMs;

/**
 * The tokens of connected accounts, for those who call the platforms. Platforms that rotate refresh tokens take each
 * one once, so of any number of workers one refreshes, and what it gets is stored at once.
 */
export class AccountTokens {
  readonly #ports: TokenPorts;

  constructor(ports: TokenPorts) {
    this.#ports = ports;
  }

  /**
   * A token that is good for the next two minutes, refreshed as far ahead of its end as the platform wants it. While
   * the present one is good, a refresh that fails or that another worker is making holds nothing up.
   *
   * @param tokensItem the account's tokens as they were just read, which saves reading them
   * @throws PlatformError `reauthorise` where only the account's owner can help, `restricted` where the platform says
   *   so, `retry` for everything that passes
   */
  async accessToken(account: Account, tokensItem?: Record<string, unknown>): Promise<string> {
    const stored = tokensItem ? StoredTokens.parse(tokensItem) : await this.#find(account);
    const { renewal } = this.#authorization(account);
    const leftMs =
      stored.expiresAt === undefined ? Infinity : Date.parse(stored.expiresAt) - this.#ports.now();
    const isUsable = leftMs > usableMs;
    const isDue = !isUsable || leftMs <= renewal.aheadSeconds * secondMs;
    if (!isDue || (isUsable && !this.#isOldEnough(account, stored))) {
      return (await this.#open(account, stored)).accessToken;
    }
    try {
      return (await this.#renew(account, stored, isUsable ? 0 : patienceMs)).accessToken;
    } catch (error) {
      if (isUsable && error instanceof PlatformError) return (await this.#open(account, stored)).accessToken;
      throw error;
    }
  }

  /**
   * Asks for a new token though the present one is not over, because the platform refused it.
   *
   * @param usedItem the account's tokens as they were read for the refused call: where there is a newer set by now,
   *   that one is worth a try
   * @returns whether there is a new token; false where the present one is new or the platform gives none
   * @throws PlatformError `retry` or `restricted`: nothing was changed
   */
  async renewToken(account: Account, usedItem?: Record<string, unknown>): Promise<boolean> {
    const stored = await findTokens(this.#ports.table, account);
    if (!stored) return false;
    if (usedItem && StoredTokens.parse(usedItem).version !== stored.version) return true;
    if (!this.#isOldEnough(account, stored)) return false;
    try {
      await this.#renew(account, stored, patienceMs);
      return true;
    } catch (error) {
      if (error instanceof PlatformError && error.remedy === 'reauthorise') return false;
      throw error;
    }
  }

  /**
   * Renews a set that is due, however good its access token still is.
   *
   * @param tokensItem the account's tokens as they were just read
   * @returns false where another worker is at it or has done it, and where the account is disconnected
   * @throws PlatformError `reauthorise`, `restricted` or `retry`, as above
   */
  async renewDue(account: Account, tokensItem: Record<string, unknown>): Promise<boolean> {
    const seen = StoredTokens.parse(tokensItem);
    const tools = await this.#ports.toolsFor(account.platform);
    const lease = await this.#takeLease(account, seen);
    if (lease.state !== 'taken') return false;
    await this.#refresh(account, lease, seen, tools);
    return true;
  }

  #isOldEnough({ platform }: Account, stored: StoredTokens): boolean {
    const { minimumAgeSeconds } = this.#authorization({ platform }).renewal;
    const ageMs = this.#ports.now() - Date.parse(stored.obtainedAt);
    return ageMs >= Math.max(youngestRenewedMs, minimumAgeSeconds * secondMs);
  }

  async #renew(account: Account, seen: StoredTokens, waitMs: number): Promise<TokenSet> {
    const { now, sleep, toolsFor } = this.#ports;
    const tools = await toolsFor(account.platform);
    const giveUpMs = now() + waitMs;
    for (;;) {
      const lease = await this.#takeLease(account, seen);
      switch (lease.state) {
        case 'taken':
          return this.#refresh(account, lease, seen, tools);
        case 'renewed':
          return this.#open(account, lease.stored);
        case 'gone':
          throw disconnected();
        case 'held':
          if (now() >= giveUpMs) {
            throw new PlatformError('retry', 'The token is being refreshed.', { retryAfterSeconds: 10 });
          }
          await sleep(lookEveryMs);
      }
    }
  }

  async #takeLease(account: Account, { version }: StoredTokens) {
    const { table, now, uniqueId } = this.#ports;
    const untilMs = now() + leaseMs;
    const id = uniqueId();
    return { ...(await takeRefreshLease(table, account, version, { id, now: now(), untilMs })), id, untilMs };
  }

  /**
   * Refreshes under a lease that this worker holds.
   *
   * @param seen the set before the lease was taken: a lease in it that is over was left by a worker that died
   */
  async #refresh(
    account: Account,
    { stored: held, id, untilMs }: HeldLease,
    seen: StoredTokens,
    tools: PlatformTools,
  ): Promise<TokenSet> {
    const { table, vault, now } = this.#ports;
    const authorization = this.#authorization(account);
    const wasCutOff = seen.refreshLeaseUntil !== undefined && Date.parse(seen.refreshLeaseUntil) <= now();
    let set: TokenSet;
    try {
      set = await authorization.refresh(await this.#open(account, held), tools);
    } catch (error) {
      await endRefreshLease(table, account, id);
      throw refreshError(error, wasCutOff);
    }
    const ciphertext = await sealTokens(vault, account, set);
    const dueMs = renewalDueMs(account.id, set, authorization.renewal);
    const stored = await storeRefreshed(table, account, held.version, { ciphertext, set, dueMs });
    if (!stored) throw disconnected();
    if (stored.ciphertext !== ciphertext) return this.#open(account, stored);
    // Past its lease, another worker may have been refused in the meantime, and have said so of the account.
    const isMarked = account.status !== 'ok' || account.reconnectBy !== undefined || now() >= untilMs;
    if (isMarked) await markRefreshed(table, account);
    return set;
  }

  async #find(account: Account): Promise<StoredTokens> {
    const stored = await findTokens(this.#ports.table, account);
    if (!stored) throw disconnected();
    return stored;
  }

  #open(account: Account, { ciphertext }: StoredTokens): Promise<TokenSet> {
    return openTokens(this.#ports.vault, account, ciphertext);
  }

  #authorization({ platform }: Pick<Account, 'platform'>): PlatformAuthorization {
    const authorization = this.#ports.authorizationFor(platform);
    if (!authorization) throw new Error(`${platform} has no authorization flow`);
    return authorization;
  }
}

function disconnected(): PlatformError {
  return new PlatformError('reauthorise', 'The account is disconnected: connect it again.');
}

/**
 * Only the platform's clear word ends an authorization or restricts an account; every other failure may pass.
 *
 * @param wasCutOff whether a worker before died over the same set: if the platform had answered it, the answer is lost
 *   and, where refresh tokens serve once, the account with it
 */
function refreshError(error: unknown, wasCutOff: boolean): unknown {
  if (!(error instanceof PlatformError)) return error;
  if (error.remedy === 'restricted' || error.remedy === 'retry') return error;
  const { message, status, platformCode, retryAfterSeconds } = error;
  const details = { status, platformCode, retryAfterSeconds, cause: error };
  if (error.remedy !== 'reauthorise') return new PlatformError('retry', message, details);
  return wasCutOff
    ? new PlatformError('reauthorise', `${message} An earlier renewal was cut off half-way.`, details)
    : error;
}
