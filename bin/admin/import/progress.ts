import type { Counts } from './run.ts';

/** The output that shows the progress. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const barWidth = 24;
/** The number of the file's lines between two lines of progress, if the output is not a terminal. */
const linesBetween = 1_000;

/**
 * Shows the progress of an import: on a terminal one line that is redrawn, otherwise a line for every thousand lines of the file.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #totalBytes: number;
  #shownLines = 0;

  constructor(output: ProgressOutput, totalBytes: number) {
    this.#output = output;
    this.#totalBytes = totalBytes;
  }

  /** @param doneBytes the part of the file that is done */
  show(counts: Counts, doneBytes: number): void {
    const share = this.#totalBytes === 0 ? 1 : Math.min(1, doneBytes / this.#totalBytes);
    const lines = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    const text = `${percent}  ${countsText(counts)}`;
    if (this.#output.isTTY) {
      const filled = Math.round(share * barWidth);
      const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
      const line = `${bar}${text}`.slice(0, (this.#output.columns ?? 80) - 1);
      this.#output.write(`\r\u001b[K${line}`);
      return;
    }
    if (lines - this.#shownLines < linesBetween) return;
    this.#shownLines = lines;
    this.#output.write(`${text.trim()}\n`);
  }

  /** Ends the line that is redrawn. */
  end(): void {
    if (this.#output.isTTY) this.#output.write('\n');
  }
}

/** Returns the counts that are not 0, such as `3 created, 1 invalid`. */
export function countsText(counts: Counts): string {
  const parts = Object.entries(counts).flatMap(([status, count]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${status}`],
  );
  return parts.join(', ') || 'nothing yet';
}
