import { checkDestinationUrl } from '../links/destination-url.ts';
import { planLinks, type TrackedLink } from '../links/plan.ts';
import { addressesIn } from '../links/text.ts';
import { automationLimits } from './limits.ts';
import type { Automation } from './schemas.ts';

/** The links of a new or changed automation, with those that must be created. */
export interface AutomationLinks {
  readonly links: TrackedLink[];
  readonly formerLinks: TrackedLink[];
  readonly added: readonly TrackedLink[];
}

/**
 * Gives each tracked address of an automation its link: the present or former link in this automation, or a new one.
 *
 * @param before the automation before the change; left out for a new one
 */
export function linksOf(
  automation: Pick<Automation, 'dmMessage' | 'buttons' | 'trackLinks'>,
  before: Pick<Automation, 'links' | 'formerLinks'> = { links: [] },
): AutomationLinks {
  const urls = automation.trackLinks ? addressesOf(automation) : [];
  const known = [...before.links, ...(before.formerLinks ?? [])];
  const knownUrls = new Set(known.map(({ url }) => url));
  const added = planLinks(urls.filter((url) => !knownUrls.has(url)));
  const byUrl = new Map([...known, ...added].map((link) => [link.url, link]));
  return {
    links: urls.flatMap((url) => byUrl.get(url) ?? []),
    formerLinks: known.filter(({ url }) => !urls.includes(url)).slice(0, automationLimits.formerLinks),
    added,
  };
}

/** Returns the addresses in an automation's message and buttons, in the form that links store, each once. */
function addressesOf({ dmMessage, buttons }: Pick<Automation, 'dmMessage' | 'buttons'>): string[] {
  const ofButtons = buttons.map(({ url }) => {
    const target = checkDestinationUrl(url);
    return 'url' in target ? target.url : url;
  });
  return [...new Set([...addressesIn(dmMessage ?? ''), ...ofButtons])];
}
