import type { BrowserPorts } from '../lib/connections/ports.ts';
import { systemClock } from '../lib/kernel/clock.ts';
import { authorizationFor } from '../lib/platforms/registry/authorizations.ts';
import { openTable } from '../lib/table/table.ts';
import { environment } from './environment.ts';
import { logger } from './logger.ts';
import { platformTools, tokenVault } from './platform-tools.ts';

const { TABLE_NAME, PUBLIC_BASE_URL } = environment('TABLE_NAME', 'PUBLIC_BASE_URL');
const lasting = {
  table: openTable(TABLE_NAME),
  publicBaseUrl: PUBLIC_BASE_URL,
  authorizationFor,
  toolsFor: platformTools(),
  vault: tokenVault(),
  report: (message: string, error: unknown) => logger.error(message, error as Error),
};

/** What the routes of a browser's way back from a platform work with. */
export function browserPorts(): BrowserPorts {
  return { ...lasting, now: systemClock() };
}
