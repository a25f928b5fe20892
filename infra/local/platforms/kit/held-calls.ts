import type { IncomingMessage } from 'node:http';
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
  stop(): void;
}

/** How often to check, in real milliseconds, whether a held call is due. */
const pollMs = 50;

export function openHeldCalls(clock: SimulatorClock, ledger: Ledger): HeldCalls {
  let held: { readonly call: Call; readonly carryOut: (call: Call) => Promise<unknown> }[] = [];
  let running: Promise<void> = Promise.resolve();
  let poll: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    const due = held.filter(({ call }) => call.at <= clock.now()).sort((a, b) => a.call.at - b.call.at);
    held = held.filter((one) => !due.includes(one));
    for (const { call, carryOut } of due) await ledger.writtenAt(call.at, () => carryOut(call));
    if (held.length === 0) clearInterval(poll);
  }

  function carryOutDue(): Promise<void> {
    if (held.length > 0) running = running.then(run);
    return running;
  }

  return {
    hold(call, body, seconds, carryOut) {
      const request = body === undefined ? call.request : replayed(call.request, body);
      held.push({ call: { ...call, request, at: call.at + seconds * 1000 }, carryOut });
      clearInterval(poll);
      poll = setInterval(() => void carryOutDue(), pollMs).unref();
    },
    carryOutDue,
    stop: () => clearInterval(poll),
  };
}

/** A copy of the request, with the body that was already read. */
function replayed({ headers, method, url }: IncomingMessage, body: Buffer): IncomingMessage {
  // The cast is safe: handlers use only these fields and the stream.
  return Object.assign(Readable.from([body]), { headers, method, url }) as unknown as IncomingMessage;
}
