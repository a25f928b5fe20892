import type { TenantQueue } from '../../../lib/aws/queue.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { InjectedError } from '../world/faults.ts';
import { currentProcess, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** A message as a consumer receives it. */
export interface Received {
  readonly id: string;
  readonly body: string;
  /** Number of receives, from 1. */
  readonly receives: number;
}

interface Message {
  readonly id: string;
  readonly body: string;
  receives: number;
}

export interface QueueSetting {
  readonly world: World;
  readonly name: string;
  readonly visibilityMs: number;
  readonly maxReceives: number;
  /** True if a message comes again after its consumer did not finish it. If not, recovery must not depend on it. */
  readonly redelivers: boolean;
}

export type SimulatedQueue = ReturnType<typeof createQueue>;

/**
 * A standard SQS queue. It delivers at least once, in any order, and sometimes late. If a consumer fails or crashes, the
 * message is hidden until its visibility timeout ends. After too many receives, it goes to the dead letters.
 */
export function createQueue({ world, name, visibilityMs, maxReceives, redelivers }: QueueSetting) {
  const { random, clockwork } = world;
  const visible: Message[] = [];
  const deadLetters: string[] = [];
  let onVisible: () => void = () => undefined;
  let onSent: (process: Process, body: string) => void = () => undefined;
  let made = 0;

  /** Adds a message that can be received after the delay. */
  function add(body: string, delayMs: number): void {
    made += 1;
    deliver({ id: `${name} ${made}`, body, receives: 0 }, delayMs);
    if (!world.happens('messageTwice')) return;
    const laterMs = random.between(0, minuteMs);
    deliver({ id: `${name} ${made} again`, body, receives: 0 }, delayMs + laterMs);
  }

  function deliver(message: Message, delayMs: number): void {
    const lateMs = world.happens('messageLate') ? random.between(0, 10 * minuteMs) : random.between(5, 80);
    const visibleMs = world.now() + delayMs + lateMs;
    if (lateMs > secondMs) world.troubleUntil(visibleMs, 'messageLate', name);
    clockwork.at(visibleMs, () => {
      const outage = world.outageOf('queue');
      if (outage) {
        deliver(message, outage.untilMs - world.now());
        return;
      }
      visible.push(message);
      onVisible();
    });
  }

  /** Takes up to `most` messages. Each is hidden from other consumers until it is deleted or returned. */
  function receive(most: number): Received[] {
    const batch: Received[] = [];
    while (batch.length < most) {
      const message = visible.shift();
      if (!message) break;
      message.receives += 1;
      if (message.receives <= maxReceives) {
        batch.push({ ...message });
        continue;
      }
      world.note('note', name, 'a message goes to the dead letters');
      deadLetters.push(message.body);
    }
    return batch;
  }

  /** Ends the receipt of a message. @param receivedMs when it was received */
  function settle({ id, body, receives }: Received, isDone: boolean, receivedMs: number): void {
    if (isDone && !world.happens('deletionLost')) return;
    if (!redelivers) {
      world.note('fault', name, `${isDone ? 'deletes' : 'loses'} a message`);
      return;
    }
    deliver({ id, body, receives }, receivedMs + visibilityMs - world.now());
  }

  function accept(process: Process, body: string, delaySeconds: number): void {
    if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > 900)
      world.violate(`${name} does not allow a delay of ${delaySeconds} s`);
    if (world.outageOf('queue')) throw new InjectedError(`${name} does not answer`);
    if (world.happens('sendFails')) throw new InjectedError(`${name} refused a message`);
    add(body, delaySeconds * secondMs);
    onSent(process, body);
    if (world.happens('sendReplyLost')) throw new InjectedError(`the response of ${name} was lost`);
  }

  const sendFrom = (process: Process, message: unknown, delaySeconds: number): Promise<void> =>
    world.call(process, `sends to ${name}${delaySeconds > 0 ? ` in ${delaySeconds} s` : ''}`, () =>
      accept(process, JSON.stringify(message), delaySeconds),
    );

  /** The queue as the service's own processes send to it. */
  const sender: TenantQueue<unknown> = {
    send: (message, delaySeconds = 0) => sendFrom(currentProcess(), message, delaySeconds),
    sendAll: async (messages, delaySecondsOf = () => 0) => {
      const process = currentProcess();
      const outcomes = await Promise.allSettled(
        messages.map((message) => sendFrom(process, message, delaySecondsOf(message))),
      );
      return new Set(messages.filter((_message, index) => outcomes[index]?.status === 'rejected'));
    },
  };

  return {
    name,
    add,
    receive,
    settle,
    sender,
    deadLetters,
    hasVisible: () => visible.length > 0,
    /** Calls the listener whenever a message becomes visible. */
    whenVisible: (listener: () => void) => {
      onVisible = listener;
    },
    /** Calls the listener with each message that the queue accepts from the service. */
    whenSent: (listener: (process: Process, body: string) => void) => {
      onSent = listener;
    },
    /** Adds a dead letter, as the publish worker does with a target that it gives up. */
    deadLetterSender: {
      send: (message: unknown): Promise<void> =>
        world.call(currentProcess(), `sends to the dead letters of ${name}`, () => {
          if (world.outageOf('queue')) throw new InjectedError(`${name} does not answer`);
          deadLetters.push(JSON.stringify(message));
        }),
    },
  };
}
