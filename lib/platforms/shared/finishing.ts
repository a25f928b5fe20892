import * as z from 'zod';
import type { FinishJob, FinishStep } from '../contract/adapter.ts';
import { isAboutAccount, PlatformError } from '../contract/errors.ts';
import type { LivePost, Preparation } from '../contract/live-post.ts';

/**
 * One step of finishing a live post. It may run again, so it checks first whether its work is already done. `waits`
 * counts how often finishing has waited so far.
 */
export type FinishingStep = (post: LivePost, waits: number) => Promise<LivePost>;

/** About three minutes in total, unless the platform asks for more. After that a failure becomes a warning. */
const maxWaits = 8;
const longestWaitSeconds = 900;

const Progress = z.object({ finishWaits: z.int().catch(0) });

/**
 * Runs the steps in order. After a temporary failure it waits, a bounded number of times, and then starts over. Any
 * other failure becomes a warning, and the next step runs.
 *
 * @param kept the steps' notes for their next attempt; merged into the preparation when finishing waits
 * @throws PlatformError only if the platform refuses the token or the account as a whole
 */
export async function finishInSteps(
  job: Pick<FinishJob, 'live' | 'preparation'>,
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
      if (isAboutAccount(error)) throw error;
      const waitSeconds = Math.max(pollDelaySeconds(waits), error.retryAfterSeconds ?? 0);
      const isTemporary = error.remedy === 'retry' || error.remedy === 'unknown';
      if (isTemporary && waits < maxWaits && waitSeconds <= longestWaitSeconds) {
        const preparation = { ...job.preparation, ...kept(), finishWaits: waits + 1 };
        return { state: 'waiting', post, preparation, waitSeconds };
      }
      warnings.push(error.message);
    }
  }
  return { state: 'done', post, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
}

/** The delay before the next poll of a platform, in seconds: 1, 2, 4 … 60. */
export function pollDelaySeconds(pollsSoFar: number): number {
  return Math.min(60, 2 ** Math.min(pollsSoFar, 6));
}
