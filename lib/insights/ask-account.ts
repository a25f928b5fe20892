import type { Account } from '../accounts/schemas.ts';
import { type Clock, hourMs, toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { type PlatformInsights, PostNumber, type PostReading } from '../platforms/contract/insights.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { numbersOf } from '../platforms/registry/numbers.ts';
import type { Table } from '../table/table.ts';
import { storyEndsMs } from './ages.ts';
import {
  hasKeptNumbers,
  type LiveTarget,
  lastAskedMs,
  type NumbersRow,
  type Reading,
} from './numbers-row.ts';
import { noteGone, storeFresh, takeRequest } from './store.ts';
import { freshAfterMs } from './view.ts';

/** The means to ask platforms about their posts. */
export interface AskPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
  readonly insightsFor: (platform: Platform) => Promise<PlatformInsights>;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /** @throws PlatformError */
  readonly accessToken: (account: Account, tokensItem?: Record<string, unknown>) => Promise<string>;
  readonly report: (message: string, error: unknown) => void;
}

/** The state of a destination's numbers after a question. `fresh` has numbers that may not be stored. */
export interface FreshNumbers {
  readonly row?: NumbersRow;
  readonly fresh?: Reading;
}

/** The time after going live in which a platform may not show a post yet. Our judgement, on the safe side. */
const newForMs = hourMs;

/** The most questions of clients about posts of an account in a day. */
export const mostRequestsPerDay = 200;

/**
 * Asks a platform about one post because a client wants to know, unless it was asked less than 15 minutes ago, or too often on this
 * day. A platform that does not answer changes nothing.
 *
 * @returns the new state; `undefined` if nothing has changed
 */
export async function askAccount(
  ports: AskPorts,
  account: Account,
  target: LiveTarget,
  row: NumbersRow | undefined,
): Promise<FreshNumbers | undefined> {
  const { table, now, report } = ports;
  const nowMs = now();
  const names = numbersOf(target.platform).ofPost(target);
  const ageMs = nowMs - Date.parse(target.publishedAt);
  if (Object.keys(names).length === 0 || (target.isStory && ageMs >= storyEndsMs)) return undefined;
  if (lastAskedMs(row) + freshAfterMs > nowMs) return undefined;
  if (!(await takeRequest(table, account, nowMs, mostRequestsPerDay))) return undefined;
  try {
    const reading = (await readPosts(ports, account, [target])).get(target.platformPostId);
    if (reading === undefined) return undefined;
    if (reading === 'gone') return ageMs < newForMs ? undefined : await goneRow(ports, target);
    const taken = takenReading(reading, nowMs);
    if (!hasKeptNumbers(target)) return { fresh: taken };
    const stored = await storeFresh(table, account, target, taken, row);
    return stored && { row: stored };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    report(`${target.platform} did not tell the numbers of a post`, error);
    return undefined;
  }
}

async function goneRow(ports: AskPorts, target: LiveTarget): Promise<FreshNumbers> {
  const row = await noteGone(ports, target);
  return row === undefined || row === 'busy' ? {} : { row };
}

/** Reads the numbers of some of an account's posts, in as few calls as the platform allows. @throws PlatformError */
export async function readPosts(
  { now, insightsFor, toolsFor, accessToken }: AskPorts,
  account: Account,
  targets: readonly LiveTarget[],
  tokensItem?: Record<string, unknown>,
): Promise<ReadonlyMap<string, PostReading>> {
  const [insights, tools] = await Promise.all([insightsFor(account.platform), toolsFor(account.platform)]);
  const token = await accessToken(account, tokensItem);
  const posts = targets.map(({ platformPostId, publishedAt, isStory }) => ({
    platformPostId,
    isStory,
    publishedMs: Date.parse(publishedAt),
  }));
  const read = new Map<string, PostReading>();
  for (let first = 0; first < posts.length; first += insights.postsPerRead) {
    const request = { account, accessToken: token, nowMs: now() };
    const page = posts.slice(first, first + insights.postsPerRead);
    for (const [id, reading] of await insights.readPosts(page, request, tools)) read.set(id, reading);
  }
  return read;
}

/** Returns a platform's answer as it is stored. */
export function takenReading(reading: Exclude<PostReading, 'gone'>, nowMs: number): Reading {
  return { at: toTimestamp(nowMs), n: PostNumber.options.map((name) => reading[name] ?? null) };
}
