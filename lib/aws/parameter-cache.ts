import type { Clock } from '../kernel/clock.ts';
import { minuteMs, secondMs } from '../kernel/clock.ts';

/** Reads one parameter: its value, or `undefined` if there is none. */
export type ReadParameter = (name: string) => Promise<string | undefined>;

interface CachePorts {
  readonly read: ReadParameter;
  readonly now: Clock;
  /** Returns a random number in [0, 1). */
  readonly chance: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The age at which a value is old: a change is noticed after this time at the latest, if the store answers. */
const oldMs = 5 * minuteMs;
/** The share of that time after which, at a random moment, an event renews the value. So environments do not ask all at once. */
const renewedAfterShare = 0.6;
/** The time for which an absent parameter is not requested again. */
const absentMs = 30 * secondMs;
/** The maximum time that an event waits for a value that would replace an old one. */
const patienceMs = secondMs;
/**
 * The maximum rest after a failure, with an old value and without one. The store is left alone for half of this time to all of
 * it.
 */
const restWithValueMs = 20 * secondMs;
const restWithoutMs = 2 * secondMs;

interface Entry {
  /** The last known result; its value is `undefined` if there was none. */
  known?: { readonly value: string | undefined; readonly readMs: number; readonly renewMs: number };
  failed?: { readonly error: unknown; readonly untilMs: number };
  asking?: Promise<string | undefined>;
}

/**
 * Caches parameters in one execution environment, so that many simultaneous events cost one call.
 *
 * A value is renewed in parallel to the event that finds it due, and that event uses the old one. This call may be frozen with
 * the environment and go on during a later event, so an event that finds a value older than five minutes waits for the call, for
 * at most a second. While the store is slow or fails, the old value stays in use, however old. An absence is never used for
 * longer than 30 seconds.
 *
 * @returns a function that throws the error of `read` if no value is known, and then asks again a second or two later
 */
export function cacheParameters({ read, now, chance, sleep }: CachePorts): ReadParameter {
  const entries = new Map<string, Entry>();

  function ask(name: string, entry: Entry): Promise<string | undefined> {
    entry.asking ??= read(name)
      .then(
        (value) => {
          const readMs = now();
          const keptMs =
            value === undefined ? absentMs : oldMs * (renewedAfterShare + (1 - renewedAfterShare) * chance());
          entry.known = { value, readMs, renewMs: readMs + keptMs };
          delete entry.failed;
          return value;
        },
        (error: unknown) => {
          const restMs = entry.known?.value === undefined ? restWithoutMs : restWithValueMs;
          entry.failed = { error, untilMs: now() + restMs * (0.5 + chance() / 2) };
          throw error;
        },
      )
      .finally(() => {
        delete entry.asking;
      });
    return entry.asking;
  }

  return async (name) => {
    const entry = entries.get(name) ?? {};
    entries.set(name, entry);
    const { known, failed } = entry;
    if (known && now() < known.renewMs) return known.value;
    const rests = failed !== undefined && now() < failed.untilMs;
    if (known?.value === undefined) {
      if (rests) throw failed.error;
      return ask(name, entry);
    }
    if (rests) return known.value;
    const renewed = ask(name, entry).catch(() => known.value);
    if (now() < known.readMs + oldMs) return known.value;
    return Promise.race([renewed, sleep(patienceMs).then(() => known.value)]);
  };
}
