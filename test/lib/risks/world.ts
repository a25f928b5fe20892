import { vi } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { markAccount } from '../../../lib/accounts/store.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { putRiskCheck } from '../../../lib/overdue/risk-checks.ts';
import type { TokenSet } from '../../../lib/platforms/contract/authorization.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import { accountCheckFor } from '../../../lib/platforms/registry/account-checks.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { checkAhead } from '../../../lib/risks/check-ahead.ts';
import type { RiskPorts } from '../../../lib/risks/ports.ts';
import { runRiskChecks } from '../../../lib/risks/run-checks.ts';
import { subjectOfChange } from '../../../lib/risks/subjects.ts';
import { getItem, type Item, updateItem } from '../../../lib/table/items.ts';
import { accountKey, type Key } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { RiskFinding } from '../../../lib/targets/risk.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { type Fixture, openFixture } from '../../contract/fixture.ts';
import { type PlatformRow, rows } from '../../contract/rows.ts';
import { referenceTo, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { openInMemory } from '../../support/simulated-platform.ts';
import { createMemoryTable } from '../../support/table.ts';

/** An account that was connected at its simulator. */
export interface Connected {
  readonly row: PlatformRow;
  readonly fixture: Fixture;
  readonly account: Account;
}

/** A question to a platform, as its simulator received it. */
interface Question {
  readonly accountId: string;
  readonly atMs: number;
}

export interface RiskWorld {
  readonly table: Table;
  readonly workspaceId: string;
  readonly accounts: readonly Connected[];
  readonly questions: readonly Question[];
  readonly reports: readonly string[];
  readonly ports: RiskPorts;
  readonly now: () => number;
  /** A file that every platform takes as it is. */
  readonly video: Media;
  readonly image: Media;
  /** Moves the clock forward, and runs the checks every few minutes on the way. */
  readonly advance: (untilMs: number, stepMs?: number) => Promise<void>;
  /** Schedules a post to one account. */
  readonly schedule: (connected: Connected, dueMs: number, changes?: Partial<Target>) => Promise<string>;
  readonly findings: (postId: string) => Promise<readonly RiskFinding[]>;
  /** Changes an item, and has checked what depends on it, as the relay does. */
  readonly change: (key: Key, set: Item) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The measurements of the video. */
export const probe = { width: 720, height: 1_280, durationMs: 12_000, videoCodec: 'h264', audioCodec: 'aac' };

/** Opens all simulators with an account of each, and an empty table. */
export async function openRiskWorld(only: (row: PlatformRow) => boolean = () => true): Promise<RiskWorld> {
  const table = await createMemoryTable();
  const workspaceId = newId(startMs);
  const time = { now: Date.UTC(2026, 10, 20, 20) };
  const questions: Question[] = [];
  const reports: string[] = [];
  const accounts: Connected[] = [];
  const tools = new Map<string, PlatformTools>();
  const tokens = new Map<string, TokenSet>();
  for (const row of rows.filter(only)) {
    const fixture = await openFixture(row, undefined as never, openInMemory);
    const { platformAccountId, username, meta, tokens: set } = fixture.account;
    const account = await storeAccount(table, workspaceId, {
      ...{ id: newId(startMs), platform: row.platform, platformAccountId, username, meta },
      scopes: [...set.scopes],
    });
    tools.set(account.platform, fixture.tools);
    tokens.set(account.id, set);
    accounts.push({ row, fixture, account });
  }
  // One clock for all.
  const now = () => time.now;
  const setTime = (atMs: number) => {
    time.now = atMs;
    for (const { fixture } of accounts) fixture.clock.time = atMs;
  };
  setTime(time.now);
  const video = await storeMedia(table, workspaceId, {
    ...{ id: newId(startMs + 1), filename: 'v.mp4', contentType: 'video/mp4' },
    ...{ sizeBytes: 1_000_000, probe: { ...probe, frameRate: 30, moovFirst: true } },
  });
  const image = await storeMedia(table, workspaceId, {
    ...{ id: newId(startMs + 2), sizeBytes: 100_000, probe: { width: 1_080, height: 1_080 } },
  });

  const noteChange = async (before: Item | undefined, after: Item | undefined) => {
    const subject = subjectOfChange({ before, after });
    if (subject) await putRiskCheck(table, subject, now());
  };
  const change: RiskWorld['change'] = async (key, set) => {
    const before = await getItem(table, key);
    await updateItem(table, key, { set, if: {} });
    await noteChange(before, await getItem(table, key));
  };

  const ports: RiskPorts = {
    table,
    now,
    chance: () => 0.5,
    every: () => () => {},
    uniqueId: () => newId(now()),
    toolsFor: async (platform) => {
      const found = tools.get(platform);
      if (!found) throw new Error(`${platform} is not simulated`);
      return found;
    },
    accessToken: async ({ id }) => {
      const set = tokens.get(id);
      const connected = accounts.find(({ account }) => account.id === id);
      if (!set || !connected) throw new Error('no such account');
      if (Date.parse(set.expiresAt ?? '9999') > now() + 2 * minuteMs) return set.accessToken;
      const { authorization, tools: own } = connected.fixture;
      const renewed = await authorization.refresh(set, own);
      tokens.set(id, renewed);
      return renewed.accessToken;
    },
    renewToken: async () => false,
    markAccount: async (account, status, reason) => {
      const key = accountKey(workspaceId, account.id);
      const before = await getItem(table, key);
      const isMarked = await markAccount(table, account, status, reason, now());
      if (isMarked) await noteChange(before, await getItem(table, key));
    },
    clearMark: async () => {},
    report: (message, error) => reports.push(`${message}: ${error}`),
    rulesFor,
    stageFeatures: {},
    dailyLimits: dailyLimitsOf({}),
    accountCheckFor: (platform) =>
      accountCheckFor(platform)?.then((check) => ({
        ...check,
        ask: (account, token, given, before) => {
          const asked = accounts.find((each) => each.account.platformAccountId === account.platformAccountId);
          questions.push({ accountId: asked?.account.id ?? '', atMs: now() });
          const { tools: own = given } = asked?.fixture ?? {};
          return check.ask(account, token, own, before);
        },
      })),
  };

  return {
    table,
    workspaceId,
    accounts,
    questions,
    reports,
    ports,
    now,
    video,
    image,
    change,
    async advance(untilMs, stepMs = 5 * minuteMs) {
      while (time.now < untilMs) {
        setTime(Math.min(untilMs, time.now + stepMs));
        await checkAhead(ports, now() + 40 * secondMs);
        await runRiskChecks(ports, now() + 40 * secondMs);
      }
    },
    async schedule({ row, account }, dueMs, changes = {}) {
      const id = newId(now());
      const scheduledFor = toTimestamp(dueMs);
      const files = row.media.map((name) => referenceTo(name.endsWith('.mp4') ? video : image));
      const target = {
        ...{ accountId: account.id, platform: row.platform, options: row.options, scheduledFor },
        ...{ wakeAt: toTimestamp(dueMs - minuteMs), mediaItems: files, ...changes },
      };
      await storePost(table, workspaceId, [target], { id, content: row.content, scheduledFor });
      return id;
    },
    async findings(postId) {
      const found = await findPost(table, workspaceId, postId);
      return found?.targets.flatMap(({ risk }) => risk?.findings ?? []) ?? [];
    },
    async close() {
      vi.useRealTimers();
      await Promise.all(accounts.map(({ fixture }) => fixture.close()));
    },
  };
}
