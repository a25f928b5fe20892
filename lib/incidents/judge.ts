import { hourMs, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { type Platform, platformNames } from '../platforms/contract/names.ts';
import { type Incident, type PutOff, sampleSize, type Watch } from './schemas.ts';

/** The least evidence for an outage: one post, or one account with trouble of its own, is none. */
export const leastPutOff = { destinations: 5, posts: 2, accounts: 2 };
/** The time for which nothing that was put off has gone live. */
export const silenceMs = 15 * minuteMs;
/** The lateness of a destination that is trouble by itself. A short fault is over by then. */
const lateMs = 5 * minuteMs;
/**
 * The time for which a recovery speaks for the platform: what was put off before it, and still is, has trouble of its own. Without
 * it, a single post that a platform cannot process would begin an incident again and again.
 */
const recoveryCountsMs = hourMs;

/** The targets that were looked at. */
export interface Looked {
  readonly putOff: readonly PutOff[];
  /** The platforms on which a destination that had been put off has gone live. */
  readonly recovered: readonly Platform[];
}

export const nothingWatched: Watch = { checkedAt: '', putOff: [], recoveries: [], incidents: [] };

/**
 * Judges what was seen. Pure. An incident lasts until a destination that was put off goes live, or none is put off any more: one
 * outage is one incident, also if the evidence for it becomes less.
 *
 * @param before the notes of the last sweep
 * @param now epoch milliseconds
 */
export function judge(before: Watch, { putOff, recovered }: Looked, now: number): Watch {
  const checkedAt = toTimestamp(now);
  const recoveries = platformNames.flatMap((platform) => {
    if (recovered.includes(platform)) return [{ platform, at: checkedAt }];
    const last = before.recoveries.find((each) => each.platform === platform);
    return last && last.at > toTimestamp(now - recoveryCountsMs) ? [last] : [];
  });
  const byPlatform = Map.groupBy(putOff, ({ platform }) => platform);
  /** Separates what is evidence from what has trouble of its own since before the last recovery. */
  const partition = (platform: Platform): [PutOff[], PutOff[]] => {
    const { at = '' } = recoveries.find((each) => each.platform === platform) ?? {};
    const all = byPlatform.get(platform) ?? [];
    return [all.filter(({ since }) => since > at), all.filter(({ since }) => since <= at)];
  };
  return {
    checkedAt,
    putOff: platformNames.flatMap((platform) => {
      const [fresh, stuck] = partition(platform);
      return sampleOf([...fresh.toSorted(byAge), ...stuck.toSorted(byAge)]);
    }),
    recoveries,
    incidents: platformNames.flatMap((platform) => {
      const [evidence] = partition(platform);
      const lasting = before.incidents.find((each) => each.platform === platform);
      return incidentOf(platform, evidence, lasting, now) ?? [];
    }),
  };
}

function incidentOf(
  platform: Platform,
  evidence: readonly PutOff[],
  lasting: Incident | undefined,
  now: number,
): Incident | undefined {
  const oldest = evidence.toSorted(byAge)[0];
  if (oldest === undefined) return undefined;
  const isMany =
    evidence.length >= leastPutOff.destinations &&
    new Set(evidence.map(({ postId }) => postId)).size >= leastPutOff.posts &&
    new Set(evidence.map(({ accountId }) => accountId)).size >= leastPutOff.accounts;
  const isOutage = isMany && oldest.since <= toTimestamp(now - silenceMs);
  const since = lasting?.since ?? oldest.since;
  if (isOutage || lasting?.kind === 'outage') return { platform, kind: 'outage', since };
  const limit = toTimestamp(now - lateMs);
  const isLate = evidence.some(
    ({ since: failing, lateSince = '9' }) => failing <= limit && lateSince <= limit,
  );
  return isLate || lasting ? { platform, kind: 'late', since } : undefined;
}

/** Keeps the first ones, and room for other accounts. Evidence comes first, so that stuck destinations do not crowd it out. */
function sampleOf(putOff: readonly PutOff[]): PutOff[] {
  const ofAccounts = new Map<string, number>();
  return putOff
    .filter(({ accountId }) => {
      const count = (ofAccounts.get(accountId) ?? 0) + 1;
      ofAccounts.set(accountId, count);
      return count <= sampleSize.ofAccount;
    })
    .slice(0, sampleSize.ofPlatform);
}

const byAge = ({ since: one }: PutOff, { since: other }: PutOff): number =>
  one < other ? -1 : Number(one > other);
