import type { Act } from '../../lib/access/act.ts';
import type { KeyActor } from '../../lib/access/actor.ts';
import { requireMay, requireRecentSignIn } from '../../lib/access/may.ts';
import { verbs } from '../../lib/access/verbs.ts';
import { type AuditedAct, recordRefusal } from '../../lib/audit/record.ts';
import type { ErrorCode } from '../../lib/kernel/error-codes.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import type { Table } from '../../lib/table/table.ts';
import { apiKeyDigest, isApiKey } from '../../lib/workspaces/api-key.ts';
import { type Caller, permissionsOf } from '../../lib/workspaces/schemas.ts';
import { findCaller } from '../../lib/workspaces/store.ts';
import type { CountedCaller } from './rate-limits.ts';

/** The time for which a warm function caches an API key, and so for which a revoked key may still work. */
const cachedMs = 30_000;
const maxCached = 5_000;

/** The workspace and the API key behind a request. */
export interface AdmittedCaller {
  readonly workspaceId: string;
  readonly actor: KeyActor;
  readonly cursorSecret: string;
  /** The caller as the rate limits count it. */
  readonly counted: CountedCaller;
}

/** A credential of a header that is not an API key. */
export interface OtherCredential {
  readonly digest: string;
  readonly find: (table: Table, now: number) => Promise<Caller | undefined>;
}

/** Reads a text that is no API key; `undefined` if it cannot have been issued. */
export type ReadOther = (text: string) => OtherCredential | undefined;

/** Finds the caller that an API key belongs to. Valid keys are cached; unknown ones are looked up every time. */
export class Authenticator {
  readonly #table: Table;
  readonly #readOther: ReadOther | undefined;
  readonly #cache = new Map<string, { caller: Caller; untilMs: number }>();
  /** The digests of credentials that were valid when they were last looked up. */
  readonly #found = new Set<string>();

  /** @param readOther reads other credentials that are taken too, such as access tokens; default: none */
  constructor(table: Table, readOther?: ReadOther) {
    this.#table = table;
    this.#readOther = readOther;
  }

  /**
   * @param authorization the header's value, unchanged
   * @param now epoch milliseconds
   * @throws HeraldError `unauthorized` for a key that is missing, malformed, unknown, revoked or expired; `forbidden` if
   *   its workspace is suspended
   */
  async authenticate(authorization: string | undefined, now: number): Promise<AdmittedCaller> {
    const credential = this.#credentialIn(authorization);
    if (!credential) throw unusable(authorization === undefined ? 'key_missing' : 'key_malformed');
    const caller = await this.#find(credential, now);
    if (!caller) throw unusable('key_unknown');
    const { workspaceId, keyId, cursorSecret, accountIds, expiresAt, suspendedAt } = caller;
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now)
      throw new HeraldError('key_expired', `Authorization: the API key expired at ${expiresAt}`);
    refuseSuspended(suspendedAt);
    const actor = { kind: 'key', id: keyId, permissions: permissionsOf(caller), accountIds } as const;
    return { workspaceId, actor, cursorSecret, counted: caller };
  }

  /** Returns the caller from the cache, without a read. Its key may have been revoked or have expired meanwhile. */
  cached(authorization: string | undefined, now: number): CountedCaller | undefined {
    const credential = this.#credentialIn(authorization);
    const cached = credential && this.#cache.get(credential.digest);
    return cached && cached.untilMs > now ? cached.caller : undefined;
  }

  /** Returns true if the credentials were valid when this instance last looked them up. */
  wasFound(authorization: string | undefined): boolean {
    const credential = this.#credentialIn(authorization);
    return credential !== undefined && this.#found.has(credential.digest);
  }

  /** Returns what the header contains; `undefined` if that cannot have been issued. */
  #credentialIn(authorization: string | undefined): OtherCredential | undefined {
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (!isApiKey(text)) return this.#readOther?.(text);
    const digest = apiKeyDigest(text);
    return { digest, find: (table) => findCaller(table, digest) };
  }

  async #find({ digest, find }: OtherCredential, now: number): Promise<Caller | undefined> {
    const cached = this.#cache.get(digest);
    if (cached && cached.untilMs > now) return cached.caller;
    this.#cache.delete(digest);
    const caller = await find(this.#table, now);
    this.#found.delete(digest);
    if (!caller) return undefined;
    if (this.#found.size >= maxCached) this.#found.clear();
    this.#found.add(digest);
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(digest, { caller, untilMs: now + cachedMs });
    return caller;
  }
}

/** @throws HeraldError `workspace_suspended` if the workspace is suspended */
export function refuseSuspended(suspendedAt: string | undefined): void {
  if (suspendedAt === undefined) return;
  throw new HeraldError(
    'workspace_suspended',
    'the workspace is suspended; ask the operator of this service',
  );
}

const unusable = (code: ErrorCode) =>
  new HeraldError(code, 'Authorization: must contain a valid API key: Bearer yay_…');

/**
 * Refuses what the actor may not do. If it would have changed something, the audit log records the refusal. A demand to sign in
 * again is not recorded as a refusal: the same request succeeds afterwards.
 *
 * @throws HeraldError `forbidden`, naming what the actor lacks
 */
export async function requireAllowed(act: Act & AuditedAct): Promise<void> {
  try {
    requireMay(act.actor, act.verb);
  } catch (error) {
    if (error instanceof HeraldError && !verbs[act.verb].isRead) await recordRefusal(act, error.message);
    throw error;
  }
  requireRecentSignIn(act.actor, act.verb, act.now);
}
