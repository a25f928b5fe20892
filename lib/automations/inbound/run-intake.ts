import { accountProblem } from '../../accounts/problem.ts';
import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { continuing } from '../../kernel/continued-messages.ts';
import { pauseAmong, pauseKeysOf } from '../../pauses/read.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { AccountCall, CommentPlatform, ListedComment } from '../../platforms/contract/messaging.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import { batchGet } from '../../table/batch-get.ts';
import { unconditionally } from '../../table/condition.ts';
import { getItem, type Item, updateItem } from '../../table/items.ts';
import {
  accountKey,
  automationPostKey,
  inboundCommentKey,
  postTimeKey,
  targetKey,
  tokensKey,
} from '../../table/keys.ts';
import type { ActionPorts } from '../actions/ports.ts';
import { postsNamed } from '../answered-posts.ts';
import { withoutOwnMention } from '../matching/own-mention.ts';
import { findNextPost, isLater } from '../next-post.ts';
import type { Automation, AutomationMessage, Intake } from '../schemas.ts';
import { findAutomation, postponeClaim, startAutomation } from '../store.ts';
import { chooseAutomation, isGoingLive } from './choose-automation.ts';
import {
  decidedPart,
  dropHeld,
  type HeldComment,
  heldFromItem,
  intakeOf,
  intakeOfClaim,
  postponeHeld,
} from './held-comments.ts';
import { ingestComment, storeMatch } from './ingest-comment.ts';

export interface IntakePorts extends ActionPorts {
  /** Returns true if the account itself wrote the comment. */
  readonly isOwn: (comment: ListedComment, account: Account) => boolean;
}

/**
 * The result of a look:
 * - `decided`: the comment has, or has not, an automation that answers it;
 * - `started`: an automation has got the post for which it waited;
 * - `read`: the comments of a post were read;
 * - `waiting`: it is looked at again later;
 * - `dropped`: there is nothing to do.
 */
export type IntakeOutcome = 'decided' | 'started' | 'read' | 'waiting' | 'dropped';

/** The time after which a held comment is left to the automations that are known to answer. */
const longestHoldMs = dayMs;
/** The shortest and longest time until a held comment is looked at again. */
const [shortestHoldMs, longestPauseMs] = [2 * secondMs, 5 * minuteMs];
/** The number of times that a comment is decided anew because an automation has just got its post. */
const maxRounds = 5;

/**
 * Looks at a held comment, or at the claim of an automation that waits for its post. Safe to run concurrently and repeatedly:
 * every write is conditional. The sweep looks again at what stays due.
 */
export async function runIntake(given: IntakePorts, message: AutomationMessage): Promise<IntakeOutcome> {
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const { workspaceId, intake } = message;
  if (!intake) return 'dropped';
  if (intake.commentId !== undefined) return lookAtComment(ports, workspaceId, intake, intake.commentId);
  return lookAtClaim(ports, workspaceId, intake);
}

async function lookAtComment(
  ports: IntakePorts,
  workspaceId: string,
  { accountId }: Intake,
  commentId: string,
): Promise<IntakeOutcome> {
  const { table } = ports;
  const comment = heldFromItem(await getItem(table, inboundCommentKey(workspaceId, accountId, commentId)));
  if (!comment) return 'dropped';
  const place = await loadPlace(ports, workspaceId, accountId);
  if (!place) {
    await dropHeld(table, comment);
    return 'decided';
  }
  const { account, platform } = place;
  const said = withoutOwnMention(comment.text, account.username);
  const isTooLong = ports.now() - Date.parse(comment.at) > longestHoldMs;
  let isLast = false;
  for (let round = 1; round <= maxRounds; round += 1) {
    const choice = await chooseAutomation(table, { ...comment, said }, { isLast });
    switch (choice.state) {
      case 'none':
        await dropHeld(table, comment);
        return 'decided';
      case 'chosen': {
        const put = (automationId: string) => decidedPart(table, comment, automationId);
        const time = { now: ports.now(), windowHours: platform.limits.windowHours };
        const stored = await storeMatch(table, choice.automation, comment, { put, time });
        const messages = stored.state === 'new' ? stored.messages : [];
        for (const next of messages) await ports.enqueue(next, 0);
        return 'decided';
      }
      case 'open': {
        const { automation, because } = choice;
        if (because === 'live') await start(ports, automation, comment.platformPostId);
        else if (because === 'going live' || !(await settleNext(ports, place, automation, comment))) {
          if (!isTooLong) return putOff(ports, comment, automation.id);
          isLast = true;
        }
      }
    }
  }
  return putOff(ports, comment, comment.heldFor);
}

/** Holds a comment for half as long again as it was held, within bounds. */
async function putOff(ports: IntakePorts, comment: HeldComment, heldFor: string): Promise<IntakeOutcome> {
  const heldMs = ports.now() - Date.parse(comment.at);
  const waitMs = Math.min(longestPauseMs, Math.max(shortestHoldMs, heldMs / 2));
  await postponeHeld(ports.table, comment, heldFor, ports.now() + waitMs);
  if (waitMs < minuteMs) await ports.enqueue(intakeOf({ ...comment, heldFor }), Math.ceil(waitMs / secondMs));
  return 'waiting';
}

/** Gives an automation its post, and has the comments read that came before. */
async function start(ports: IntakePorts, automation: Automation, platformPostId: string): Promise<boolean> {
  const { table, now } = ports;
  if ((await startAutomation(table, automation, platformPostId, now())) !== 'started') return false;
  const started = await findAutomation(table, automation.workspaceId, automation.id);
  if (started)
    await ports.enqueue(intakeOfClaim({ ...started, automationId: started.id }, started.platformPostId), 0);
  return true;
}

/** An account with its platform, and the pause that stops calls for it. */
interface Place {
  readonly account: Account;
  readonly platform: CommentPlatform;
  readonly tokensItem: Item | undefined;
  readonly isPaused: boolean;
}

/** Reads an account; `undefined` if it was erased or disconnected, or has no automations. */
async function loadPlace(
  { table, commentPlatformFor }: IntakePorts,
  workspaceId: string,
  accountId: string,
): Promise<Place | undefined> {
  const keys = [accountKey(workspaceId, accountId), tokensKey(workspaceId, accountId)] as const;
  const found = await batchGet(table, keys);
  const item = found.get(keys[0]);
  const account = item && accountFromItem(item);
  const platform = account && commentPlatformFor(account.platform);
  if (!account || !platform || account.disconnectedAt) return undefined;
  const pauseKeys = pauseKeysOf({ workspaceId, accountId, platform: account.platform });
  const isPaused = pauseAmong(await batchGet(table, pauseKeys), pauseKeys) !== undefined;
  return { account, platform, tokensItem: found.get(keys[1]), isPaused };
}

/** Opens the account for reading; `undefined` if it cannot be used at the moment. */
async function openPlace(
  ports: IntakePorts,
  { account, tokensItem, isPaused }: Place,
): Promise<{ readonly access: AccountCall; readonly tools: PlatformTools } | undefined> {
  if (isPaused || accountProblem(account) !== undefined) return undefined;
  const [accessToken, tools] = await Promise.all([
    ports.accessToken(account, tokensItem),
    ports.toolsFor(account.platform),
  ]);
  const { platformAccountId, username } = account;
  return { access: { account: { platformAccountId, username }, accessToken }, tools };
}

/** The time for which a post that the platform does not show may be a new one. */
const unseenMs = 5 * minuteMs;
/** The time for which the time of a post is kept. */
const timesKeptMs = 30 * dayMs;

/**
 * Finds out whether the commented post is the account's next one since the automation was created. If there is a next post, the
 * automation starts with it, whichever it is.
 *
 * @returns false if the platform cannot be asked now
 */
async function settleNext(
  ports: IntakePorts,
  place: Place,
  automation: Automation,
  { workspaceId, accountId, platformPostId, at }: HeldComment,
): Promise<boolean> {
  const { createdAt } = automation;
  try {
    const opened = await openPlace(ports, place);
    if (!opened) return false;
    const { access, tools } = opened;
    const commented = await place.platform.readPost({ ...access, platformPostId }, tools);
    if (!commented && ports.now() - Date.parse(at) < unseenMs) return false;
    // A post that the platform does not show, such as an advertisement, is not the next one.
    const publishedMs = commented?.publishedMs ?? 0;
    if (!commented || !isLater(publishedMs, createdAt)) {
      const expiresAtSeconds = Math.floor((ports.now() + timesKeptMs) / secondMs);
      await updateItem(ports.table, postTimeKey(workspaceId, accountId, platformPostId), {
        set: { kind: 'postTime', publishedAt: toTimestamp(publishedMs), expiresAtSeconds },
        if: unconditionally,
      });
      return true;
    }
    const known = [{ ...commented, platformPostId }];
    const first = await findNextPost(
      { table: ports.table, platform: place.platform, tools },
      access,
      automation,
      known,
    );
    if (first !== undefined) await start(ports, automation, first);
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return false;
  }
}

/** The longest time between looks at an automation whose post is not live. */
const longestLookMs = dayMs;
/** The time from the due time of a post to the look at it. */
const afterDueMs = 30 * secondMs;

async function lookAtClaim(
  ports: IntakePorts,
  workspaceId: string,
  { accountId, posts: name = '' }: Intake,
): Promise<IntakeOutcome> {
  const { table, now } = ports;
  const claim = await getItem(table, automationPostKey(workspaceId, accountId, name));
  if (claim?.['dueAt'] === undefined) return 'dropped';
  const posts = postsNamed(name);
  const automation = await findAutomation(table, workspaceId, String(claim['automationId']));
  if (!automation || posts.kind === 'every post') {
    await postponeClaim(table, claim, undefined);
    return 'dropped';
  }
  if (posts.kind !== 'herald post') return readEarlierComments(ports, automation, claim);
  const target = await getItem(table, targetKey(workspaceId, posts.postId, accountId));
  const platformPostId = target?.['platformPostId'];
  if (typeof platformPostId === 'string' && (await start(ports, automation, platformPostId)))
    return 'started';
  await postponeClaim(table, claim, now() + untilNextLookMs(target, now()));
  return 'waiting';
}

function untilNextLookMs(target: Item | undefined, now: number): number {
  if (isGoingLive(target)) return minuteMs;
  // The automation has just been changed, or the post has another one.
  if (target?.['platformPostId'] !== undefined) return hourMs;
  const dueMs = target?.['status'] === 'scheduled' ? Date.parse(String(target['scheduledFor'])) : Number.NaN;
  if (!Number.isFinite(dueMs)) return longestLookMs;
  return Math.min(longestLookMs, Math.max(minuteMs, dueMs + afterDueMs - now));
}

/** The number of pages of comments that are read: 50 each. Later comments arrive by webhook. */
const maxCommentPages = 20;
/** The time for which the platform is asked for the comments, if it does not answer. */
const triedForMs = 6 * hourMs;
const concurrentComments = 10;

/**
 * Reads the comments of a post with which an automation has just started. Most are known already: this finds those whose webhook
 * did not arrive.
 */
async function readEarlierComments(
  ports: IntakePorts,
  { workspaceId, accountId }: Automation,
  claim: Item,
): Promise<IntakeOutcome> {
  const { table, now } = ports;
  const posts = postsNamed(String(claim['sk']));
  const platformPostId =
    posts.kind === 'post' || posts.kind === 'next post' ? posts.platformPostId : undefined;
  const place = platformPostId === undefined ? undefined : await loadPlace(ports, workspaceId, accountId);
  if (!place || platformPostId === undefined) {
    await postponeClaim(table, claim, undefined);
    return 'dropped';
  }
  try {
    const opened = await openPlace(ports, place);
    if (!opened) return lookLater(ports, claim);
    const { access, tools } = opened;
    let pages = 0;
    for await (const page of place.platform.listComments({ ...access, platformPostId }, tools)) {
      await mapInBatches(page, concurrentComments, (comment) => ingestListed(ports, place, comment));
      pages += 1;
      if (pages === maxCommentPages) break;
    }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return lookLater(ports, claim);
  }
  await postponeClaim(table, claim, undefined);
  return 'read';

  async function lookLater({ table }: IntakePorts, read: Item): Promise<IntakeOutcome> {
    const since = Date.parse(String(read['since'] ?? toTimestamp(now())));
    const waitMs = Math.max(minuteMs, now() - since);
    const isOver = now() - since > triedForMs;
    await postponeClaim(table, read, isOver ? undefined : now() + waitMs, { since: toTimestamp(since) });
    return isOver ? 'dropped' : 'waiting';
  }
}

async function ingestListed(
  { table, now, isOwn, enqueue }: IntakePorts,
  { account, platform }: Place,
  comment: ListedComment,
): Promise<void> {
  if (isOwn(comment, account)) return;
  const event = { kind: 'comment', accountPlatformId: account.platformAccountId, ...comment } as const;
  const time = { now: now(), windowHours: platform.limits.windowHours };
  const ingested = await ingestComment(table, account, event, time);
  const messages = ingested.state === 'new' ? ingested.messages : [];
  for (const message of messages) await enqueue(message, 0);
}
