import type { PlatformHosts, PlatformTools } from '../contract/tools.ts';

/**
 * The hosts that Threads has served from the beginning: "The Threads API can be accessed by either graph.threads.com or
 * graph.threads.net." https://developers.facebook.com/documentation/threads/overview
 */
const defaultHosts: Required<PlatformHosts> = { api: 'graph.threads.net', login: 'threads.net' };

/** Returns the hosts to call: those of the operator's setting, or the default ones. */
export const hostsOf = ({ hosts }: Pick<PlatformTools, 'hosts'>): Required<PlatformHosts> => ({
  ...defaultHosts,
  ...hosts,
});
