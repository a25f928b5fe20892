import { Vault } from '../../lib/accounts/vault/vault.ts';
import { openDataKeys } from '../../lib/aws/data-keys.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import type { Wire } from './start.ts';

/** Seals and opens platform tokens and the secrets of webhooks. */
export const vault: Wire<Vault> = (environment) =>
  new Vault(openDataKeys(environment('TOKEN_KEY_ID')), systemClock);
