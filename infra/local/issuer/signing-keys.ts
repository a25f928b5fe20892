import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SigningKeys {
  /** Returns the private keys as a JSON Web Key Set. The first one signs, the others only verify. */
  all(): { readonly keys: readonly JsonWebKey[] };
  current(): KeyObject;
  /** Signs with a new key from now on. The previous key stays published, for tokens under way. */
  rotate(): void;
}

/**
 * Reads the key of the last run, or creates one.
 *
 * @param directory the folder of the key; absent: it is kept in memory only
 */
export function openSigningKeys(directory?: string): SigningKeys {
  const path = directory === undefined ? undefined : join(directory, 'issuer-key.pem');
  let keys = [readKey(path) ?? storeKey(makeKey(), path)];
  const current = () => keys[0] as KeyObject;
  return {
    all: () => ({
      keys: keys.map((key) => ({ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' })),
    }),
    current,
    rotate() {
      keys = [storeKey(makeKey(), path), current()];
    },
  };
}

/**
 * Creates an RSA key. Every provider must support RS256 (OpenID Connect Discovery, section 3), and Cognito supports nothing else.
 */
export const makeKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;

function storeKey(key: KeyObject, path: string | undefined): KeyObject {
  if (path !== undefined) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  return key;
}

function readKey(path: string | undefined): KeyObject | undefined {
  if (path === undefined) return undefined;
  try {
    return createPrivateKey(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} is not a private key: remove it, and a new one is made`, { cause: error });
  }
}
