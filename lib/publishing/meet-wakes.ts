import { secondMs } from '../kernel/clock.ts';
import { continuing } from '../kernel/continued-messages.ts';
import type { Target } from '../targets/schemas.ts';
import { type SeenWake, seenWake, seeWakes } from '../targets/take.ts';
import { gather, leftCheckMs, mayHaveSiblings, readSiblings } from './gather.ts';
import { joinWakes, type PublishMessage, type WakeMessage, wakeName, wakesOf } from './message.ts';
import type { PublishingPorts } from './ports.ts';
import { isPlain } from './publish-ready.ts';
import { sendTakeover, takeoverSeconds } from './takeover.ts';
import { nearestWakes, queueDelaySeconds, warmLeadMs } from './wake.ts';
import { readWork, type WorkItems } from './work.ts';

/** What a worker knows about a wake before it takes the target. */
export type MetWake =
  /** The wake is too far off, or another worker waits for it too. Its message has been sent back. */
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
 * Does once for all wakes of a message what they have in common: looks at them and at their siblings, sends back what is early or
 * worked elsewhere, and for plain ones sends the takeover message and reads what they belong to. Nobody holds their targets meanwhile.
 *
 * @returns the wakes to work, those of the message first, in the order of `wakesOf`, and what is known of each
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
    if (each.state === 'early' || each.state === 'left') return { state: 'early' };
    if (each.state === 'obsolete') return { state: 'obsolete' };
    if (each.state === 'current' && shared && plain.includes(each))
      return { state: 'plain', target: each.target, ...shared };
    return { state: 'untaken' };
  };
  return seen.map((each) => ({ wake: each.wake, met: meet(each) }));
}

/** `left`: the worker of another message waits for the wake too, and works it. */
type State = SeenWake | { readonly state: 'left' };

type Seen<Name extends State['state'] = State['state']> = Extract<State, { state: Name }> & {
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
    if (ports.queue === 'publish' && mayHaveSiblings(message, ports.now()))
      return await seeSiblings(message, ports, nearest);
    seen = await seeWakes(ports.table, wakes, nearest);
  } catch {
    // Whoever takes them meets the error again.
  }
  return wakes.map((wake, index): Seen => ({ wake, ...(seen[index] ?? { state: 'unknown' }) }));
}

/** What is seen of the wakes of a message, and of others that its worker works too. See {@link gather}. */
async function seeSiblings(
  message: WakeMessage,
  ports: PublishingPorts,
  nearest: ReturnType<typeof nearestWakes>,
): Promise<Seen[]> {
  const items = await readSiblings(ports.table, message);
  const { added, left } = gather(message, items, (target) => isPlain(ports, target), ports.now());
  const wakes = wakesOf(message);
  const [first = message] = wakes;
  const isLeft = await leave(
    wakes.filter((wake) => left.has(wakeName(wake))),
    ports,
  );
  return [
    ...wakes.map((wake): Seen => {
      if (isLeft && left.has(wakeName(wake))) return { wake, state: 'left' };
      return { wake, ...seenWake(wake, items.get(wake.accountId), nearest) };
    }),
    ...added.map((target): Seen => {
      const { accountId, wakeNumber } = target;
      return { wake: { ...first, accountId, wakeNumber }, state: 'current', target };
    }),
  ];
}

/**
 * Sends the messages of wakes that another worker works to a moment after their time, in case that worker has lost its message.
 *
 * @returns whether the queue has taken them; if not, this worker works them too
 */
async function leave(left: readonly PublishMessage[], ports: PublishingPorts): Promise<boolean> {
  try {
    for (const message of joinWakes(left)) {
      const arrivalMs = Date.parse(message.wakeAt ?? '') + leftCheckMs;
      await ports.enqueue(message, Math.ceil((arrivalMs - ports.now()) / secondMs));
    }
    return true;
  } catch (error) {
    ports.report('the wakes of targets could not be left to another worker', error);
    return false;
  }
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
