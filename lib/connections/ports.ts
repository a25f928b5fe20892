import type { Vault } from '../accounts/vault.ts';
import type { PlatformAuthorization } from '../platforms/contract/authorization.ts';
import type { AccountKind, Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Table } from '../table/table.ts';

/** The dependencies of beginning a connection. */
export interface ConnectionPorts {
  readonly table: Table;
  /** This service's public URL, without a final slash. Platforms send browsers back to it. */
  readonly publicBaseUrl: string;
  readonly authorizationFor: (platform: Platform, as?: AccountKind) => PlatformAuthorization | undefined;
  /** @throws HeraldError `unavailable` if the operator has not set the platform's credentials */
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/** The additional dependencies of the routes that browsers visit. */
export interface BrowserPorts extends ConnectionPorts {
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Tells operators about an error of our own. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
}

export function redirectUri({ publicBaseUrl }: ConnectionPorts, platform: Platform): string {
  return `${publicBaseUrl}/oauth/${platform}/callback`;
}
