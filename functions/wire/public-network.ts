import { type PublicNetwork, parsePlainHttpHosts } from '../../lib/http-client/address-guard/public-url.ts';
import type { Wire } from './start.ts';

/** Which hosts may be reached for users: the receivers of webhooks, and the sources of imported files. */
export const network: Wire<PublicNetwork> = (environment) => ({
  plainHttpHosts: parsePlainHttpHosts(environment('PLAIN_HTTP_HOSTS')),
});
