import { type PlainHttpHosts, parsePlainHttpHosts } from '../../lib/http-client/address-guard/public-url.ts';
import type { Wire } from './start.ts';

/** The base URL of media files, without a final slash. */
export const mediaBaseUrl: Wire<string> = (environment) => environment('MEDIA_BASE_URL');

/** The base URL of this service, without a final slash. */
export const publicBaseUrl: Wire<string> = (environment) => environment('PUBLIC_BASE_URL');

/** The base URL of tracked links, without a final slash. */
export const linkBaseUrl: Wire<string> = (environment) => environment('LINK_BASE_URL');

/**
 * The stage's limits of requests per minute. If there is no limit per key or workspace, only keys and workspaces with limits of
 * their own are limited.
 */
export interface RatesPerMinute {
  readonly address: number;
  readonly key?: number | undefined;
  readonly workspace?: number | undefined;
}

export const ratesPerMinute: Wire<RatesPerMinute> = (environment) => ({
  address: Number(environment('RATE_LIMIT_PER_MINUTE')),
  key: optionalNumber(environment('KEY_RATE_LIMIT_PER_MINUTE')),
  workspace: optionalNumber(environment('WORKSPACE_RATE_LIMIT_PER_MINUTE')),
});

const optionalNumber = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** The data that identifies requests through the panel's CloudFront. */
export interface PanelEdge {
  /** SHA-256, in hexadecimal, of the secret that CloudFront sends with each request. Empty: there is no panel. */
  readonly originSecretDigest: string;
  /** Hosts of this machine, at which the panel is served without TLS. */
  readonly plainHttpHosts: PlainHttpHosts;
}

export const panelEdge: Wire<PanelEdge> = (environment) => ({
  originSecretDigest: environment('PANEL_ORIGIN_SECRET_DIGEST'),
  plainHttpHosts: parsePlainHttpHosts(environment('PLAIN_HTTP_HOSTS')),
});
