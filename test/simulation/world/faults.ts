import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Random } from './random.ts';

/** The faults, each with its highest probability per occasion. */
export const faultScales = {
  /** A function's process crashes before or after an external call, with everything that it works on. */
  crash: 0.01,
  /** A process pauses for two minutes, as if its machine was paused, and then continues. */
  standstill: 0.01,
  /** A call or its response takes seconds. */
  slowCall: 0.2,
  tableThrottled: 0.1,
  tableReplyLost: 0.08,
  /** A single write meets a transaction of somebody else. */
  writeConflict: 0.05,
  transactionConflict: 0.2,
  /** The parts of a transaction become visible one after the other. */
  transactionLate: 0.5,
  keysHandedBack: 0.2,
  indexLate: 0.4,
  /** An eventually consistent read shows an item as it was up to a second ago. */
  readsFormer: 0.5,
  sendFails: 0.1,
  sendReplyLost: 0.1,
  messageTwice: 0.3,
  messageLate: 0.1,
  deletionLost: 0.1,
  scheduleFails: 0.2,
  scheduleReplyLost: 0.2,
  scheduleTwice: 0.3,
  streamLate: 0.1,
  streamTwice: 0.2,
  keyServiceFails: 0.1,
  parametersFail: 0.1,
  filesFail: 0.1,
  /** No connection to a platform is made: the request was never sent. */
  connectionRefused: 0.1,
  /** The connection to a platform breaks, before or after the platform has carried out the call. */
  connectionLost: 0.15,
  /** A request reaches the platform up to five minutes late, after its sender has given up. */
  requestLate: 0.05,
  /** The platform's response is up to five minutes late. */
  responseLate: 0.05,
  /** The platform answers 500, before or after it has carried out the call. */
  platformFails: 0.15,
  /** The platform answers HTML, half of its JSON or nothing, with status 200. */
  garbled: 0.05,
  rateLimited: 0.1,
  rejected: 0.03,
  tokenRevoked: 0.01,
  /** A read of a platform shows an earlier state. */
  readsLate: 0.6,
  /** The connection of an incoming webhook breaks, before or after it was received. */
  inboundLost: 0.15,
  receiverFails: 0.3,
  receiverSlow: 0.2,
  /** YouTube says that it does not know an upload session. */
  uploadLost: 0.1,
} as const;

/** Further faults, which are drawn apart so that they leave the others of a seed as they are. */
export const furtherFaultScales = {
  /** The platform no longer accepts the access token of a call, long before its time. */
  tokenExpired: 0.02,
  /** The server of a file to import does not answer, or breaks off. */
  sourceFails: 0.5,
  /** It sends the file for seconds or minutes. */
  sourceSlow: 0.5,
  /** Instagram sends a webhook again, from a second to hours after it was accepted. */
  inboundAgain: 0.2,
} as const;

/** Faults of renditions, which are drawn apart too. */
export const renditionFaultScales = {
  /** A file cannot be converted. */
  renditionFails: 0.5,
} as const;

export type FaultName =
  | keyof typeof faultScales
  | keyof typeof furtherFaultScales
  | keyof typeof renditionFaultScales;
export type Faults = Readonly<Partial<Record<FaultName, number>>>;

export const noFaults: Faults = {};

/**
 * Draws the faults of a seed: only some kinds, some of them rare and some frequent ("swarm testing", Groce et al. 2012).
 * One seed in twelve has none.
 */
export function drawFaults(random: Random): Faults {
  if (random.isTrue(1 / 12)) return noFaults;
  return drawSome(random, faultScales, random.between(0.1, 0.6));
}

/** Draws the further faults of a seed that has faults. */
export const drawFurtherFaults = (random: Random): Faults => drawSome(random, furtherFaultScales, 0.3);

/** Draws the faults of renditions of a seed that has faults. */
export const drawRenditionFaults = (random: Random): Faults => drawSome(random, renditionFaultScales, 0.4);

function drawSome(random: Random, scales: Readonly<Record<string, number>>, share: number): Faults {
  return Object.fromEntries(
    Object.entries(scales).flatMap(([name, scale]) =>
      random.isTrue(share) ? [[name, scale * random.between(0.1, 1)]] : [],
    ),
  );
}

/** The parts of the world that can fail as a whole. */
export const outageParts = [
  'table',
  'queue',
  'scheduler',
  'stream',
  'key service',
  'parameters',
  'files',
  'platforms',
] as const;

/** A time in which a part of the world does not answer. */
export interface Outage {
  readonly of: (typeof outageParts)[number];
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Draws the outages of a seed: one seed in four has one to three short outages, which may overlap. */
export function drawOutages(random: Random, fromMs: number, untilMs: number): Outage[] {
  if (!random.isTrue(1 / 4)) return [];
  const beginMs = random.between(fromMs, untilMs);
  return Array.from({ length: random.integer(1, 3) }, () => {
    const outageMs = random.between(10 * secondMs, 20 * minuteMs);
    const startMs = beginMs + random.between(0, 5 * minuteMs);
    return { of: random.pick(outageParts), fromMs: startMs, untilMs: startMs + outageMs };
  });
}

/** A failure that the simulation caused. Any other error from the service is a bug. */
export class InjectedError extends Error {
  override readonly name = 'InjectedError';

  constructor(message: string) {
    // Nobody reads the stack, and a long outage makes thousands of these.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const injected = new WeakSet<object>();

/** Marks an error of another class as caused by the simulation. */
export function inject<Failure extends Error>(error: Failure): Failure {
  injected.add(error);
  return error;
}

/** Returns true if the simulation caused the error, or the error that caused it, or all of the errors that it consists of. */
export function isInjected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isInjected);
  return error instanceof InjectedError || injected.has(error) || isInjected(error.cause);
}
