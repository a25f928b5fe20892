/** Walks through the steps of a review, and photographs each. */
import { join } from 'node:path';
import type { ReviewStep, Visit } from './steps.ts';

/** The result of a step. `not reached`: an earlier step has failed, and this one begins where that one ends. */
export interface StepResult {
  readonly step: ReviewStep;
  readonly state: 'shown' | 'failed' | 'not reached';
  /** The file of the picture, in the folder of the report. */
  readonly picture?: string;
  readonly problem?: string;
}

interface Walk {
  /** The folder of the pictures. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Receives a line when a step ends. */
  readonly say: (line: string) => void;
}

/** Takes the steps in order until one fails. It throws nothing: a failure is a result, with the picture of where it happened. */
export async function walk(
  steps: readonly ReviewStep[],
  visit: Visit,
  { folder, signal, say }: Walk,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    if (signal.aborted || results.some(({ state }) => state === 'failed')) {
      results.push({ step, state: 'not reached' });
      continue;
    }
    const problem = await problemOf(step, visit);
    const picture = `${String(index + 1).padStart(2, '0')}-${step.id}.png`;
    const isTaken = await photograph(visit, join(folder, picture));
    say(
      `${problem === undefined ? 'shown ' : 'FAILED'}  ${step.title}${problem === undefined ? '' : `: ${problem}`}`,
    );
    results.push({
      step,
      state: problem === undefined ? 'shown' : 'failed',
      ...(isTaken && { picture }),
      ...(problem !== undefined && { problem }),
    });
  }
  return results;
}

async function problemOf(step: ReviewStep, visit: Visit): Promise<string | undefined> {
  try {
    await step.walk(visit);
    for (const text of step.expected(visit)) await waitForText(visit, text);
    return undefined;
  } catch (error) {
    // Playwright adds the log of its calls.
    return (error instanceof Error ? error.message : String(error)).split('\n')[0];
  }
}

const textLimitMs = 30_000;

/** @throws Error that names the text, if the page does not show it */
async function waitForText({ page }: Visit, text: string | RegExp): Promise<void> {
  // What has been typed is no text of the page.
  const inFields = () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('textarea')].some(({ value }) => value === ${JSON.stringify(text)})`,
    );
  const shown = page.getByText(text).filter({ visible: true }).first();
  try {
    if (typeof text === 'string' && (await inFields())) return;
    await shown.waitFor({ timeout: textLimitMs });
  } catch {
    throw new Error(`the page does not show ${text instanceof RegExp ? text : `“${text}”`}`);
  }
}

async function photograph({ page }: Visit, path: string): Promise<boolean> {
  try {
    await page.screenshot({ path, fullPage: true });
    return true;
  } catch {
    return false;
  }
}
