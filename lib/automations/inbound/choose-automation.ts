import type { Account } from '../../accounts/schemas.ts';
import { batchGet } from '../../table/batch-get.ts';
import { getItem, type Item } from '../../table/items.ts';
import { automationKey, automationPostKey, postTimeKey, targetKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { nameOf, postsNamed } from '../answered-posts.ts';
import { lacksKeywords } from '../check.ts';
import { matchesComment } from '../matching/match-comment.ts';
import { isLater } from '../next-post.ts';
import { Automation, type InboundComment } from '../schemas.ts';
import { readRules } from '../store.ts';

/** The automation that answers a comment, or what must happen before that is known. */
export type Choice =
  | { readonly state: 'none' }
  | { readonly state: 'chosen'; readonly automation: Automation }
  | { readonly state: 'open'; readonly automation: Automation; readonly because: OpenReason };

/**
 * The reason why it is not known yet whether an automation answers:
 * - `live`: the post is the one to which it is attached, and it must be given the post's id;
 * - `going live`: the post to which it is attached goes live at the moment, under an id that is not stored yet;
 * - `next`: the platform must be asked whether the post is the account's next one.
 */
export type OpenReason = 'live' | 'going live' | 'next';

/** The comment's place, and its text without a mention of the account. */
interface Said extends Pick<InboundComment, 'workspaceId' | 'accountId' | 'platformPostId'> {
  readonly said: string;
}

/**
 * Chooses the one automation that answers a comment, among the active ones that match it: the post's own, then the one of the next
 * post, then the one of every post. Strongly consistent.
 *
 * @param options.isLast true to leave out automations of which it is still not known whether they answer
 */
export async function chooseAutomation(
  table: Table,
  { workspaceId, accountId, platformPostId, said }: Said,
  { isLast = false } = {},
): Promise<Choice> {
  const claimKey = (name: string) => automationPostKey(workspaceId, accountId, name);
  const [ownKey, nextKey] = [
    claimKey(platformPostId),
    claimKey(nameOf({ kind: 'next post', platformPostId })),
  ];
  // Rules first: an automation that gets its post between the reads moves from a rule to a claim on the post, and is seen twice.
  const rules = await readRules(table, workspaceId, accountId);
  const claims = await batchGet(table, [ownKey, nextKey]);
  const own = claims.get(ownKey);
  const attached = own ? [] : await attachedNow(table, { workspaceId, accountId, platformPostId }, rules);
  const next = claims.get(nextKey);
  const claimOf = (kind: 'next post' | 'every post') => rules.find((rule) => postsOf(rule).kind === kind);

  // In the order in which they answer.
  const candidates: readonly Candidate[] = [
    ...(own ? [{ claim: own }] : []),
    ...attached,
    // A post that was the next one of an automation is no other's.
    ...(next
      ? [{ claim: next }]
      : [claimOf('next post')].flatMap((claim) => (claim ? [{ claim, because: 'next' as const }] : []))),
    ...[claimOf('every post')].flatMap((claim) => (claim ? [{ claim }] : [])),
  ];
  if (candidates.length === 0) return { state: 'none' };
  const keyOf = ({ claim }: Candidate) => automationKey(workspaceId, String(claim['automationId']));
  const found = await batchGet(table, candidates.map(keyOf));
  for (const candidate of candidates) {
    const item = found.get(keyOf(candidate));
    const automation = item && Automation.parse(item);
    if (!automation?.isActive || !matchesComment(automation, said)) continue;
    const { because } = candidate;
    if (because === undefined) return { state: 'chosen', automation };
    const place = { workspaceId, accountId, platformPostId };
    if (isLast && because !== 'live') continue;
    if (because === 'next' && (await isEarlier(table, place, automation))) continue;
    return { state: 'open', automation, because };
  }
  return { state: 'none' };
}

/**
 * Chooses the one automation that a message starts, among the active ones that match it: for a reply to a story, the one of story
 * replies, otherwise the one of messages. Strongly consistent.
 *
 * @param options.said the text without a mention of the account
 */
export async function chooseForMessage(
  table: Table,
  { workspaceId, id: accountId }: Pick<Account, 'workspaceId' | 'id'>,
  { said, isStoryReply }: { readonly said: string; readonly isStoryReply: boolean },
): Promise<Automation | undefined> {
  const kinds = [...(isStoryReply ? (['story replies'] as const) : []), 'direct messages'] as const;
  const claimKeys = kinds.map((kind) => automationPostKey(workspaceId, accountId, nameOf({ kind })));
  const claims = await batchGet(table, claimKeys);
  const keys = claimKeys.flatMap((key) => {
    const claim = claims.get(key);
    return claim ? [automationKey(workspaceId, String(claim['automationId']))] : [];
  });
  if (keys.length === 0) return undefined;
  const found = await batchGet(table, keys);
  return keys
    .flatMap((key) => {
      const item = found.get(key);
      return item ? [Automation.parse(item)] : [];
    })
    .find(
      // An earlier release lets keywords be removed.
      (automation) => automation.isActive && !lacksKeywords(automation) && matchesComment(automation, said),
    );
}

interface Candidate {
  /** The claim of the automation on its posts. */
  readonly claim: Item;
  readonly because?: OpenReason | undefined;
}

const postsOf = (claim: Item) => postsNamed(String(claim['sk']));

/** Returns the attached automations whose post is, or may be, the commented one, which has no automation under its own id. */
async function attachedNow(
  table: Table,
  { workspaceId, accountId, platformPostId }: Omit<Said, 'said'>,
  rules: readonly Item[],
): Promise<readonly Candidate[]> {
  const attached = rules.flatMap((claim) => {
    const posts = postsOf(claim);
    return posts.kind === 'herald post'
      ? [{ claim, key: targetKey(workspaceId, posts.postId, accountId) }]
      : [];
  });
  if (attached.length === 0) return [];
  const targets = await batchGet(
    table,
    attached.map(({ key }) => key),
  );
  const live = attached.find(({ key }) => targets.get(key)?.['platformPostId'] === platformPostId);
  if (live) return [{ claim: live.claim, because: 'live' }];
  return attached
    .filter(({ key }) => isGoingLive(targets.get(key)))
    .map(({ claim }) => ({ claim, because: 'going live' }));
}

/** True if a target may be live under an id that it does not know yet. */
export function isGoingLive(target: Item | undefined): boolean {
  if (target === undefined || target['platformPostId'] !== undefined) return false;
  const isNamedLater = target['status'] === 'published' && target['wakeAt'] !== undefined;
  return target['status'] === 'publishing' || isNamedLater;
}

/** True if a post is known to have gone live before an automation for the next post was created. */
async function isEarlier(
  table: Table,
  { workspaceId, accountId, platformPostId }: Omit<Said, 'said'>,
  { createdAt }: Automation,
): Promise<boolean> {
  const known = await getItem(table, postTimeKey(workspaceId, accountId, platformPostId));
  return known !== undefined && !isLater(Date.parse(String(known['publishedAt'])), createdAt);
}
