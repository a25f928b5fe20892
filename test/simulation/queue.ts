import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { InjectedError } from './faults.ts';
import type { Process, World } from './world.ts';

export interface QueueSetting<Message> {
  readonly world: World;
  readonly name: string;
  readonly visibilityMs: number;
  readonly maxReceives: number;
  /** Works one message. */
  readonly consume: (message: Message) => Promise<'done' | 'failed' | 'crashed'>;
}

/**
 * A standard SQS queue with a Lambda consumer. It delivers at least once, in any order, and sometimes late. If a consumer
 * fails or crashes, the message is hidden until its visibility timeout ends. After too many receives, it goes to the
 * dead-letter queue.
 */
export function createQueue<Message>(setting: QueueSetting<Message>) {
  const { world, name, visibilityMs, maxReceives, consume } = setting;
  const { random, clockwork } = world;
  const deadLetters: Message[] = [];

  /** Adds a message. Its consumer gets it after the delay. */
  function add(message: Message, delayMs: number): void {
    deliver(message, delayMs, 0);
    if (world.happens('messageTwice')) deliver(message, delayMs + random.between(0, minuteMs), 0);
  }

  function deliver(message: Message, delayMs: number, receives: number): void {
    const lateMs = world.happens('messageLate') ? random.between(0, 10 * minuteMs) : random.between(5, 80);
    clockwork.after(delayMs + lateMs, async () => {
      const outage = world.outageOf('queue');
      if (outage) {
        deliver(message, outage.untilMs - world.now(), receives);
        return;
      }
      if (receives === maxReceives) {
        world.log(`${name}: a message goes to the dead-letter queue`);
        deadLetters.push(message);
        return;
      }
      void receive(message, receives + 1);
    });
  }

  async function receive(message: Message, receives: number): Promise<void> {
    const hiddenUntilMs = world.now() + visibilityMs;
    const outcome = await consume(message);
    if (outcome === 'done' && !world.happens('deletionLost')) return;
    deliver(message, hiddenUntilMs - world.now(), receives);
  }

  /** Sends a message from a process. Delays are whole seconds. */
  function sendFrom(process: Process, message: Message, delaySeconds: number): Promise<void> {
    return world.call(process, `send to ${name} in ${delaySeconds} s`, () => {
      if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > 900) {
        world.violate(`${name} does not allow a delay of ${delaySeconds} s`);
      }
      if (world.outageOf('queue')) throw new InjectedError(`${name} does not answer`);
      if (world.happens('sendFails')) throw new InjectedError(`${name} refused a message`);
      add(message, delaySeconds * secondMs);
      if (world.happens('sendReplyLost')) throw new InjectedError(`the reply of ${name} was lost`);
    });
  }

  return {
    add,
    deadLetters,
    sendToDeadLetters: (process: Process, message: Message): Promise<void> =>
      world.call(process, `send to the dead-letter queue of ${name}`, () => {
        if (world.outageOf('queue')) throw new InjectedError(`${name} does not answer`);
        deadLetters.push(message);
      }),
    sendFrom,
    /** Sends several messages, and returns those that the queue did not accept. */
    async sendAllFrom(process: Process, messages: readonly Message[]): Promise<ReadonlySet<Message>> {
      const outcomes = await Promise.allSettled(messages.map((message) => sendFrom(process, message, 0)));
      return new Set(messages.filter((_message, index) => outcomes[index]?.status === 'rejected'));
    },
  };
}
