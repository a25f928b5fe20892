import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly live: number;
  readonly calls: number;
  readonly failures: number;
  /** Seeds done per second at present; undefined if that is not known yet. */
  readonly perSecond: number | undefined;
}

/** One line that says how far a run is, and how long it will take. */
export function progressText({ done, total, live, calls, failures, perSecond }: Progress): string {
  const percent = Math.floor((100 * done) / total);
  const speed =
    perSecond === undefined
      ? []
      : [
          `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`,
          perSecond > 0 ? `${durationText(((total - done) / perSecond) * secondMs)} left` : 'stalled',
        ];
  return [
    `${grouped(done)} of ${grouped(total)} seeds (${percent} %)`,
    ...speed,
    sumsText({ live, calls, failures }),
  ].join(', ');
}

export const sumsText = ({ live, calls, failures }: Pick<Progress, 'live' | 'calls' | 'failures'>): string =>
  `${grouped(live)} live posts, ${grouped(calls)} external calls, ${counted(failures, 'failure')}`;

/** A duration in its two largest units: `2 h 5 min`, `10 min 54 s`, `45 s`. */
export function durationText(milliseconds: number): string {
  const rest = Math.ceil(milliseconds / secondMs) * secondMs;
  const seconds = Math.floor((rest % minuteMs) / secondMs);
  const minutes = Math.floor((rest % hourMs) / minuteMs);
  if (rest >= hourMs) return `${grouped(Math.floor(rest / hourMs))} h ${minutes} min`;
  return rest >= minuteMs ? `${minutes} min ${seconds} s` : `${seconds} s`;
}

export const grouped = (count: number): string => count.toLocaleString('en-US');

/** Such as `1 seed`, `2 seeds`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : plural}`;

/** Time span of the rate. Seeds differ in length by a factor of a hundred. */
const rateWindowMs = 30 * secondMs;

/** The rate at which a count grows at present. */
export class MovingRate {
  readonly #samples: { readonly atMs: number; readonly count: number }[] = [];

  /** @param atMs the time of the sample, not before that of the last one */
  add(atMs: number, count: number): void {
    this.#samples.push({ atMs, count });
    // Keeps one sample at or before the start of the window.
    while ((this.#samples[1]?.atMs ?? atMs) <= atMs - rateWindowMs) this.#samples.shift();
  }

  /** @returns undefined until the samples cover a second */
  perSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.atMs - first.atMs < secondMs) return undefined;
    return ((last.count - first.count) / (last.atMs - first.atMs)) * secondMs;
  }
}
