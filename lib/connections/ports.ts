import type { Vault } from '../accounts/vault.ts';
import type { PlatformAuthorization } from '../platforms/contract/authorization.ts';
import type { AccountKind, Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Table } from '../table/table.ts';

/** What connecting accounts is given of the world. */
export interface ConnectionPorts {
  readonly table: Table;
  /** Where this service is reached, without a final slash: platforms send browsers back here. */
  readonly publicBaseUrl: string;
  readonly authorizationFor: (platform: Platform, as?: AccountKind) => PlatformAuthorization | undefined;
  /** @throws HeraldError `unavailable` where the operator has not set the platform's credentials */
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/** What the routes that browsers come to are given beside. */
export interface BrowserPorts extends ConnectionPorts {
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Tells operators of an error of our own; never of a token. */
  readonly report: (message: string, error: unknown) => void;
}

export function redirectUri({ publicBaseUrl }: ConnectionPorts, platform: Platform): string {
  return `${publicBaseUrl}/oauth/${platform}/callback`;
}
