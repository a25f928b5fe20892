import { fork } from 'node:child_process';
import { join } from 'node:path';

/** Delivery id, post id, and time of arrival in epoch milliseconds. */
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
  /** Returns the number of POSTs accepted since the last `take`. */
  count(): Promise<number>;
  /** The POSTs that it accepted and its peak number of connections since the last `take`. */
  take(): Promise<{ readonly arrivals: readonly Arrival[]; readonly maxConnections: number }>;
  /** Sets the shares of POSTs that get a 500 and that get no response. */
  behave(behaviour: { readonly failShare: number; readonly hangShare: number }): Promise<void>;
  /** Closes all connections and refuses new ones for `downMs`. */
  restart(downMs: number): Promise<void>;
  stop(): void;
}

/** Starts a receiver that shares only the machine with the service. */
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
