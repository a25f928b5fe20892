import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose';
import type { Settings } from './settings.ts';
import { makeKey, type SigningKeys } from './signing-keys.ts';
import { shiftTimes } from './store.ts';

const hourSeconds = 3_600;

/**
 * Signs an id token of the library again: with the times of the issuer's clock, and with the fault that the settings
 * ask for.
 */
export async function signAgain(
  idToken: string,
  options: { keys: SigningKeys; fault: Settings['idToken']; secondsAhead: number },
): Promise<string> {
  const { keys, fault, secondsAhead } = options;
  const valid = shiftTimes(decodeJwt(idToken), secondsAhead);
  const claims = { ...valid, ...wrongClaims(valid.iat ?? 0)[fault] };
  if (fault === 'unsigned') return new UnsecuredJWT(claims).encode();
  const header = decodeProtectedHeader(idToken) as JWTHeaderParameters;
  return new SignJWT(claims)
    .setProtectedHeader(header)
    .sign(fault === 'wrong-signature' ? makeKey() : keys.current());
}

const wrongClaims = (issuedAt: number): { readonly [Fault in Settings['idToken']]?: object } => ({
  'wrong-nonce': { nonce: 'another-nonce' },
  'no-nonce': { nonce: undefined },
  'wrong-audience': { aud: 'another-client' },
  expired: { iat: issuedAt - 2 * hourSeconds, exp: issuedAt - hourSeconds },
  'wrong-issuer': { iss: 'https://issuer.example' },
  'old-sign-in': { auth_time: issuedAt - hourSeconds },
});
