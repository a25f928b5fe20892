import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { v4 } from 'uuid';
import { logger } from '../../../functions/wire/logger.ts';
import { type Process, processOrNone, runAs } from './process.ts';

/**
 * Gives simulated processes their own clock, chance, timers and log. The service's handlers use the globals of Node.js for
 * those at their edges, so the simulation can run the deployed handlers as they are. Code outside a simulated process is
 * not affected.
 */
export function installVirtualTime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const realNow = Date.now;
  const realChance = Math.random;
  Date.now = () => processOrNone()?.now() ?? realNow();
  const sinceStart = performance.now.bind(performance);
  performance.now = () => processOrNone()?.now() ?? sinceStart();
  Math.random = () => processOrNone()?.random() ?? realChance();
  replaceTimers();
  replaceRandomness();
  // Libraries that import these functions by name get the new ones too.
  syncBuiltinESMExports();
  for (const level of ['info', 'warn', 'error'] as const) {
    const write = logger[level];
    logger[level] = (message, details) => {
      const process = processOrNone();
      if (process) process.logs(level, message, details);
      else write(message, details);
    };
  }
}

let isInstalled = false;

/** A timer of a simulated process, with the methods of a Node.js timer that the service uses. */
class VirtualTimer {
  #cancel: () => void;

  constructor(cancel: () => void) {
    this.#cancel = cancel;
  }

  cancelBy(cancel: () => void): void {
    this.#cancel = cancel;
  }

  cancel(): void {
    this.#cancel();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

type Callback = (...values: unknown[]) => void;

function replaceTimers(): void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

  const virtualTimeout = (task: Callback, milliseconds = 0, ...values: unknown[]) => {
    const process = processOrNone();
    if (!process) return setTimeout(task, milliseconds, ...values);
    const cancel = process.later(milliseconds, () => runAs(process, () => task(...values)));
    return new VirtualTimer(cancel);
  };
  const virtualInterval = (task: Callback, milliseconds = 0, ...values: unknown[]) => {
    const process = processOrNone();
    if (!process) return setInterval(task, milliseconds, ...values);
    const timer = new VirtualTimer(() => undefined);
    const again = () => {
      const cancel = process.later(milliseconds, () => {
        // First the next one, so that the task can cancel it.
        again();
        runAs(process, () => task(...values));
      });
      timer.cancelBy(cancel);
    };
    again();
    return timer;
  };
  const clear = (real: (timer?: NodeJS.Timeout) => void) => (timer: unknown) =>
    timer instanceof VirtualTimer ? timer.cancel() : real(timer as NodeJS.Timeout);

  const replaced = {
    setTimeout: virtualTimeout,
    setInterval: virtualInterval,
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
  };
  Object.assign(globalThis, replaced);
  // Libraries that import the timers by name get them too.
  Object.assign(timers, replaced);
}

/** Ids and secrets come from the run's seed, because some of them decide an order. */
function replaceRandomness(): void {
  const { randomBytes, randomFillSync, randomUUID } = crypto;
  const { getRandomValues } = globalThis.crypto;
  const fill = <Values extends NodeJS.ArrayBufferView>(values: Values, process: Process): Values => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(256 * process.random());
    return values;
  };
  const ofProcess =
    <Values extends unknown[], Result>(
      real: (...values: Values) => Result,
      virtual: (process: Process, ...values: Values) => Result,
    ) =>
    (...values: Values): Result => {
      const process = processOrNone();
      return process ? virtual(process, ...values) : real(...values);
    };
  Object.assign(crypto, {
    randomBytes: ofProcess(randomBytes as (size: number) => Buffer, (process, size) =>
      fill(Buffer.alloc(size), process),
    ),
    randomFillSync: ofProcess(randomFillSync<NodeJS.ArrayBufferView>, (process, values) =>
      fill(values, process),
    ),
    randomUUID: ofProcess(randomUUID as () => string, (process) =>
      v4({ random: fill(new Uint8Array(16), process) }),
    ),
  });
  globalThis.crypto.getRandomValues = ofProcess(
    getRandomValues.bind(globalThis.crypto) as (values: Uint8Array) => Uint8Array,
    (process, values) => fill(values, process),
  ) as typeof getRandomValues;
}
