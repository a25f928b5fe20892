import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { DataKeys, SealContext } from '../aws/data-keys.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../kernel/clock.ts';

/** A sealed text, as stored. It carries its data key, sealed by the key service, so opening it reads nothing else. */
const Envelope = z.object({
  key: z.base64(),
  iv: z.base64(),
  tag: z.base64(),
  text: z.base64(),
  /** True if the data key is a shared one, from which the key of this text is derived. */
  shared: z.literal(true).optional(),
});

/**
 * The purpose whose texts share a data key for a month. Only it: a function that seals with a shared key must open it, so it can open
 * all texts of the purpose, and some functions may only seal.
 */
const sharedPurpose = 'tokens';

/** The time for which one data key seals all texts of a stage. It opens them for as long as they exist. */
const periodMs = 30 * dayMs;

/** The maximum time that a decrypted data key stays in memory: of one text, and one that is shared. */
const cachedMs = { own: 5 * minuteMs, shared: hourMs };
const maxCached = 1_000;

/** The length of a tag. Without it, Node accepts a tag of four bytes too, which can be guessed. */
const tagBytes = 16;

/** The stored data keys of periods, sealed by the key service. */
export interface SharedKeys {
  readonly find: (period: string) => Promise<string | undefined>;
  /** Stores the key of a period unless there is one. @returns the one that is stored then */
  readonly add: (period: string, sealedKey: string) => Promise<string>;
}

/**
 * Envelope encryption (AES-256-GCM): a data key seals texts, and the key of the key service seals the data key. A text opens only in the
 * context that it was sealed in.
 *
 * With shared keys, one data key seals all tokens of a period, and each context has its own key, derived with HKDF. So a process asks
 * the key service once an hour, and not once for each account. Otherwise each text has its own data key, bound to its context.
 */
export class Vault {
  readonly #dataKeys: DataKeys;
  readonly #now: () => number;
  readonly #shared: SharedKeys | undefined;
  readonly #opened = new Map<string, { plain: Promise<Uint8Array>; untilMs: number }>();
  /** The sealed key of the last period in which a text was sealed. */
  #latest: { readonly period: string; readonly sealedKey: string } | undefined;

  /** @param shared absent: texts are sealed with data keys of their own. Opening needs no shared keys */
  constructor(dataKeys: DataKeys, now: () => number, shared?: SharedKeys) {
    this.#dataKeys = dataKeys;
    this.#now = now;
    this.#shared = shared;
  }

  async seal(text: string, context: SealContext): Promise<string> {
    return (await this.sealer(context))(text);
  }

  /** Returns a function that seals one text without the key service, for a text that must not get lost once it is known. */
  async sealer(context: SealContext): Promise<(text: string) => string> {
    const shared = await this.#sharedKey(context);
    if (shared) {
      const key = derivedKey(shared.plain, context);
      return (text) =>
        JSON.stringify({ key: shared.sealedKey, ...encrypt(text, key, context), shared: true });
    }
    const { plain, sealed } = await this.#dataKeys.generate(context);
    const key = Buffer.from(sealed).toString('base64');
    return (text) => JSON.stringify({ key, ...encrypt(text, plain, context) });
  }

  /** @throws if the text was sealed in another context, or was changed */
  async open(sealedText: string, context: SealContext): Promise<string> {
    const envelope = Envelope.parse(JSON.parse(sealedText));
    const key = envelope.shared
      ? derivedKey(await this.#openKey(envelope.key, sharedContextOf(context), cachedMs.shared), context)
      : await this.#openKey(envelope.key, context, cachedMs.own);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(envelope.iv, 'base64'), {
      authTagLength: tagBytes,
    })
      .setAAD(bytesOf(context))
      .setAuthTag(Buffer.from(envelope.tag, 'base64'));
    return decipher.update(envelope.text, 'base64', 'utf8') + decipher.final('utf8');
  }

  /**
   * Returns the shared key of this period; `undefined` if the text gets a key of its own. So does each text while the shared key cannot be
   * had, such as that of a table which was restored to a stage with another key: people can connect their accounts all the same.
   */
  async #sharedKey(context: SealContext): Promise<{ plain: Uint8Array; sealedKey: string } | undefined> {
    if (this.#shared === undefined || context['purpose'] !== sharedPurpose) return undefined;
    try {
      const sealedKey = await this.#currentKey(this.#shared);
      const plain = await this.#openKey(sealedKey, sharedContextOf(context), cachedMs.shared);
      return { plain, sealedKey };
    } catch {
      return undefined;
    }
  }

  async #currentKey(shared: SharedKeys): Promise<string> {
    const period = toTimestamp(Math.floor(this.#now() / periodMs) * periodMs).slice(0, 10);
    if (this.#latest?.period === period) return this.#latest.sealedKey;
    const sealedKey = (await shared.find(period)) ?? (await this.#newKey(shared, period));
    this.#latest = { period, sealedKey };
    return sealedKey;
  }

  async #newKey(shared: SharedKeys, period: string): Promise<string> {
    const { sealed } = await this.#dataKeys.generate(sharedContext);
    return shared.add(period, Buffer.from(sealed).toString('base64'));
  }

  #openKey(sealedKey: string, context: SealContext, keptMs: number): Promise<Uint8Array> {
    const now = this.#now();
    const name = `${sealedKey}\n${bytesOf(context).toString()}`;
    const cached = this.#opened.get(name);
    if (cached && cached.untilMs > now) return cached.plain;
    if (this.#opened.size >= maxCached) this.#opened.clear();
    for (const [each, { untilMs }] of this.#opened) if (untilMs <= now) this.#opened.delete(each);
    const plain = this.#dataKeys.open(Buffer.from(sealedKey, 'base64'), context);
    const opened = { plain, untilMs: now + keptMs };
    this.#opened.set(name, opened);
    plain.catch(() => {
      if (this.#opened.get(name) === opened) this.#opened.delete(name);
    });
    return plain;
  }
}

/** The context of shared keys at the key service. Rights require a workspace, and no workspace has this id. */
const sharedContext: SealContext = { purpose: sharedPurpose, workspace: 'all' };

/** @throws if no key is shared for the purpose of a context */
function sharedContextOf({ purpose }: SealContext): SealContext {
  if (purpose !== sharedPurpose) throw new Error(`texts for the purpose ${purpose} share no key`);
  return sharedContext;
}

const derivedKey = (shared: Uint8Array, context: SealContext): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', shared, '', bytesOf(context), 32));

function encrypt(text: string, key: Uint8Array, context: SealContext) {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bytesOf(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    text: encrypted.toString('base64'),
  };
}

function bytesOf(context: SealContext): Buffer {
  return Buffer.from(
    JSON.stringify(Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
}
