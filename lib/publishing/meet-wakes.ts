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

/** A worker's knowledge about a wake before it takes the target. */
export type MetWake =
  /** The wake is too far off. Its message has been sent back. */
  | { readonly state: 'early' }
  /** The target has another wake by now, or none. */
  | { readonly state: 'obsolete' }
  /** The target must be taken before anything else. */
  | { readonly state: 'untaken' }
  /** See {@link isPlain}. */
  | ({ readonly state: 'plain'; readonly target: Target } & PlainWakes);

/** The preparations that the plain wakes of a message share. */
interface PlainWakes {
  /** The arrival of the message that takes over if this worker crashes, in epoch milliseconds. */
  readonly takeoverMs: number;
  /** The items that the targets belong to; `undefined` if they could not be read. */
  readonly items: WorkItems | undefined;
}

/**
 * Does the work that all wakes of a message share: reads their targets, sends early ones back, and for plain ones sends the takeover
 * message and reads the items that they belong to. Nobody holds the targets meanwhile.
 *
 * @returns the wakes in the order of `wakesOf`, with the knowledge about each
 * @throws if the queue does not take early ones back. Wakes of a message are due together, so nothing else is held up
 */
export async function meetWakes(
  message: WakeMessage,
  given: PublishingPorts,
): Promise<{ readonly wake: PublishMessage; readonly met: MetWake }[]> {
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const seen = await see(message, ports);
  await sendBack(seen.filter(isEarly), ports);
  const plain = seen.filter(isCurrent).filter(({ target }) => !message.isTakeover && isPlain(ports, target));
  const shared = await meetPlain(plain, ports);
  const meet = (each: Seen): MetWake => {
    if (each.state === 'early' || each.state === 'obsolete') return { state: each.state };
    if (each.state === 'current' && shared && plain.includes(each))
      return { state: 'plain', target: each.target, ...shared };
    return { state: 'untaken' };
  };
  return seen.map((each) => ({ wake: each.wake, met: meet(each) }));
}

type Seen<Name extends SeenWake['state'] = SeenWake['state']> = Extract<SeenWake, { state: Name }> & {
  readonly wake: PublishMessage;
};

const isEarly = (seen: Seen): seen is Seen<'early'> => seen.state === 'early';
const isCurrent = (seen: Seen): seen is Seen<'current'> => seen.state === 'current';

async function see(message: WakeMessage, ports: PublishingPorts): Promise<Seen[]> {
  const wakes = wakesOf(message);
  const nearest = nearestWakes(ports.now());
  const wakeMs = Date.parse(message.wakeAt ?? '');
  if (wakeMs > nearest.nearMs) return wakes.map((wake) => ({ wake, state: 'early', wakeMs }));
  let seen: readonly SeenWake[] = [];
  try {
    seen = await seeWakes(ports.table, wakes, nearest);
  } catch {
    // The worker that takes them meets the error again.
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
