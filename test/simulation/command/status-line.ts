import { secondMs } from '../../../lib/kernel/clock.ts';

/** The output for the status: a terminal, a file, or the log of a CI job. */
export interface StatusOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
}

/** Interval of new lines on an output that cannot be rewritten. */
const plainIntervalMs = 30 * secondMs;

/** A line that says how far something is. A terminal's line is rewritten; anything else gets a new line now and then. */
export class StatusLine {
  readonly #output: StatusOutput;
  #shownMs: number;
  #isShown = false;

  /** @param startMs the time now, on any clock; `show` must use the same one */
  constructor(output: StatusOutput, startMs: number) {
    this.#output = output;
    this.#shownMs = startMs;
  }

  show(text: string, atMs: number): void {
    if (this.#output.isTTY) {
      // A line that wraps could not be rewritten.
      this.#output.write(`\r${text.slice(0, (this.#output.columns || 120) - 1)}\x1b[K`);
      this.#isShown = true;
      return;
    }
    if (atMs - this.#shownMs < plainIntervalMs) return;
    this.#shownMs = atMs;
    this.#output.write(`${text}\n`);
  }

  /** Removes the line from a terminal, so that something else can be printed. */
  clear(): void {
    if (this.#isShown) this.#output.write('\r\x1b[K');
    this.#isShown = false;
  }
}
