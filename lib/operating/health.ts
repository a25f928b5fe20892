import type { PutOff, Watch } from '../incidents/schemas.ts';
import type { Target } from '../targets/schemas.ts';
import type { DueReport } from './due-work.ts';
import { sameReason, toFailedRow } from './why-post.ts';

/** The results of one platform in a span of time. */
export interface PlatformResults {
  readonly platform: string;
  /** Destinations that went live; null if nobody counts them. */
  readonly live: number | null;
  readonly failed: number;
  /** The three most frequent reasons, with their counts. */
  readonly reasons: readonly { readonly count: number; readonly code: string; readonly reason: string }[];
}

/** A queue as `status` shows it. Null means that a value is unknown, or that there is no such queue. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number | null;
  readonly oldestSeconds: number | null;
  readonly deadLetters: number | null;
  readonly oldestDeadLetterSeconds: number | null;
}

/** The destinations of a platform that are put off, as far as they are known. */
export interface PlatformTrouble {
  readonly platform: string;
  /** The start of its incident, as a timestamp; null if it has none. */
  readonly incidentSince: string | null;
  readonly putOff: number;
  readonly accounts: number;
  /** The first ten. */
  readonly workspaces: readonly string[];
  readonly moreWorkspaces: number;
  readonly reason: string;
}

/** The state of a stage that `status` reports. */
export interface StageState {
  readonly due: DueReport;
  readonly troubles: readonly PlatformTrouble[];
  readonly platforms: readonly PlatformResults[];
  readonly queues: readonly QueueState[];
}

const shownReasons = 3;

/**
 * Counts failures by platform and reason. Pure.
 *
 * @param live destinations that went live, by platform; `undefined` if nobody counts them
 */
export function summarizeResults(
  failed: readonly Target[],
  live: ReadonlyMap<string, number> | undefined,
): PlatformResults[] {
  const byPlatform = Map.groupBy(failed, ({ platform }): string => platform);
  const names = [...new Set([...byPlatform.keys(), ...(live?.keys() ?? [])])].sort();
  return names.map((platform) => {
    const rows = (byPlatform.get(platform) ?? []).map(toFailedRow);
    const byReason = [...Map.groupBy(rows, ({ code, reason }) => `${code} ${sameReason(reason)}`).values()];
    return {
      platform,
      live: live === undefined ? null : (live.get(platform) ?? 0),
      failed: rows.length,
      reasons: byReason
        .toSorted((one, other) => other.length - one.length)
        .slice(0, shownReasons)
        .map((same) => ({ count: same.length, code: same[0]?.code ?? '', reason: same[0]?.reason ?? '' })),
    };
  });
}

const shownWorkspaces = 10;

/** Sums up destinations that are put off, by platform. Pure. */
export function troublesOf({ putOff, incidents }: Pick<Watch, 'putOff' | 'incidents'>): PlatformTrouble[] {
  const byPlatform = Map.groupBy(putOff, ({ platform }) => platform);
  return [...byPlatform].map(([platform, same]) => {
    const workspaces = [...new Set(same.map(({ workspaceId }) => workspaceId))];
    return {
      platform,
      incidentSince: incidents.find((each) => each.platform === platform)?.since ?? null,
      putOff: same.length,
      accounts: new Set(same.map(({ accountId }) => accountId)).size,
      workspaces: workspaces.slice(0, shownWorkspaces),
      moreWorkspaces: Math.max(0, workspaces.length - shownWorkspaces),
      reason: commonestReason(same),
    };
  });
}

function commonestReason(putOff: readonly PutOff[]): string {
  const byReason = [...Map.groupBy(putOff, ({ reason }) => sameReason(reason)).values()];
  return byReason.toSorted((one, other) => other.length - one.length)[0]?.[0]?.reason ?? '';
}

/** The minimum number of failures for a problem. The alarm "Most posts to a platform fail" has the same numbers. */
const leastFailures = 5;
const longestQueueSeconds = 15 * 60;

/** Returns the problems of a stage, in sentences that name the numbers; none if it is healthy. Pure. */
export function problemsOf({ due, troubles, platforms, queues }: StageState): string[] {
  return [
    ...troubles.flatMap(({ platform, incidentSince, putOff, workspaces, moreWorkspaces, reason }) =>
      incidentSince === null
        ? []
        : [
            `${platform} has trouble since ${incidentSince}: ${putOff} destinations are put off, and none of them goes live; ${reason}; workspaces ${workspaces.join(', ')}${moreWorkspaces > 0 ? ` and ${moreWorkspaces} more` : ''}`,
          ],
    ),
    ...due.work.flatMap(({ work, overdue, oldest }) =>
      overdue === 0 ? [] : [`${overdue} ${work} are overdue, the oldest since ${oldest}`],
    ),
    ...due.unreadable.map((key) => `an item that is due cannot be read: ${key}`),
    ...platforms.flatMap(({ platform, live, failed, reasons: [first] }) =>
      failed >= leastFailures && failed > (live ?? 0)
        ? [
            `${platform}: ${failed} destinations have failed and ${live ?? 'an unknown number'} are live; ${first?.count} × ${first?.reason}`,
          ]
        : [],
    ),
    ...queues.flatMap(({ name, deadLetters, oldestSeconds }) => [
      ...((deadLetters ?? 0) > 0 ? [`${name} has ${deadLetters} dead letters: queue peek ${name}`] : []),
      ...((oldestSeconds ?? 0) > longestQueueSeconds
        ? [`the oldest message of ${name} waits for ${Math.round((oldestSeconds ?? 0) / 60)} minutes`]
        : []),
    ]),
  ];
}
