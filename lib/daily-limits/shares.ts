import { sha256 } from '../kernel/ids.ts';

/** One workspace's demand for a day. */
export interface Demand {
  readonly workspaceId: string;
  /** The number of places that it has planned or used. */
  readonly places: number;
  /** The number of used places, which nobody can take back. */
  readonly used: number;
}

/**
 * Returns each workspace's share of a day, max–min fair: a workspace with a small demand gets all of it, and the others
 * get equal shares of the rest, so that no share can grow except at the cost of one that is not larger. Pure.
 *
 * - No share is larger than the workspace's demand, nor smaller than the places it has used.
 * - The shares add up to the limit, or to the whole demand if that is less. Only if more than the limit is used, they
 *   add up to that number.
 * - A rest that cannot be divided goes to the first workspaces in the given order.
 *
 * @param limit the number of places in the day
 */
export function fairShares(limit: number, demands: readonly Demand[]): ReadonlyMap<string, number> {
  const shareAt = (level: number, { places, used }: Demand) => Math.max(used, Math.min(places, level));
  const sumAt = (level: number) => demands.reduce((sum, demand) => sum + shareAt(level, demand), 0);
  // The highest level at which all shares fit, or 0.
  let level = 0;
  for (let above = limit + 1; above - level > 1; ) {
    const middle = Math.floor((level + above) / 2);
    if (sumAt(middle) <= limit) level = middle;
    else above = middle;
  }
  let rest = limit - sumAt(level);
  const shares = demands.map((demand) => {
    const share = shareAt(level, demand);
    const mayGrow = rest > 0 && shareAt(level + 1, demand) > share;
    if (mayGrow) rest -= 1;
    return [demand.workspaceId, mayGrow ? share + 1 : share] as const;
  });
  return new Map(shares);
}

/** A target's place in a day, as it is listed. */
export interface ListedPlace {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly isUsed: boolean;
}

/** The division of a day, as one workspace sees it. */
export interface DivisionOfDay {
  /** The places that all workspaces have planned or used. */
  readonly places: number;
  /** The workspace's places in the order in which they count towards its share: used ones first, then by age of the post. */
  readonly own: readonly ListedPlace[];
  /** The number of its places that the workspace may use. */
  readonly share: number;
}

/**
 * Divides a day among the workspaces that have places in it. Pure. The workspaces that get the indivisible rest differ
 * from day to day.
 */
export function divideDay(
  limit: number,
  day: string,
  places: readonly ListedPlace[],
  workspaceId: string,
): DivisionOfDay {
  const byWorkspace = Map.groupBy(places, (place) => place.workspaceId);
  const demands = [...byWorkspace]
    .map(([id, held]) => ({
      workspaceId: id,
      places: held.length,
      used: held.filter(({ isUsed }) => isUsed).length,
      turn: sha256(`${day} ${id}`),
    }))
    .toSorted((one, other) => (one.turn < other.turn ? -1 : 1));
  const own = (byWorkspace.get(workspaceId) ?? []).toSorted(byRank);
  return {
    places: places.length,
    own,
    share: fairShares(limit, demands).get(workspaceId) ?? 0,
  };
}

function byRank(one: ListedPlace, other: ListedPlace): number {
  if (one.isUsed !== other.isUsed) return one.isUsed ? -1 : 1;
  const [first, second] = [one, other].map(({ postId, accountId }) => `${postId}#${accountId}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** Returns true if a target's place is within the workspace's share. */
export function isWithinShare(
  { own, share }: DivisionOfDay,
  { postId, accountId }: Pick<ListedPlace, 'postId' | 'accountId'>,
): boolean {
  const rank = own.findIndex((place) => place.postId === postId && place.accountId === accountId);
  return rank >= 0 && rank < share;
}
