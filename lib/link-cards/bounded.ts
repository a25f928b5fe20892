import { type Clock, minuteMs, secondMs } from '../kernel/clock.ts';
import type { PageReading, ReadPage } from './fetch.ts';

/** The number of pages that one request reads at once. */
const concurrency = 8;
/** The time after the first page, and after the beginning of the request, after which it begins no other. */
const beginMs = 6 * secondMs;
const latestMs = 18 * secondMs;

/**
 * Returns the reader for one request, which may have hundreds of posts: it reads each page once, a few at a time, and
 * begins none six seconds after the first. So a request is delayed by nine seconds at most, however many links it has. A bulk, which creates
 * posts for 24 seconds of its 29, begins none after 18.
 *
 * @param clock epoch milliseconds
 */
export function pagesOfRequest(read: ReadPage, clock: Clock): ReadPage {
  const readings = new Map<string, Promise<PageReading>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const latest = clock() + latestMs;
  let untilMs: number | undefined;
  return (url, owner) => {
    const known = readings.get(url);
    if (known) return known;
    const reading = (async (): Promise<PageReading> => {
      untilMs ??= Math.min(clock() + beginMs, latest);
      if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        if (clock() >= untilMs)
          return { problem: 'the request has too many posts or links to read all pages' };
        return await read(url, owner);
      } finally {
        // The next one takes this one's place.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    })();
    readings.set(url, reading);
    return reading;
  };
}

const rememberedMs = minuteMs;
const mostRemembered = 100;

/**
 * Returns a reader that remembers its readings for a minute: the panel checks a post again after each pause in typing.
 *
 * @param clock epoch milliseconds
 */
export function remembering(read: ReadPage, clock: Clock): ReadPage {
  const remembered = new Map<string, { readonly atMs: number; readonly reading: Promise<PageReading> }>();
  return (url, owner) => {
    const key = `${owner} ${url}`;
    const known = remembered.get(key);
    if (known && Math.abs(clock() - known.atMs) < rememberedMs) return known.reading;
    remembered.delete(key);
    for (const oldest of remembered.keys()) {
      if (remembered.size < mostRemembered) break;
      remembered.delete(oldest);
    }
    const reading = read(url, owner);
    remembered.set(key, { atMs: clock(), reading });
    return reading;
  };
}
