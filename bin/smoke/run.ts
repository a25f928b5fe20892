import type { SmokeContext, Step } from './steps.ts';

/** The outcome of a step. */
export interface StepResult {
  readonly step: string;
  readonly state: 'ok' | 'failed' | 'left out';
  readonly found: string;
  readonly milliseconds: number;
}

type Undo = Parameters<SmokeContext['undo']>;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs the steps one after the other, even after one has failed, and then undoes their effects.
 *
 * @param clock for the duration of each step, in milliseconds
 * @param say receives the result of each step when it ends
 * @returns the results, with one for each thing that could not be undone
 */
export async function runSteps(
  steps: readonly Step[],
  given: Omit<SmokeContext, 'undo'>,
  { clock, say }: { readonly clock: () => number; readonly say: (line: string) => void },
): Promise<readonly StepResult[]> {
  const made: Undo[] = [];
  const context: SmokeContext = { ...given, undo: (...each) => made.push(each) };
  const results: StepResult[] = [];
  const add = (result: StepResult) => {
    results.push(result);
    say(`${result.state}: ${result.step} (${result.found})`);
  };
  for (const { name, leftOut, run } of steps) {
    const reason = given.signal.aborted ? 'stopped' : leftOut?.(context);
    const startedMs = clock();
    const ended = async (): Promise<Pick<StepResult, 'state' | 'found'>> => {
      if (reason !== undefined) return { state: 'left out', found: reason };
      try {
        return { state: 'ok', found: await run(context) };
      } catch (error) {
        return { state: 'failed', found: messageOf(error) };
      }
    };
    add({ step: name, ...(await ended()), milliseconds: Math.round(clock() - startedMs) });
  }
  // Undoing also continues after Ctrl-C.
  const cleaning: SmokeContext = { ...context, signal: new AbortController().signal };
  for (const [what, work] of made.reverse()) {
    const startedMs = clock();
    try {
      await work(cleaning);
    } catch (error) {
      const found = `remove it by hand: ${messageOf(error)}`;
      add({
        step: `clean up: ${what}`,
        state: 'failed',
        found,
        milliseconds: Math.round(clock() - startedMs),
      });
    }
  }
  return results;
}
