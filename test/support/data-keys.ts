import { randomBytes } from 'node:crypto';
import type { DataKeys } from '../../lib/aws/data-keys.ts';

/** A key service in memory. A sealed key is a random number, and opens only with the context that it was created with. */
export function memoryDataKeys(): DataKeys {
  const keys = new Map<string, Uint8Array>();
  const name = (number: Uint8Array, context: Readonly<Record<string, string>>) =>
    JSON.stringify([Buffer.from(number).toString('hex'), Object.entries(context).sort()]);
  return {
    generate: async (context) => {
      const plain = randomBytes(32);
      const sealed = randomBytes(8);
      keys.set(name(sealed, context), plain);
      return { plain, sealed };
    },
    open: async (sealed, context) => {
      const plain = keys.get(name(sealed, context));
      if (!plain) throw new Error('the encryption context does not match');
      return plain;
    },
  };
}
