import * as z from 'zod';

const maxCharacters = 2_048;

/** Where the browser is sent at the end: any https URL, http only on loopback, and never with credentials. */
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
      'Where the browser is sent at the end, with `connected=<account ids, separated by commas>` or `error=<reason>` added. `https:`, or `http:` on a loopback host. Without it, a plain page shows the result.',
  });

function problemOf({ protocol, hostname, username, password }: URL): string | undefined {
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return 'must begin with https:// (http:// is allowed for loopback hosts only)';
}

/** Takes a host as `URL` normalizes it: IPv4 addresses in any notation are dotted decimals by then. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** Adds a result to the URL's query. */
export function withResult(redirectUrl: string, name: 'connected' | 'error', value: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set(name, value);
  return url.href;
}
