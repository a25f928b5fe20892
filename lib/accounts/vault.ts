import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { DataKeys, SealContext } from '../aws/data-keys.ts';

const Envelope = z.object({ key: z.base64(), iv: z.base64(), tag: z.base64(), text: z.base64() });

/** The maximum time that a decrypted data key stays in memory. */
const cachedMs = 5 * 60_000;
const maxCached = 1_000;

/**
 * Envelope encryption: encrypts each text with its own data key (AES-256-GCM), and the data key with the key of the key
 * service. Both are bound to the context.
 */
export class Vault {
  readonly #dataKeys: DataKeys;
  readonly #now: () => number;
  readonly #opened = new Map<string, { plain: Uint8Array; untilMs: number }>();

  constructor(dataKeys: DataKeys, now: () => number) {
    this.#dataKeys = dataKeys;
    this.#now = now;
  }

  async seal(text: string, context: SealContext): Promise<string> {
    return (await this.sealer(context))(text);
  }

  /** Returns a function that seals one text without the key service, for a text that must not get lost once it is known. */
  async sealer(context: SealContext): Promise<(text: string) => string> {
    const { plain, sealed } = await this.#dataKeys.generate(context);
    return (text) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', plain, iv).setAAD(additionalData(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return JSON.stringify({
        key: Buffer.from(sealed).toString('base64'),
        iv: iv.toString('base64'),
        tag: cipher.getAuthTag().toString('base64'),
        text: encrypted.toString('base64'),
      });
    };
  }

  /** @throws if the text was sealed in another context, or was changed */
  async open(sealedText: string, context: SealContext): Promise<string> {
    const envelope = Envelope.parse(JSON.parse(sealedText));
    const plain = await this.#openKey(envelope.key, context);
    const decipher = createDecipheriv('aes-256-gcm', plain, Buffer.from(envelope.iv, 'base64'))
      .setAAD(additionalData(context))
      .setAuthTag(Buffer.from(envelope.tag, 'base64'));
    return decipher.update(envelope.text, 'base64', 'utf8') + decipher.final('utf8');
  }

  async #openKey(sealedKey: string, context: SealContext): Promise<Uint8Array> {
    const name = `${sealedKey}\n${additionalData(context).toString()}`;
    const cached = this.#opened.get(name);
    if (cached && cached.untilMs > this.#now()) return cached.plain;
    const plain = await this.#dataKeys.open(Buffer.from(sealedKey, 'base64'), context);
    if (this.#opened.size >= maxCached) this.#opened.clear();
    this.#opened.set(name, { plain, untilMs: this.#now() + cachedMs });
    return plain;
  }
}

function additionalData(context: SealContext): Buffer {
  return Buffer.from(
    JSON.stringify(Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
}
