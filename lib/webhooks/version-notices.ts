import * as z from 'zod';
import { queryAccounts } from '../accounts/store.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { type Clock, dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { type ApiVersion, daysLeft, noticeDays } from '../platforms/contract/api-versions.ts';
import { Platform, platformNames } from '../platforms/contract/names.ts';
import { unconditionally } from '../table/condition.ts';
import { getItem, putIfAbsent, putItem } from '../table/items.ts';
import { directoryPartition, versionNoticeKey, versionWalkKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/**
 * A notice to a workspace that the version of a platform's API in use ends, and that its accounts of the platform stop working then,
 * unless the operator moves to another version before. The table's stream turns it into an event. There is one for each workspace
 * and version.
 */
export const VersionNotice = z.object({
  workspaceId: z.uuid(),
  platform: Platform,
  version: z.string(),
  /** A day (ISO 8601). */
  endsOn: z.string(),
  /** The connected accounts of the platform at that time, at most {@link maxAccounts}. */
  accountIds: z.array(z.uuid()),
  toldAt: z.string(),
  expiresAtSeconds: z.int(),
});
export type VersionNotice = z.infer<typeof VersionNotice>;

/** The limit on accounts of a notice. Our judgement: the event stays small, and nobody has so many. */
const maxAccounts = 1_000;

/** The progress of a day's walk over all workspaces. */
export const VersionWalk = z.object({
  day: z.string(),
  /** The sort key of the last workspace that was looked at. */
  after: z.string().optional(),
  isDone: z.boolean(),
});

export interface VersionNoticePorts {
  readonly table: Table;
  readonly now: Clock;
  /** Returns the version that the stage uses; undefined if the stage does not offer the platform. */
  readonly versionOf: (platform: Platform) => Promise<ApiVersion | undefined>;
  /** Tells operators which workspace was not told. It is looked at again the next day. */
  readonly report: (message: string, error: unknown) => void;
}

/** The number of workspaces that are read at the same time, and in one page. */
const concurrentWorkspaces = 10;
const pageSize = 200;
/** The time for which notices are kept after the end of their version. */
const keptMs = 30 * dayMs;

/**
 * Tells each workspace with accounts of a platform, once, that the version of the platform's API in use ends within 60 days. Looks at
 * every workspace once a day in that time, because accounts may be connected later. Can be repeated, and be ended at any time.
 *
 * @param deadlineMs epoch milliseconds after which no page of workspaces is begun
 * @returns the number of workspaces told
 */
export async function tellOfEndingVersions(ports: VersionNoticePorts, deadlineMs: number): Promise<number> {
  let told = 0;
  for (const platform of platformNames) {
    const version = await ports.versionOf(platform);
    if (version?.sunsetOn === undefined) continue;
    const days = daysLeft(version.sunsetOn, ports.now());
    if (days <= noticeDays && days > 0)
      told += await walk(ports, platform, { ...version, sunsetOn: version.sunsetOn }, deadlineMs);
  }
  return told;
}

type EndingVersion = Required<ApiVersion>;

async function walk(
  ports: VersionNoticePorts,
  platform: Platform,
  version: EndingVersion,
  deadlineMs: number,
): Promise<number> {
  const { table, now } = ports;
  const day = toTimestamp(now()).slice(0, 10);
  const key = versionWalkKey(platform, version.name);
  const item = await getItem(table, key);
  const before = item && VersionWalk.parse(item);
  const after = before?.day === day ? before.after : undefined;
  if (before?.day === day && before.isDone) return 0;
  const expiresAtSeconds = expiryOf(version);
  // Two walks at the same time only look twice: each workspace has one notice.
  const note = (walked: { after?: string; isDone: boolean }) =>
    putItem(table, { ...key, kind: 'versionWalk', day, ...walked, expiresAtSeconds }, unconditionally);
  let told = 0;
  const pages = queryPages(table, {
    partition: directoryPartition,
    sort: { beginsWith: 'WORKSPACE#' },
    limit: pageSize,
    ...(after !== undefined && { after: { pk: directoryPartition, sk: after } }),
  });
  for await (const page of pages) {
    if (now() >= deadlineMs) return told;
    const open = page.filter(({ deleteAfter }) => deleteAfter === undefined);
    const outcomes = await mapInBatches(open, concurrentWorkspaces, ({ id }) =>
      tellOne(ports, String(id), platform, version),
    );
    told += outcomes.filter(Boolean).length;
    const last = page.at(-1);
    if (last) await note({ after: String(last['sk']), isDone: false });
  }
  await note({ isDone: true });
  return told;
}

/** @returns true if this call has told the workspace */
async function tellOne(
  { table, now, report }: VersionNoticePorts,
  workspaceId: string,
  platform: Platform,
  version: EndingVersion,
): Promise<boolean> {
  try {
    const accountIds = await accountsOf(table, workspaceId, platform);
    if (accountIds.length === 0) return false;
    const notice: VersionNotice = {
      workspaceId,
      platform,
      version: version.name,
      endsOn: version.sunsetOn,
      accountIds,
      toldAt: toTimestamp(now()),
      expiresAtSeconds: expiryOf(version),
    };
    const key = versionNoticeKey(workspaceId, platform, version.name);
    return (await putIfAbsent(table, { ...key, kind: 'versionNotice', ...notice })) === undefined;
  } catch (error) {
    report(`workspace ${workspaceId}: the notice that ${platform} ends a version was not recorded`, error);
    return false;
  }
}

async function accountsOf(table: Table, workspaceId: string, platform: Platform): Promise<string[]> {
  const ids: string[] = [];
  let afterAccountId: string | undefined;
  do {
    const page = await queryAccounts(table, workspaceId, { platform, afterAccountId });
    ids.push(...page.accounts.map(({ id }) => id));
    afterAccountId = page.lastAccountId;
  } while (afterAccountId !== undefined && ids.length < maxAccounts);
  return ids.slice(0, maxAccounts);
}

const expiryOf = ({ sunsetOn }: EndingVersion): number =>
  Math.ceil((Date.parse(sunsetOn) + keptMs) / secondMs);
