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

/** The dependencies of storing accounts. */
export type SavingPorts = Pick<ConnectionPorts, 'table' | 'authorizationFor' | 'toolsFor'> & {
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** The additional dependencies of the routes that browsers visit. */
export interface BrowserPorts extends ConnectionPorts {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Tells operators about an error of our own. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
  /** Logs a platform's refusal. Never receives a token or a code. */
  readonly warn: (message: string, details: Readonly<Record<string, string | number | undefined>>) => void;
}

/** The dependencies of the pages that handle the accounts of a login. */
export type LoginPorts = BrowserPorts & SavingPorts;

/** A browser's request to continue an attempt. */
export interface Visit {
  readonly state: string;
  /** The platform in the URL's path. */
  readonly platform: string;
  /** The value of our cookie; `undefined` if the browser sent none. */
  readonly browserSecret: string | undefined;
  /** True if the request may come from one of our own pages: false if a header says that another site's page sent it. */
  readonly isSameOrigin: boolean;
}

/** Returns the redirect URI that is registered at the platform. */
export function redirectUri({ publicBaseUrl }: Pick<ConnectionPorts, 'publicBaseUrl'>, platform: Platform) {
  return `${publicBaseUrl}/oauth/${platform}/callback`;
}

/** Returns the URL of one of our pages of an attempt. */
export function pageUrl(
  { publicBaseUrl }: Pick<ConnectionPorts, 'publicBaseUrl'>,
  page: 'begin' | 'choose',
  platform: Platform,
  state: string,
): string {
  return `${publicBaseUrl}/oauth/${platform}/${page}?${new URLSearchParams({ state })}`;
}
