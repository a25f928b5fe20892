import type { Table } from '../../lib/table/table.ts';
import { apiKeyDigest, isApiKey } from '../../lib/workspaces/api-key.ts';
import type { Caller } from '../../lib/workspaces/schemas.ts';
import { findCaller } from '../../lib/workspaces/store.ts';

/** How long a warm function remembers a key, and so how late a revocation may take effect. */
const rememberedMs = 30_000;
const mostRemembered = 5_000;

/** Finds out who a request's key speaks for. Known keys are remembered; unknown ones are asked for every time. */
export class Authenticator {
  readonly #table: Table;
  readonly #known = new Map<string, { caller: Caller; untilMs: number }>();

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * @param authorization the header as it came
   * @param now epoch milliseconds
   * @returns `undefined` for a key that is missing, malformed, unknown or revoked
   */
  async authenticate(authorization: string | undefined, now: number): Promise<Caller | undefined> {
    const [, apiKey] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (apiKey === undefined || !isApiKey(apiKey)) return undefined;
    const digest = apiKeyDigest(apiKey);
    const remembered = this.#known.get(digest);
    if (remembered && remembered.untilMs > now) return remembered.caller;
    this.#known.delete(digest);
    const caller = await findCaller(this.#table, digest);
    if (!caller) return undefined;
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(digest, { caller, untilMs: now + rememberedMs });
    return caller;
  }
}
