import { type PlainHttpHosts, parsePlainHttpHosts } from '../../lib/http-client/address-guard/public-url.ts';
import type { Wire } from './start.ts';

/** The base URL of media files, without a final slash. */
export const mediaBaseUrl: Wire<string> = (environment) => environment('MEDIA_BASE_URL');

/** The base URL of this service, without a final slash. */
export const publicBaseUrl: Wire<string> = (environment) => environment('PUBLIC_BASE_URL');

/** The base URL of tracked links, without a final slash. */
export const linkBaseUrl: Wire<string> = (environment) => environment('LINK_BASE_URL');

/** The stage's limits of requests per minute. Without one per key or workspace, only those with limits of their own have any. */
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

/** How requests that come through the panel's CloudFront are recognized. */
export interface PanelEdge {
  /** What CloudFront sends with each request, and nobody else knows. Empty: there is no panel. */
  readonly originSecret: string;
  /** Hosts of this machine, at which the panel is served without TLS. */
  readonly plainHttpHosts: PlainHttpHosts;
}

export const panelEdge: Wire<PanelEdge> = (environment) => ({
  originSecret: environment('PANEL_ORIGIN_SECRET'),
  plainHttpHosts: parsePlainHttpHosts(environment('PLAIN_HTTP_HOSTS')),
});
