/** The normalized URL of a tracked link, or the reason why no link may lead there, as the message for that field. */
export type DestinationVerdict = { readonly url: string } | { readonly problem: string };

const longestUrl = 2_048;

/**
 * Checks the destination of a tracked link, and normalizes it as browsers do, so that it is safe in a header. Requires
 * `http` or `https` and a host. Forbids credentials, control characters and more than 2,048 characters.
 */
export function checkDestinationUrl(address: string): DestinationVerdict {
  if (address.length > longestUrl) return { problem: `must be at most ${longestUrl} characters` };
  if (/[\u0000-\u001f\u007f-\u009f]/.test(address)) return { problem: 'must not contain control characters' };
  const url = URL.parse(address);
  if (!url || !/^https?:\/\/[^/\\?#]/i.test(address)) {
    return { problem: 'must be an http or https URL' };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not contain a user name or password' };
  }
  if (url.href.length > longestUrl) {
    return { problem: `must be at most ${longestUrl} characters once encoded` };
  }
  return { url: url.href };
}
