import type { Table } from '../../lib/table/table.ts';
import { apiKeyDigest, isApiKey } from '../../lib/workspaces/api-key.ts';
import type { Caller } from '../../lib/workspaces/schemas.ts';
import { findCaller } from '../../lib/workspaces/store.ts';

/** How long a warm function caches an API key, and so how long a revoked key may still work. */
const cachedMs = 30_000;
const maxCached = 5_000;

/** Finds the caller that an API key belongs to. Valid keys are cached; unknown ones are looked up every time. */
export class Authenticator {
  readonly #table: Table;
  readonly #cache = new Map<string, { caller: Caller; untilMs: number }>();

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * @param authorization the header's value, unchanged
   * @param now epoch milliseconds
   * @returns `undefined` for a key that is missing, malformed, unknown or revoked
   */
  async authenticate(authorization: string | undefined, now: number): Promise<Caller | undefined> {
    const [, apiKey] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (apiKey === undefined || !isApiKey(apiKey)) return undefined;
    const digest = apiKeyDigest(apiKey);
    const cached = this.#cache.get(digest);
    if (cached && cached.untilMs > now) return cached.caller;
    this.#cache.delete(digest);
    const caller = await findCaller(this.#table, digest);
    if (!caller) return undefined;
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(digest, { caller, untilMs: now + cachedMs });
    return caller;
  }
}
