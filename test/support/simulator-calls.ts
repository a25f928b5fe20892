import { randomUUID } from 'node:crypto';
import type { Exchange } from '@herald/platform-simulators/kit/recording/exchange.ts';
import { type Clock, systemClock } from '../../lib/kernel/clock.ts';
import { openTransport, type PlatformTransport } from '../../lib/platforms/shared/http-transport.ts';

/** Connections to simulators, and the observer that their simulators need. */
export interface SimulatorCalls {
  readonly transport: PlatformTransport;
  /** Listener to pass to the simulator. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** Limits that no test reaches. */
const patience = { connectSeconds: 3_600, totalSeconds: 3_600, idleSeconds: 3_600 };

/** The limit of a call that names none, as in `http-transport.ts`. */
const totalSecondsByDefault = 20;

/** The faults after which a call gets no complete response. */
const silentFaults = ['timeout', 'timeout-after', 'slow-body'];

/** The header that tells the simulator's observer which call a request belongs to. */
const callHeader = 'x-test-call';

/**
 * Connects to simulators without a clock. A call lasts until the platform responds, however slow the machine is. If the
 * simulator says that it will not, the call fails at once as it does when its time is over.
 *
 * @param now decides which connections are too old to be used again
 */
export function simulatorCalls(now: Clock = systemClock): SimulatorCalls {
  const connections = openTransport({ protocol: 'http:', limits: patience, now, trust: {} });
  const running = new Map<string, AbortController>();
  return {
    transport: {
      connectAhead: connections.connectAhead,
      async send({ totalSeconds = totalSecondsByDefault, signal, headers, ...request }) {
        const call = randomUUID();
        const timeout = new AbortController();
        running.set(call, timeout);
        const exchanged = await connections.send({
          ...request,
          headers: { ...headers, [callHeader]: call },
          totalSeconds: patience.totalSeconds,
          signal: AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])]),
        });
        running.delete(call);
        if (!timeout.signal.aborted || 'answer' in exchanged) return exchanged;
        const message = `no complete response within ${totalSeconds} s`;
        return { failure: { ...exchanged.failure, message } };
      },
    },
    onExchange({ headers, fault }) {
      if (fault !== undefined && silentFaults.includes(fault))
        running.get(String(headers[callHeader]))?.abort();
    },
  };
}
