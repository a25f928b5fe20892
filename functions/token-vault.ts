import { Vault } from '../lib/accounts/vault/vault.ts';
import { openDataKeys } from '../lib/aws/data-keys.ts';
import { systemClock } from '../lib/kernel/clock.ts';
import { environment } from './environment.ts';

/** Seals and opens platform tokens and the secrets of webhooks. */
export function tokenVault(): Vault {
  const { TOKEN_KEY_ID } = environment('TOKEN_KEY_ID');
  return new Vault(openDataKeys(TOKEN_KEY_ID), systemClock);
}
