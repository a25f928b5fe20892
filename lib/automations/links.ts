import { planLinks, type TrackedLink } from '../links/index.ts';
import { addressesOf } from './content.ts';
import { type Automation, automationLimits } from './schemas.ts';

/** The links of a rule as it is to be, and those of them that have to be made. */
export interface RuleLinks {
  readonly links: TrackedLink[];
  readonly added: readonly TrackedLink[];
}

/**
 * Gives each tracked address of a rule a code: the one it has or ever had in this rule, or a new one. The links of
 * addresses that are no longer sent stay behind the others, the latest of them first, as many as a rule may have.
 */
export function linksOf(
  rule: Pick<Automation, 'dmMessage' | 'buttons' | 'trackLinks'>,
  before: readonly TrackedLink[] = [],
): RuleLinks {
  const urls = rule.trackLinks ? addressesOf(rule) : [];
  const known = new Set(before.map(({ url }) => url));
  const added = planLinks(urls.filter((url) => !known.has(url)));
  const byUrl = new Map([...before, ...added].map((link) => [link.url, link]));
  const sent = urls.flatMap((url) => byUrl.get(url) ?? []);
  const former = before.filter(({ url }) => !urls.includes(url));
  return { links: [...sent, ...former].slice(0, Math.max(sent.length, automationLimits.links)), added };
}
