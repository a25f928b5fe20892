import * as z from 'zod';
import type { FinishJob, FinishStep } from '../contract/adapter.ts';
import { isAboutAccount, PlatformError } from '../contract/errors.ts';
import type { LivePost, Preparation } from '../contract/live-post.ts';

/**
 * One step of finishing a live post. It may run again, so it checks first whether its work is already done. `waits` is
 * the number of waits so far.
 */
export type FinishingStep = (post: LivePost, waits: number) => Promise<LivePost>;

/**
 * The limit on waits: about three minutes in total, unless the platform asks for more. After that a failure becomes a warning.
 */
const maxWaits = 8;
const longestWaitSeconds = 900;

const Progress = z.object({
  finishWaits: z.int().catch(0),
  /** The number of waits for a {@link PendingError}, which are counted separately. */
  finishPolls: z.int().catch(0),
});

/** The error of a step if the platform is not ready for it yet. Finishing polls again, as often as the step allows. */
export class PendingError extends PlatformError {
  readonly maxPolls: number;
  /** Returns the wait before the next poll, from the number of polls so far. */
  readonly delaySeconds: (polls: number) => number;

  /**
   * Creates the error.
   *
   * @param message the warning if the platform is not ready after `maxPolls` polls: with the usual delays, 50 take 45 minutes
   */
  constructor(
    message: string,
    {
      maxPolls,
      delaySeconds = pollDelaySeconds,
    }: { readonly maxPolls: number; readonly delaySeconds?: (polls: number) => number },
  ) {
    super('retry', message);
    this.maxPolls = maxPolls;
    this.delaySeconds = delaySeconds;
  }
}

/** The error of a step if nobody can see the post any more. The message is the reason. It ends finishing, and the target fails. */
export class LostError extends PlatformError {
  constructor(message: string) {
    super('rejected', message);
  }
}

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
  const { finishWaits: waits, finishPolls: polls } = Progress.parse(job.preparation);
  const waiting = (post: LivePost, counted: Preparation, waitSeconds: number) =>
    ({
      state: 'waiting',
      post,
      preparation: { ...job.preparation, ...kept(), ...counted },
      waitSeconds,
    }) as const;
  const warnings: string[] = [];
  let post = job.live;
  for (const step of steps) {
    try {
      post = await step(post, waits);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (isAboutAccount(error)) throw error;
      if (error instanceof LostError) return { state: 'lost', reason: error.message };
      if (error instanceof PendingError) {
        if (polls < error.maxPolls)
          return waiting(post, { finishPolls: polls + 1 }, error.delaySeconds(polls));
        warnings.push(error.message);
        continue;
      }
      if (mayWait(error, waits)) {
        return waiting(post, { finishWaits: waits + 1 }, waitSecondsFor(error, waits));
      }
      warnings.push(error.message);
    }
  }
  return { state: 'done', post, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
}

function waitSecondsFor({ retryAfterSeconds = 0 }: PlatformError, waits: number): number {
  return Math.max(pollDelaySeconds(waits), retryAfterSeconds);
}

/** Returns true if finishing waits after this error. */
function mayWait(error: PlatformError, waits: number): boolean {
  const isTemporary = error.remedy === 'retry' || error.remedy === 'unknown';
  return isTemporary && waits < maxWaits && waitSecondsFor(error, waits) <= longestWaitSeconds;
}

/** The results of the steps that {@link settling} made: '' for one that succeeded, otherwise its warning. */
export const SettledSteps = z.record(z.string(), z.string());
export type SettledSteps = z.infer<typeof SettledSteps>;

/**
 * Makes a step that is not taken again once it is done or has failed for good, although finishing starts over after each wait.
 *
 * @param settled the results of earlier passes; mutated. It must be among the notes that {@link finishInSteps} keeps
 * @param name the step's name in `settled`
 */
export function settling(
  settled: SettledSteps,
  name: string,
  step: (postId: string, post: LivePost) => Promise<void>,
): FinishingStep {
  return async (post, waits) => {
    const { [name]: outcome } = settled;
    if (outcome) throw new PlatformError('rejected', outcome);
    if (outcome === '' || post.platformPostId === null) return post;
    try {
      await step(post.platformPostId, post);
      settled[name] = '';
      return post;
    } catch (error) {
      if (error instanceof PlatformError && !isAboutAccount(error) && !mayWait(error, waits)) {
        settled[name] = error.message;
      }
      throw error;
    }
  };
}

/** Returns the delay before the next poll of a platform, in seconds: 1, 2, 4 … 60. */
export function pollDelaySeconds(pollsSoFar: number): number {
  return Math.min(60, 2 ** Math.min(pollsSoFar, 6));
}
