import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';
import { callsOf } from './calls.ts';

/** A time in which an account was disconnected, in epoch milliseconds. */
interface Gap {
  readonly fromMs: number;
  untilMs: number;
}

/** Maximum time that a worker may act on an account that it has read: it holds its lease, and waits for the due time. */
const staleMs = 5 * minuteMs;

export type Connections = ReturnType<typeof createConnections>;

/**
 * Follows when accounts are connected. Checks that a target fails for a missing connection only if the connection is
 * missing, and that none goes live without one.
 */
export function createConnections(world: World, committed: Committed) {
  const gaps = new Map<string, Gap[]>();

  committed.listen((change) => {
    if (change.kind === 'account') note(change);
    if (change.kind === 'target') checkTarget(change);
  });

  function note({ after }: Change): void {
    const accountId = String(after?.['id']);
    const all = gaps.get(accountId) ?? [];
    gaps.set(accountId, all);
    const last = all.at(-1);
    const isOpen = last?.untilMs === Infinity;
    const isDisconnected = after?.['disconnectedAt'] !== undefined;
    if (isDisconnected && !isOpen) all.push({ fromMs: world.now(), untilMs: Infinity });
    if (!isDisconnected && last && isOpen) last.untilMs = world.now();
  }

  function wasDisconnected(accountId: string, fromMs: number, untilMs: number): boolean {
    return (gaps.get(accountId) ?? []).some((gap) => gap.fromMs <= untilMs && gap.untilMs >= fromMs);
  }

  function checkTarget({ key, before, after }: Change): void {
    if (!after) return;
    const accountId = String(after['accountId']);
    const now = world.now();
    const error = String(after['error'] ?? '');
    const isNew = before?.['status'] !== after['status'];
    const isBlamed = isNew && after['status'] === 'failed' && /account is disconnected/.test(error);
    if (isBlamed && !wasDisconnected(accountId, now - staleMs, now))
      world.violate(`${key} has failed (${error}), but the account is connected`);
    const gap = gaps.get(accountId)?.at(-1);
    const isGone = gap?.untilMs === Infinity && now - gap.fromMs > staleMs;
    if (isGone && callsOf(after).length > callsOf(before).length)
      world.violate(`${key} goes live, but the account was disconnected ${now - gap.fromMs} ms ago`);
  }

  return { wasDisconnected };
}
