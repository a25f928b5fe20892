import { randomBytes } from 'node:crypto';
import type { Ledger } from '../ledger.ts';

/** A code that an authorize page hands out, good for one exchange. */
export interface AuthorizationCode<Grant> {
  readonly grant: Grant;
  readonly redirectUri: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly used: boolean;
}

export interface AuthorizationCodes<Grant> {
  /** @param expiresAt epoch milliseconds */
  issue(grant: Grant, redirectUri: string, expiresAt: number): string;
  /** The code as it stood before; a code that was not used is used from now on, whatever the caller makes of it. */
  redeem(code: string): AuthorizationCode<Grant> | undefined;
}

/** @param prefix what the platform's codes begin with */
export function openAuthorizationCodes<Grant>(ledger: Ledger, prefix = ''): AuthorizationCodes<Grant> {
  const codes = ledger.records<AuthorizationCode<Grant>>('authorization-code');
  return {
    issue(grant, redirectUri, expiresAt) {
      const code = randomSecret(prefix);
      codes.put(code, { grant, redirectUri, expiresAt, used: false });
      return code;
    },
    redeem(code) {
      const found = codes.get(code);
      if (found !== undefined) codes.put(code, { ...found, used: true });
      return found;
    },
  };
}

/** An unguessable code or token of 160 bits. */
export function randomSecret(prefix = ''): string {
  return prefix + randomBytes(20).toString('base64url');
}
