/** Where a tracked link leads, or why it cannot lead there: for a refusal that names the field. */
export type DestinationVerdict = { readonly url: string } | { readonly problem: string };

const longestUrl = 2_048;

/**
 * Checks an address that a tracked link is to lead to and writes it as browsers do, so that nothing in it can end a
 * header: `http` or `https` with a host, no user name or password, no control characters, at most 2,048 characters.
 */
export function checkDestinationUrl(address: string): DestinationVerdict {
  if (address.length > longestUrl) return { problem: `must be at most ${longestUrl} characters` };
  if (/[\u0000-\u001f\u007f-\u009f]/.test(address)) return { problem: 'must not hold control characters' };
  const url = URL.parse(address);
  if (!url || !/^https?:\/\/[^/\\?#]/i.test(address)) {
    return { problem: 'must be an http or https address' };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not hold a user name or a password' };
  }
  if (url.href.length > longestUrl) {
    return { problem: `must be at most ${longestUrl} characters once encoded` };
  }
  return { url: url.href };
}
