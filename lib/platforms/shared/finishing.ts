import * as z from 'zod';
import type { FinishStep, IntendedJob, LivePost, Preparation } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';

/**
 * One thing to be done for a live post. It may run again, so it looks before it does. `waits` counts how often the
 * steps were put off already.
 */
export type FinishingStep = (post: LivePost, waits: number) => Promise<LivePost>;

/** In all some three minutes of waiting; after that the post stands as it is, with a warning. */
const mostWaits = 8;
const longestWaitSeconds = 900;

const Progress = z.object({ finishWaits: z.int().catch(0) });

/**
 * Runs the steps in their order. A failure that may pass is waited out a bounded number of times; any other becomes
 * a warning and the next step goes on.
 *
 * @param kept what steps have noted for their next try: kept with the preparation where there is one
 * @throws PlatformError only where the account's owner has to act
 */
export async function finishInSteps(
  job: IntendedJob & { readonly live: LivePost },
  steps: readonly FinishingStep[],
  kept: () => Preparation = () => ({}),
): Promise<FinishStep> {
  const waits = Progress.parse(job.preparation).finishWaits;
  const warnings: string[] = [];
  let post = job.live;
  for (const step of steps) {
    try {
      post = await step(post, waits);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.remedy === 'reauthorise' || error.remedy === 'restricted') throw error;
      const waitSeconds = Math.max(pollDelaySeconds(waits), error.retryAfterSeconds ?? 0);
      if (error.remedy !== 'rejected' && waits < mostWaits && waitSeconds <= longestWaitSeconds) {
        const preparation = { ...job.preparation, ...kept(), finishWaits: waits + 1 };
        return { state: 'waiting', post, preparation, waitSeconds };
      }
      warnings.push(error.message);
    }
  }
  return { state: 'done', post, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
}

/** Waits between looks at a platform's work, in seconds: 1, 2, 4 … 60. */
export function pollDelaySeconds(looksSoFar: number): number {
  return Math.min(60, 2 ** Math.min(looksSoFar, 6));
}
