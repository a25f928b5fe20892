import { freeTime } from '../calendar/index.ts';
import type { ChainMessage } from '../chains/schemas.ts';
import type { Clock } from '../kernel/clock.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import type { Table } from '../table/table.ts';
import { noteLivePost } from '../targets/live-posts.ts';
import type { Effect } from './effects.ts';
import type { PublishMessage } from './message.ts';
import { armingOf } from './wake.ts';

/** Where effects go. Each may be asked for the same thing again. */
export interface RelayPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
  /** Sets a one-off schedule for the message; one that stands already is left as it is. */
  readonly schedule: (message: PublishMessage, atMs: number) => Promise<void>;
  /** Removes the message's schedule; one that is gone is fine. */
  readonly unschedule: (message: PublishMessage) => Promise<void>;
}

/** Carries out one effect of a committed change. Throws where it has to be tried again. */
export async function relayEffect(effect: Effect, ports: RelayPorts): Promise<void> {
  switch (effect.kind) {
    case 'arm': {
      const arming = armingOf(effect.wakeMs, ports.now());
      return arming.via === 'queue'
        ? ports.enqueue(effect.message, arming.delaySeconds)
        : ports.schedule(effect.message, arming.atMs);
    }
    case 'disarm':
      return armingOf(effect.wakeMs, ports.now()).via === 'schedule'
        ? ports.unschedule(effect.message)
        : undefined;
    case 'free time':
      return freeTime(ports.table, effect.time);
    case 'note live post':
      return noteLivePost(ports.table, effect.livePost);
    case 'run chain':
      return ports.enqueueChain({ workspaceId: effect.workspaceId, postId: effect.postId });
    case 'roll-up':
      return rollUpPost(ports.table, effect.workspaceId, effect.postId, ports.now());
  }
}
