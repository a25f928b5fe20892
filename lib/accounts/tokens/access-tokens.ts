import type { Clock } from '../../kernel/clock.ts';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { PlatformAuthorization, TokenSet } from '../../platforms/contract/authorization.ts';
import { isAboutAccount, PlatformError } from '../../platforms/contract/errors.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import type { Table } from '../../table/table.ts';
import type { Account } from '../schemas.ts';
import { lacksNoticeKeys, markRefreshed } from '../store.ts';
import type { Vault } from '../vault.ts';
import { authorizationEnd, renewalDueMs, steadyEnd } from './renewal-time.ts';
import {
  endRefreshLease,
  findTokens,
  openTokens,
  type RefreshLease,
  StoredTokens,
  storeRefreshed,
  takeRefreshLease,
  tokenSealer,
} from './store.ts';

export interface TokenPorts {
  readonly table: Table;
  readonly vault: Vault;
  readonly now: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Returns a string that is different for each call. */
  readonly uniqueId: () => string;
  readonly authorizationFor: (platform: Platform) => PlatformAuthorization | undefined;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

type HeldLease = Extract<RefreshLease, { state: 'taken' }> & {
  readonly id: string;
  readonly untilMs: number;
};

/** The minimum remaining life of a token that is handed out, because the work that needs it takes a while. */
const usableMs = 2 * minuteMs;

/** The duration of a lease, longer than any refresh takes. A worker that holds it longer counts as crashed. */
const leaseMs = minuteMs;

/** The time that a worker without a usable token waits for another worker's refresh, and the interval of its checks. */
const patienceMs = 10 * secondMs;
const pollMs = 250;

/** The minimum age of a token to be renewed on refusal: if a platform refuses a younger token, its age is not the cause. */
const youngestRenewedMs = minuteMs;

/**
 * Provides the tokens of connected accounts. Platforms that rotate refresh tokens accept each of them once. So only one
 * worker refreshes at a time, and it stores the new tokens immediately.
 */
export class AccountTokens {
  readonly #ports: TokenPorts;

  constructor(ports: TokenPorts) {
    this.#ports = ports;
  }

  /**
   * Returns an access token that is valid for at least two minutes. Refreshes it as early as the platform advises. While the
   * current token is valid, neither a failed refresh nor another worker's refresh delays the caller.
   *
   * @param tokensItem the account's tokens as just read, which saves a read
   * @throws PlatformError `reauthorise` if only the account's owner can help, `restricted` if the platform says so, `retry` for
   *   every temporary failure
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
   * Requests a new token before the current one expires, because the platform refused it.
   *
   * @param usedItem the account's tokens as read for the refused call; if a newer set is stored, the caller should try that one
   * @returns true if there is a new token; false if the current one is too new or the platform refuses to renew it
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
   * Renews a due token set, even if its access token is still valid.
   *
   * @param tokensItem the account's tokens as just read
   * @returns false if another worker is renewing or has renewed the set, or if the account is disconnected
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
            throw new PlatformError('retry', 'Another worker is refreshing the token.', {
              retryAfterSeconds: 10,
            });
          }
          await sleep(pollMs);
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
   * @param seen the set as read before the lease was taken; an expired lease in it belongs to a worker that crashed or got no
   *   answer from the platform
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
    let seal: (tokens: TokenSet) => string;
    let isSent = false;
    try {
      const current = await this.#open(account, held);
      // Before the platform is asked: it may not take the former tokens again.
      seal = await tokenSealer(vault, account);
      isSent = true;
      set = await authorization.refresh(current, tools);
    } catch (error) {
      const isUnknown = !(error instanceof PlatformError) || error.remedy === 'unknown';
      const isOpen = wasCutOff || (isSent && isUnknown);
      await endRefreshLease(table, account, id, isOpen ? now() : undefined);
      throw refreshError(error, wasCutOff);
    }
    const ciphertext = seal(set);
    const dueMs = renewalDueMs(account.id, set, authorization.renewal);
    const stored = await storeRefreshed(table, account, held.version, { ciphertext, set, dueMs });
    if (!stored) throw disconnected();
    if (stored.ciphertext !== ciphertext) return this.#open(account, stored);
    const reconnectBy = steadyEnd(account.reconnectBy, authorizationEnd(set, authorization.renewal));
    // If our lease has expired, another worker may have been refused in the meantime and have marked the account.
    const isMarked = account.status !== 'ok' || account.reconnectBy !== reconnectBy || now() >= untilMs;
    const { scopes } = set;
    const isOutdated = account.scopes?.join() !== scopes.join() || lacksNoticeKeys(account, now());
    if (isMarked || isOutdated) await markRefreshed(table, account, { scopes, reconnectBy });
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

const afterCutOff =
  'An earlier renewal was interrupted, so its new tokens may be lost: connect the account again.';

/**
 * Returns the error as the caller must treat it: only an explicit refusal by the platform ends an authorization or restricts an
 * account. All other failures are `retry`.
 *
 * @param wasCutOff true if the outcome of an earlier refresh of the same set is unknown: the worker crashed, or the response was
 *   lost. Any tokens that the platform issued then are lost; if refresh tokens work only once, so is the authorization
 */
function refreshError(error: unknown, wasCutOff: boolean): unknown {
  if (!(error instanceof PlatformError)) return error;
  if (error.remedy === 'retry' || (error.remedy === 'restricted' && isAboutAccount(error))) return error;
  const { message, status, platformCode, retryAfterSeconds } = error;
  const details = { status, platformCode, retryAfterSeconds, cause: error };
  if (!isAboutAccount(error)) return new PlatformError('retry', message, details);
  return wasCutOff ? new PlatformError('reauthorise', `${message} ${afterCutOff}`, details) : error;
}
