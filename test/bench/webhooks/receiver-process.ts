import { fork } from 'node:child_process';
import { join } from 'node:path';

/** Delivery id, post id, and when it was there, in epoch milliseconds. */
export type Arrival = readonly [deliveryId: string, postId: string, atMs: number];

export type Order = { readonly id: number } & (
  | { readonly kind: 'count' }
  | { readonly kind: 'take' }
  | { readonly kind: 'behave'; readonly failShare: number; readonly hangShare: number }
  | { readonly kind: 'restart'; readonly downMs: number }
);
type Command = Order extends infer Each ? (Each extends Order ? Omit<Each, 'id'> : never) : never;

export interface Receiver {
  readonly url: string;
  /** How many POSTs it has taken since the last time they were asked for. */
  count(): Promise<number>;
  /** What it has taken, and how many connections it had at once; forgets both. */
  take(): Promise<{ readonly arrivals: readonly Arrival[]; readonly mostConnections: number }>;
  /** The shares of POSTs that it answers with 500 and that it never answers. */
  behave(behaviour: { readonly failShare: number; readonly hangShare: number }): Promise<void>;
  /** Breaks off all connections and refuses new ones for a while. */
  restart(downMs: number): Promise<void>;
  stop(): void;
}

/** A receiver that shares nothing with the service but the machine. */
export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'));
  const waiting = new Map<number, (reply: never) => void>();
  const reply = <Reply>(id: number) => new Promise<Reply>((resolve) => waiting.set(id, resolve));
  child.on('message', (message: { id: number; reply: never }) => {
    waiting.get(message.id)?.(message.reply);
    waiting.delete(message.id);
  });
  let orders = 0;
  const order = <Reply>(command: Command): Promise<Reply> => {
    orders += 1;
    const answered = reply<Reply>(orders);
    child.send({ ...command, id: orders });
    return answered;
  };
  const url = await reply<string>(0);
  return {
    url,
    count: () => order({ kind: 'count' }),
    take: () => order({ kind: 'take' }),
    behave: (behaviour) => order({ kind: 'behave', ...behaviour }),
    restart: (downMs) => order({ kind: 'restart', downMs }),
    stop: () => child.kill(),
  };
}
