import { secondMs } from '../kernel/clock.ts';
import { continuing } from '../kernel/continued-messages.ts';
import type { Target } from '../targets/schemas.ts';
import { type SeenWake, seeWakes } from '../targets/take.ts';
import { joinWakes, type PublishMessage, type WakeMessage, wakesOf } from './message.ts';
import type { PublishingPorts } from './ports.ts';
import { isPlain } from './publish-ready.ts';
import { sendTakeover, takeoverSeconds } from './takeover.ts';
import { nearestWakes, queueDelaySeconds, warmLeadMs } from './wake.ts';
import { readWork, type WorkItems } from './work.ts';

/** What a worker knows about a wake before it takes the target. */
export type MetWake =
  /** The wake is too far off. Its message has been sent back. */
  | { readonly state: 'early' }
  /** The target has another wake by now, or none. */
  | { readonly state: 'obsolete' }
  /** The target must be taken before anything else. */
  | { readonly state: 'untaken' }
  /** See {@link isPlain}. */
  | ({ readonly state: 'plain'; readonly target: Target } & PlainWakes);

/** What plain wakes of a message have in common. */
interface PlainWakes {
  /** When the message arrives that takes over if this worker crashes, in epoch milliseconds. */
  readonly takeoverMs: number;
  /** What the targets belong to; `undefined` if that could not be read. */
  readonly items: WorkItems | undefined;
}

/**
 * Does once for all wakes of a message what they have in common: looks at them, sends early ones back, and for plain ones sends
 * the takeover message and reads what they belong to. Nobody holds their targets meanwhile.
 *
 * @returns what is known of each wake, in the order of `wakesOf`
 * @throws if the queue does not take early ones back. Wakes of a message are due together, so nothing else is held up
 */
export async function meetWakes(message: WakeMessage, given: PublishingPorts): Promise<MetWake[]> {
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const seen = await see(wakesOf(message), ports);
  await sendBack(seen.filter(isEarly), ports);
  const plain = seen.filter(isCurrent).filter(({ target }) => !message.isTakeover && isPlain(ports, target));
  const shared = await meetPlain(plain, ports);
  return seen.map((wake): MetWake => {
    if (wake.state === 'early' || wake.state === 'obsolete') return { state: wake.state };
    if (wake.state === 'current' && shared && plain.includes(wake))
      return { state: 'plain', target: wake.target, ...shared };
    return { state: 'untaken' };
  });
}

type Seen<State extends SeenWake['state'] = SeenWake['state']> = Extract<SeenWake, { state: State }> & {
  readonly wake: PublishMessage;
};

const isEarly = (seen: Seen): seen is Seen<'early'> => seen.state === 'early';
const isCurrent = (seen: Seen): seen is Seen<'current'> => seen.state === 'current';

async function see(wakes: readonly PublishMessage[], ports: PublishingPorts): Promise<Seen[]> {
  const nearest = nearestWakes(ports.now());
  const wakeMs = Date.parse(wakes[0]?.wakeAt ?? '');
  if (wakeMs > nearest.nearMs) return wakes.map((wake) => ({ wake, state: 'early', wakeMs }));
  let seen: readonly SeenWake[] = [];
  try {
    seen = await seeWakes(ports.table, wakes, nearest);
  } catch {
    // Whoever takes them meets the error again.
  }
  return wakes.map((wake, index): Seen => ({ wake, ...(seen[index] ?? { state: 'unknown' }) }));
}

async function sendBack(early: readonly Seen<'early'>[], ports: PublishingPorts): Promise<void> {
  for (const [wakeMs, together] of Map.groupBy(early, (seen) => seen.wakeMs)) {
    const delaySeconds = queueDelaySeconds(wakeMs, ports.now(), warmLeadMs);
    for (const message of joinWakes(together.map(({ wake }) => wake)))
      await ports.enqueue(message, delaySeconds);
  }
}

/**
 * The takeover message goes out before the reads: a target that crashes its worker while nobody holds it is thereby taken, and
 * counted, the next time.
 */
async function meetPlain(
  plain: readonly Seen<'current'>[],
  ports: PublishingPorts,
): Promise<PlainWakes | undefined> {
  const [first] = plain;
  if (!first) return undefined;
  const waitMs = Math.max(0, Date.parse(first.target.wakeAt ?? '') - ports.now());
  const delaySeconds = takeoverSeconds + Math.ceil(waitMs / secondMs);
  const takeoverMs = ports.now() + delaySeconds * secondMs;
  for (const message of joinWakes(plain.map(({ wake }) => wake)))
    await sendTakeover(ports, message, delaySeconds);
  const targets = plain.map(({ target }) => target);
  // With the lease, the error is met again, and what it means for the targets is committed.
  const items = await readWork(ports, targets, { isAccountEventual: true }).catch(() => undefined);
  return { takeoverMs, items };
}
