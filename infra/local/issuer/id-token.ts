/** Id tokens (OpenID Connect Core, section 2) and the claims about a person (section 5.1). */
import { createHash } from 'node:crypto';
import type { Settings } from './settings.ts';
import { type SigningKeys, unsignedToken } from './signing-keys.ts';
import type { Grant } from './state.ts';
import type { Person } from './types.ts';

const lifeSeconds = 300;
const hourSeconds = 3_600;

type Claims = Readonly<Record<string, unknown>>;

/** The `sub` of a person. The same address is the same person, also after a restart. */
export function subjectOf({ email }: Person): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
}

/** The claims that the scopes ask for (section 5.4). */
export function claimsOf(
  { person, scopes }: Grant,
  { emailVerified }: Pick<Settings, 'emailVerified'>,
): Claims {
  const { email, name } = person;
  return {
    sub: subjectOf(person),
    ...(scopes.includes('email') && {
      email,
      ...(emailVerified !== 'absent' && { email_verified: emailVerified }),
    }),
    ...(scopes.includes('profile') && { name }),
  };
}

/**
 * Issues the id token of a grant, with what the settings say is wrong with it.
 *
 * @param options.issuer the issuer's URL
 * @param options.at epoch milliseconds
 */
export async function issueIdToken(
  grant: Grant,
  options: {
    readonly issuer: string;
    readonly accessToken: string;
    readonly at: number;
    readonly keys: SigningKeys;
    readonly settings: Settings;
  },
): Promise<string> {
  const { keys, settings, at } = options;
  const issuedAt = Math.floor(at / 1_000);
  const claims: Claims = {
    iss: options.issuer,
    ...claimsOf(grant, settings),
    aud: grant.clientId,
    iat: issuedAt,
    exp: issuedAt + lifeSeconds,
    auth_time: Math.floor(grant.signedInAt / 1_000),
    ...(grant.nonce !== undefined && { nonce: grant.nonce }),
    at_hash: halfDigest(options.accessToken),
  };
  switch (settings.idToken) {
    case 'valid':
      return keys.sign(claims);
    case 'wrong-nonce':
      return keys.sign({ ...claims, nonce: 'another-nonce' });
    case 'no-nonce':
      return keys.sign({ ...claims, nonce: undefined });
    case 'wrong-audience':
      return keys.sign({ ...claims, aud: 'another-client' });
    case 'expired':
      return keys.sign({ ...claims, iat: issuedAt - 2 * hourSeconds, exp: issuedAt - hourSeconds });
    case 'wrong-signature':
      return keys.signWrongly(claims);
    case 'unsigned':
      return unsignedToken(claims);
    case 'wrong-issuer':
      return keys.sign({ ...claims, iss: 'https://issuer.example' });
    case 'old-sign-in':
      return keys.sign({ ...claims, auth_time: issuedAt - hourSeconds });
  }
}

/** `at_hash` (section 3.1.3.6). */
function halfDigest(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}
