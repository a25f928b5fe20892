import type { Account } from '../../lib/accounts/schemas.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../lib/kernel/clock.ts';
import type { PlannedAction, PlannedPost } from './clients.ts';
import type { Random } from './random.ts';

/** The time at which every run begins. */
export const startMs = Date.parse('2026-03-01T12:00:00Z');

export interface History {
  readonly posts: readonly PlannedPost[];
  /** Faults happen only before this time. */
  readonly faultsEndMs: number;
}

/** Draws what the clients of some workspaces do. The same seed gives the same history. */
export function drawHistory(random: Random, workspaces: readonly (readonly Account[])[]): History {
  const posts = workspaces.flatMap((accounts) =>
    Array.from({ length: random.integer(1, 2) }, (_, index) => drawPost(random, accounts, index)),
  );
  const latestMs = Math.max(
    ...posts.flatMap(({ dueMs, actions }) => [dueMs, ...actions.map(({ atMs }) => atMs)]),
  );
  return { posts, faultsEndMs: latestMs + random.between(0, 30 * minuteMs) };
}

function drawPost(random: Random, accounts: readonly Account[], index: number) {
  const { workspaceId = '' } = accounts[0] ?? {};
  const atMs = startMs + random.between(0, minuteMs);
  const isNow = random.isTrue(0.15);
  const aheadMs = random.isTrue(0.3) ? random.between(0, 30 * hourMs) : random.between(0, 12 * minuteMs);
  const dueMs = isNow ? atMs : Math.floor(atMs + aheadMs);
  const name = `${accounts.length}-${index}`;
  const chosen = accounts.filter(() => random.isTrue(0.6));
  const targets = chosen.length > 0 ? chosen : accounts.slice(0, 1);
  const platforms = targets.map(({ id }) => ({
    accountId: id,
    ...(random.isTrue(0.15) && { customContent: `${name} for ${id}` }),
    ...(random.isTrue(0.15) &&
      !isNow && { scheduledFor: toTimestamp(dueMs + random.between(0, 10 * minuteMs)) }),
  }));
  const hasChain = random.isTrue(0.25);
  const chain = hasChain
    ? [
        {
          kind: 'followUp',
          accountIds: [random.pick(accounts).id],
          afterMinutes: random.integer(0, 20),
          content: `${name} follows`,
        },
      ]
    : [];
  const when = isNow ? { publishNow: true } : { scheduledFor: toTimestamp(dueMs) };
  return {
    workspaceId,
    name,
    content: `${name} at first`,
    body: { platforms, chain, ...when },
    atMs,
    dueMs,
    actions: drawActions(random, name, atMs, dueMs),
  };
}

/** Draws actions, most of them near the due time, when races are likely. */
function drawActions(random: Random, name: string, atMs: number, dueMs: number): PlannedAction[] {
  const near = () =>
    Math.max(atMs, dueMs + random.between(-5, 5) * secondMs - random.between(0, 1) ** 4 * 6 * minuteMs);
  const actions: PlannedAction[] = [];
  if (random.isTrue(0.35)) {
    const movesTo = random.isTrue(0.4)
      ? { scheduledFor: toTimestamp(Math.floor(dueMs + random.between(-60, 240) * secondMs)) }
      : {};
    actions.push({ kind: 'edit', atMs: near(), content: `${name} edited`, patch: movesTo });
  }
  if (random.isTrue(0.15))
    actions.push({ kind: 'edit', atMs: near(), content: `${name} edited again`, patch: {} });
  if (random.isTrue(0.2)) actions.push({ kind: 'delete', atMs: near() });
  if (random.isTrue(0.3)) actions.push({ kind: 'retry', atMs: dueMs + random.between(0, 10) * minuteMs });
  if (random.isTrue(0.1)) actions.push({ kind: 'retry', atMs: dueMs + random.between(0, 300) * minuteMs });
  return actions;
}
