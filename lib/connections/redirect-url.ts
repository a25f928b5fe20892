import * as z from 'zod';
import { isPlainHost } from '../api-contract/pages/page.ts';

const maxCharacters = 2_048;

/** The final redirect of the browser: any https URL, http only on loopback, and never with credentials. */
export const RedirectUrl = z
  .string()
  .max(maxCharacters)
  .transform((text, context) => {
    const url = URL.parse(text);
    const problem = url ? problemOf(url) : 'must be an absolute URL';
    if (url && !problem) return url.href;
    context.addIssue({ code: 'custom', message: problem ?? 'must be an absolute URL' });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    format: 'uri',
    maxLength: maxCharacters,
    description:
      'The address to which the browser is sent at the end. `connected=<account ids, separated by commas>` is added, or `error=<code>` (see `ConnectionError`) or, with `claim`, `code` and `state`. `https:`, or `http:` on a loopback host; if the operator has set hosts for the workspace, one of them. Without it, a plain page shows the result.',
  });

function problemOf({ protocol, hostname, username, password }: URL): string | undefined {
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return 'must begin with https:// (http:// is allowed for loopback hosts only)';
  if (isPlainHost(hostname)) return undefined;
  return 'its host must have only letters, digits, hyphens, underscores and dots';
}

/**
 * Returns true for loopback hosts. Takes a host as `URL` normalizes it, with IPv4 addresses in any notation as dotted decimals.
 */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/**
 * Returns true if a workspace allows a redirect to this URL.
 *
 * @param allowedHosts host names, which allow all of their ports; absent if the workspace allows any host. Loopback hosts must be
 *   listed like all others
 */
export function isHostAllowed(redirectUrl: string, allowedHosts: readonly string[] | undefined): boolean {
  return allowedHosts === undefined || allowedHosts.includes(new URL(redirectUrl).hostname);
}

/**
 * The parameters that a redirect may add to a URL. A client's own `connected` and `error` are removed, so they always come from
 * here; its own `code` and `state` are replaced only by a result that has them.
 */
const resultNames = ['connected', 'error', 'code', 'state'] as const;

export type RedirectResult = Readonly<Partial<Record<(typeof resultNames)[number], string>>>;

/** Adds a result to the URL's query. */
export function withResult(redirectUrl: string, result: RedirectResult): string {
  const url = new URL(redirectUrl);
  for (const name of ['connected', 'error'] as const) url.searchParams.delete(name);
  for (const name of resultNames) {
    const value = result[name];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
