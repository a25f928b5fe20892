import { secondMs } from '../kernel/clock.ts';
import type { PlatformAuthorization } from '../platforms/contract/authorization.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Account } from './schemas.ts';
import { openTokens, type StoredTokens } from './tokens/store.ts';
import type { Vault } from './vault.ts';

export interface RevocationPorts {
  readonly vault: Vault;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly authorizationFor: (platform: Platform) => PlatformAuthorization | undefined;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/** The maximum time that the caller waits for the platform. */
const longestRevocationMs = 10 * secondMs;

/**
 * Revokes an account's authorization at its platform, if the platform has such a call. This ends every connection of the
 * login, so the caller must know that none of them is in use.
 *
 * @throws if the platform refuses or does not answer within ten seconds
 */
export async function revokeAuthorization(
  { vault, sleep, authorizationFor, toolsFor }: RevocationPorts,
  account: Account,
  stored: StoredTokens,
): Promise<void> {
  const authorization = authorizationFor(account.platform);
  if (!authorization?.revoke) return;
  const [tokens, tools] = await Promise.all([
    openTokens(vault, account, stored.ciphertext),
    toolsFor(account.platform),
  ]);
  const tooLate = sleep(longestRevocationMs).then(() => {
    throw new Error('the platform did not answer in time');
  });
  await Promise.race([authorization.revoke(tokens, tools, account.loginId), tooLate]);
}
