import { Readable } from 'node:stream';
import type { Call, SimulatorClock } from './call.ts';
import type { Ledger } from './ledger.ts';

/**
 * Requests that the platform has received and carries out later, even if their caller has gone: the faults `hold` and
 * `slow`. They are lost if the simulator stops.
 */
export interface HeldCalls {
  /** @param body everything that the caller sent */
  hold(
    call: Call,
    body: Buffer | undefined,
    seconds: number,
    carryOut: (call: Call) => Promise<unknown>,
  ): void;
  /** Carries out every call that is due, at the time at which it was due. */
  carryOutDue(): Promise<void>;
  /** Returns the time of the next due call, in epoch milliseconds; undefined without any. */
  nextMs(): number | undefined;
}

export function openHeldCalls(clock: SimulatorClock, ledger: Ledger): HeldCalls {
  let held: { readonly call: Call; readonly carryOut: (call: Call) => Promise<unknown> }[] = [];
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const due = held.filter(({ call }) => call.at <= clock.now()).sort((a, b) => a.call.at - b.call.at);
    held = held.filter((one) => !due.includes(one));
    for (const { call, carryOut } of due) await ledger.writtenAt(call.at, () => carryOut(call));
  }

  return {
    hold(call, body, seconds, carryOut) {
      const replayed = body === undefined ? call.body : Readable.from([body]);
      held.push({ call: { ...call, body: replayed, at: call.at + seconds * 1000 }, carryOut });
    },
    carryOutDue() {
      if (held.length > 0) running = running.then(run);
      return running;
    },
    nextMs: () => (held.length === 0 ? undefined : Math.min(...held.map(({ call }) => call.at))),
  };
}
