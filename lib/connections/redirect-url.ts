import * as z from 'zod';

const mostCharacters = 2_048;

/** Where the browser goes in the end: https anywhere, http on this machine only, and nobody's credentials in it. */
export const RedirectUrl = z
  .string()
  .max(mostCharacters)
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
    maxLength: mostCharacters,
    description:
      'Where the browser is sent at the end, with `connected=<account ids, separated by commas>` or `error=<reason>` added. `https:`, or `http:` on a loopback host. Without it a plain page says how it went.',
  });

function problemOf({ protocol, hostname, username, password }: URL): string | undefined {
  if (username !== '' || password !== '') return 'must not hold a user name or a password';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return 'must begin with https:// (http:// is for loopback hosts only)';
}

/** A host as `URL` writes it: numbers in any notation are dotted decimals by then. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** The address with a result in its query. */
export function withResult(redirectUrl: string, name: 'connected' | 'error', value: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set(name, value);
  return url.href;
}
