import type { Workbench } from '../types.ts';

/** A code that the authorize page issues, valid for one exchange. */
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
  /** Marks the code as used, even if the caller then refuses the exchange. @returns the code as it was before */
  redeem(code: string): AuthorizationCode<Grant> | undefined;
}

/** @param prefix the first characters of every code */
export function openAuthorizationCodes<Grant>(
  { ledger, random }: Pick<Workbench, 'ledger' | 'random'>,
  prefix = '',
): AuthorizationCodes<Grant> {
  const codes = ledger.records<AuthorizationCode<Grant>>('authorization-code');
  return {
    issue(grant, redirectUri, expiresAt) {
      const code = random.secret(prefix);
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
