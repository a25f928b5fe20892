import { openParameters } from '../../lib/aws/parameters.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { plainHttpHosts } from './public-network.ts';
import type { Wire } from './start.ts';

/** Reads the panel's origin from the parameter that the panel's stack stores. On this machine, the panel has no TLS. */
export const panelUrl: Wire<() => Promise<string>> = (environment) => {
  const name = environment('PANEL_URL_PARAMETER');
  const plain = plainHttpHosts(environment);
  const read = openParameters(systemClock);
  return async () => {
    const url = URL.parse((await read(name)) ?? '');
    if (!url) throw new HeraldError('unavailable', 'this service has no panel yet');
    if (plain.has(url.hostname)) url.protocol = 'http:';
    return url.origin;
  };
};
