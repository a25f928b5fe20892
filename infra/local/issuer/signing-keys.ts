/** The keys that sign id tokens, and JSON Web Tokens in compact form (RFC 7515, section 7.1). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface SigningKeys {
  /** The JSON Web Key Set with the public keys. */
  published(): { readonly keys: readonly JsonWebKey[] };
  sign(claims: Readonly<Record<string, unknown>>): string;
  /** As `sign`, with a key that is not published, under the name of the published one. */
  signWrongly(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The claims of a token of this issuer, also of one that has expired; undefined if the signature is wrong. */
  verified(token: string): Readonly<Record<string, unknown>> | undefined;
  /** Signs with a new key from now on. The previous key stays published, for tokens under way. */
  rotate(): Promise<void>;
}

/**
 * Every provider must support RS256 (OpenID Connect Discovery, section 3), and Cognito has no other.
 */
export const algorithm = 'RS256';

const file = 'issuer-key.pem';
const generate = promisify(generateKeyPair);

/**
 * Reads the key of the last run, or makes one.
 *
 * @param directory where the key is kept; absent: in memory only
 */
export async function openSigningKeys(directory?: string): Promise<SigningKeys> {
  const path = directory === undefined ? undefined : join(directory, file);
  let current = readKey(path) ?? (await makeKey(path));
  let previous: KeyObject | undefined;

  function signed(claims: Readonly<Record<string, unknown>>, key: KeyObject): string {
    const header = { alg: algorithm, typ: 'JWT', kid: keyId(current) };
    const content = `${encoded(header)}.${encoded(claims)}`;
    return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
  }

  return {
    published: () => ({
      keys: [current, previous].flatMap((key) => (key === undefined ? [] : [publicKeyOf(key)])),
    }),
    sign: (claims) => signed(claims, current),
    signWrongly: async (claims) => signed(claims, await makeKey()),
    verified(token) {
      const [header = '', claims = '', signature = ''] = token.split('.');
      const isOurs = [current, previous].some(
        (key) =>
          key !== undefined &&
          verify(
            'sha256',
            Buffer.from(`${header}.${claims}`),
            createPublicKey(key),
            Buffer.from(signature, 'base64url'),
          ),
      );
      return isOurs ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined;
    },
    async rotate() {
      [previous, current] = [current, await makeKey(path)];
    },
  };
}

/** A token without a signature (RFC 7519, section 6). No relying party may accept it here. */
export function unsignedToken(claims: Readonly<Record<string, unknown>>): string {
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function makeKey(path?: string): Promise<KeyObject> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  if (path !== undefined) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  return privateKey;
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

function publicKeyOf(key: KeyObject): JsonWebKey {
  const { kty, n, e } = createPublicKey(key).export({ format: 'jwk' });
  return { kty, n, e, kid: keyId(key), use: 'sig', alg: algorithm } as JsonWebKey;
}

/** The thumbprint of the key (RFC 7638, section 3). */
function keyId(key: KeyObject): string {
  const { e, kty, n } = createPublicKey(key).export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
}
