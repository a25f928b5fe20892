import { isDeepStrictEqual } from 'node:util';
import { accountFromItem } from '../../accounts/store.ts';
import type { PageReading, ReadPage } from '../../link-cards/fetch.ts';
import { addressesIn } from '../../links/text.ts';
import type { RulesFor } from '../../platforms/contract/rules.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { accountKey } from '../../table/keys.ts';
import type { Destination, PostDraft } from '../request/check-shape.ts';
import type { PostWithTargets } from '../stored/store.ts';
import { effectiveContent } from './content.ts';
import { existingOf, type PlanMode } from './modes.ts';
import { mediaLookup } from './problems.ts';

/** The readings of the pages of links, by the account of the destination. */
export type CardReadings = ReadonlyMap<string, PageReading>;

interface CardContext {
  readonly workspaceId: string;
  readonly rulesFor: RulesFor;
  /** Reads the page of a link. Absent: no destination gets a card. */
  readonly readPage?: ReadPage;
}

/**
 * Reads the pages of the links for which destinations get a card, so that planning itself reads nothing. Reads none for a draft: it
 * gets its cards when it is scheduled. A scheduled destination keeps its card as long as its text stays the same.
 *
 * @param found the items to which the request refers
 */
export async function readCards(
  { workspaceId, rulesFor, readPage }: CardContext,
  draft: PostDraft,
  found: FoundItems,
  mode: PlanMode,
): Promise<CardReadings> {
  if (!readPage || !(draft.isScheduled || mode.kind === 'validate')) return new Map();
  const media = mediaLookup(found, workspaceId);
  const existing = existingOf(mode);
  const readings = draft.destinations.map(async (destination) => {
    const item = found.get(accountKey(workspaceId, destination.entry.accountId));
    const account = item && accountFromItem(item);
    const rules = account && (await rulesFor(account.platform));
    if (!account || !rules?.takesLinkCard) return [];
    const content = effectiveContent(draft, destination, media, account);
    if (!rules.takesLinkCard(content)) return [];
    const [url] = addressesIn(content.content);
    if (url === undefined) return [];
    const card = keptCard(existing, destination, content.content);
    return [[account.id, card ? { card } : await readPage(url, workspaceId)] as const];
  });
  return new Map((await Promise.all(readings)).flat());
}

/** Returns the card of a stored destination whose text and options stay the same. */
function keptCard(existing: PostWithTargets | undefined, { entry }: Destination, text: string) {
  const stored = existing?.targets.find(({ accountId }) => accountId === entry.accountId);
  const isSame =
    (stored?.content ?? existing?.post.content) === text &&
    isDeepStrictEqual(stored?.options, entry.platformSpecificData ?? {});
  return isSame ? stored?.card : undefined;
}
