import type { Account } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { listPauses } from '../pauses/read.ts';
import type { Pause } from '../pauses/schemas.ts';
import type { PublishableContent } from '../platforms/contract/rules.ts';
import { requestField } from '../posts/planning/check-rules.ts';
import { Post } from '../posts/stored/schemas.ts';
import { fileKeysOf } from '../publishing/load-job.ts';
import { batchGet } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import { isTransactionConflict, updateItem } from '../table/items.ts';
import { accountKey, type Key, pauseKey, postPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { removingUndefined } from '../table/update.ts';
import { targetFromItem } from '../targets/item.ts';
import { findingKey, isSameRisk, type RiskFinding, type StoredRisk } from '../targets/risk.ts';
import type { Target } from '../targets/schemas.ts';
import { keyOf } from '../targets/store.ts';
import { type Answer, askAccount } from './ask-account.ts';
import { chainFindings, chainKeysOf, ownFindings } from './own-findings.ts';
import type { RiskPorts } from './ports.ts';

/** The limits on what is stored about a target: a post holds the risks of up to 50 targets in one item. */
const maxFindings = 5;
const maxMessageCharacters = 300;

export interface CheckOptions {
  /** True to read what may be about a second old, for half the price. */
  readonly isEventual: boolean;
  /** The age of the last question about an account from which its platform is asked again; absent: it is not asked. */
  readonly askAgainMs?: number | undefined;
}

/** The number of targets that were checked, and of those whose risk has changed. */
export interface CheckCount {
  readonly checked: number;
  readonly changed: number;
}

/** Some targets of a post. */
export interface PostTargets {
  readonly workspaceId: string;
  readonly postId: string;
  /** The accounts of the targets; with an empty text among them, all targets of the post. */
  readonly accountIds: ReadonlySet<string>;
}

export type CheckPost = (post: PostTargets, options: CheckOptions) => Promise<CheckCount>;

/**
 * Returns a function that checks waiting targets of a post, and stores what has changed. The function reads each account once, and
 * asks its platform at most once, so use it for one run of a few minutes at most.
 */
export function postChecker(ports: RiskPorts): CheckPost {
  const { table, now } = ports;
  const accounts = new Map<string, Promise<Account | undefined>>();
  const answers = new Map<string, Promise<Answer>>();
  const allPauses = new Map<'all', Promise<ReadonlyMap<string, Pause>>>();

  // The begin and the end of a pause have its posts checked again.
  const pauses = (isEventual: boolean) =>
    once(allPauses, 'all', async () => {
      const all = await listPauses(table, { isEventual });
      return new Map(all.map((pause) => [pauseKey(pause.scope).pk, pause]));
    });

  /** Reads the items that a post refers to, without accounts that were read before. */
  async function readItems(keys: readonly Key[], isEventual: boolean): Promise<FoundItems> {
    return keys.length > 0 ? batchGet(table, keys, { isEventual }) : { get: () => undefined };
  }

  function accountOf({ workspaceId, accountId }: Target, isEventual: boolean): Promise<Account | undefined> {
    const key = accountKey(workspaceId, accountId);
    return once(accounts, nameOf(key), async () => {
      const item = (await readItems([key], isEventual)).get(key);
      return item && accountFromItem(item);
    });
  }

  async function answerAbout(account: Account, target: Target, askAgainMs: number | undefined) {
    const check = await ports.accountCheckFor(account.platform);
    if (!check || check.concerns?.(target.options) === false) return undefined;
    const name = `${account.workspaceId} ${account.id}`;
    const answer = await once(answers, name, () => askAccount(ports, check, account, askAgainMs));
    return { check, answer };
  }

  /** Returns what the platform says about a target, or has said before if it does not answer now. */
  async function platformFindings(
    account: Account,
    target: Target,
    content: PublishableContent,
    askAgainMs: number | undefined,
  ): Promise<RiskFinding[]> {
    const asked = await answerAbout(account, target, askAgainMs);
    if (asked === undefined) return [];
    const { check, answer } = asked;
    const kept = keptFindings(target, account);
    if (answer === undefined || (answer.failure && !answer.isFresh)) return kept;
    if (answer.failure) return [answer.failure];
    const findings = check.judge(answer.facts, content).map(({ code, message, field }): RiskFinding => {
      const own = { hasContent: target.content !== undefined, hasMedia: target.mediaItems !== undefined };
      const param = field && requestField(field, `platforms[${target.position}]`, own);
      return { code, message, ...(param !== undefined && { param }), isFromPlatform: true };
    });
    if (answer.isFresh) return findings;
    const known = new Set(kept.map(findingKey));
    return findings.filter((finding) => known.has(findingKey(finding)));
  }

  async function findingsOf(
    post: Post,
    target: Target,
    items: FoundItems,
    { isEventual, askAgainMs }: CheckOptions,
  ): Promise<RiskFinding[]> {
    const account = await accountOf(target, isEventual);
    const own = await ownFindings(ports, { target, post, account, items, pauses: await pauses(isEventual) });
    if (!account || !own.content) return [...own.findings];
    const said = await platformFindings(account, target, own.content, askAgainMs);
    return [...own.findings, ...said.filter((finding) => isStillTrue(finding, target, now()))];
  }

  return async ({ workspaceId, postId, accountIds }, options) => {
    const { isEventual } = options;
    const found = await queryAll(table, { partition: postPartition(workspaceId, postId), isEventual });
    const item = found.find(({ kind }) => kind === 'post');
    if (!item) return { checked: 0, changed: 0 };
    const post = Post.parse(item);
    const isWaiting = ({ status, scheduledFor = '' }: Target) =>
      status === 'scheduled' && scheduledFor > toTimestamp(now());
    const targets = found
      .filter(({ kind }) => kind === 'target')
      .map(targetFromItem)
      .filter(isWaiting)
      .toSorted((one, other) => one.position - other.position);
    const isWanted = ({ accountId }: Target) => accountIds.has('') || accountIds.has(accountId);
    const wanted = targets.filter(isWanted);
    const keys = [...wanted.flatMap((target) => fileKeysOf(target, post)), ...chainKeysOf(post)];
    const items = wanted.length > 0 ? await readItems(keys, isEventual) : undefined;
    let changed = 0;
    for (const target of wanted) {
      if (!items) break;
      const findings = await findingsOf(post, target, items, options);
      // The chain follows the first target that is live. One of them shows what is wrong with it.
      const ofChain = target === targets[0] ? chainFindings(post, items) : [];
      if (await storeRisk(ports, target, [...findings, ...ofChain])) changed += 1;
    }
    return { checked: wanted.length, changed };
  };
}

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** Returns the result of a read that was made before under the same name. One that has failed is made again. */
function once<Name, Result>(
  known: Map<Name, Promise<Result>>,
  name: Name,
  read: () => Promise<Result>,
): Promise<Result> {
  const found = known.get(name);
  if (found) return found;
  const reading = read();
  known.set(name, reading);
  reading.catch(() => known.delete(name));
  return reading;
}

/** True if what a platform says now will be true when the target is due: limits count the posts of the last 24 hours. */
const isStillTrue = ({ code }: RiskFinding, { scheduledFor = '' }: Target, now: number): boolean =>
  code !== 'quota_exhausted' || scheduledFor < toTimestamp(now + dayMs);

/** Returns what the platform has said before, if it says nothing now and nobody has connected the account again since. */
function keptFindings({ risk }: Target, account: Account): RiskFinding[] {
  if (risk === undefined || account.connectedAt > risk.checkedAt) return [];
  return risk.findings.filter(({ isFromPlatform }) => isFromPlatform);
}

/**
 * Stores the findings about a target if they differ from those that it has. Does nothing if the target has changed since it was read.
 *
 * @returns true if its risk has changed
 */
async function storeRisk(
  { table, now }: Pick<RiskPorts, 'table' | 'now'>,
  target: Target,
  found: readonly RiskFinding[],
): Promise<boolean> {
  const distinct = [...new Map(found.map((finding) => [findingKey(finding), finding])).values()];
  const findings = distinct.slice(0, maxFindings).map(({ message, ...finding }) => ({
    ...finding,
    message: message.slice(0, maxMessageCharacters).toWellFormed(),
  }));
  const checkedAt = toTimestamp(now());
  const since = target.risk?.since ?? checkedAt;
  const risk: StoredRisk | undefined = findings.length > 0 ? { since, checkedAt, findings } : undefined;
  if (isSameRisk(target.risk, risk)) return false;
  const { status, wakeNumber, scheduledFor } = target;
  try {
    const { written } = await updateItem(table, keyOf(target), {
      set: removingUndefined({ risk }),
      if: { status, wakeNumber, scheduledFor },
    });
    return written;
  } catch (error) {
    if (isTransactionConflict(error)) return false;
    throw error;
  }
}
