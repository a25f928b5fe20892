import { checkDestinationUrl } from '../../../../links/destination-url.ts';
import { addressesIn, replaceAddresses } from '../../../../links/text.ts';

/** The fields of an automation that decide which addresses become links. */
export interface Linking {
  readonly dmMessage: string | null;
  readonly buttons: readonly { readonly url: string }[];
  readonly trackLinks: boolean;
}

/**
 * A text of an automation as it is sent: with short links for the addresses of its message and buttons, if they are tracked.
 *
 * @param short the address of a short link; each has a code of its own, and all are as long
 */
export function asSent(text: string, linking: Linking, short: string): string {
  const tracked = trackedAddresses(linking);
  return replaceAddresses(text, (url) => (tracked.has(url) ? short : undefined));
}

function trackedAddresses({ dmMessage, buttons, trackLinks }: Linking): ReadonlySet<string> {
  if (!trackLinks) return new Set();
  const ofButtons = buttons.flatMap(({ url }) => {
    const target = checkDestinationUrl(url.trim());
    return 'url' in target ? [target.url] : [];
  });
  return new Set([...addressesIn(dmMessage ?? ''), ...ofButtons]);
}
