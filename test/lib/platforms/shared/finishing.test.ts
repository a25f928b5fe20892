import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import type { LivePost, Preparation } from '../../../../lib/platforms/contract/live-post.ts';
import {
  type FinishingStep,
  finishInSteps,
  PendingError,
  SettledSteps,
  settling,
} from '../../../../lib/platforms/shared/finishing.ts';

const live: LivePost = { platformPostId: '7', permalink: null };

/**
 * Finishes with one settling step that fails as told, and a later step that is not ready for some passes.
 *
 * @returns how often the settling step was taken, and the warning at the end
 */
async function finished(failures: readonly PlatformError[], pendingPolls: number, post = live) {
  let calls = 0;
  let polls = 0;
  let preparation: Preparation = {};
  for (;;) {
    const settled = SettledSteps.parse(preparation['settled'] ?? {});
    const step = settling(settled, 'comment', async () => {
      const failure = failures[calls];
      calls += 1;
      if (failure) throw failure;
    });
    const pending: FinishingStep = async (given) => {
      polls += 1;
      if (polls <= pendingPolls) throw new PendingError('not ready', { maxPolls: 50 });
      return given;
    };
    const done = await finishInSteps({ live: post, preparation }, [step, pending], () => ({ settled }));
    if (done.state === 'done') return { calls, warning: done.warning };
    if (done.state === 'lost') throw new Error(done.reason);
    preparation = JSON.parse(JSON.stringify(done.preparation));
  }
}

const refusal = new PlatformError('rejected', 'No comments here.');
const busy = new PlatformError('retry', 'Too busy.');

describe('a step that settles', () => {
  it.each<[string, readonly PlatformError[], number, Awaited<ReturnType<typeof finished>>]>([
    ['is taken once if it succeeds, although a later step waits', [], 20, { calls: 1, warning: undefined }],
    [
      'is taken once if it is refused, and its warning stays',
      [refusal],
      20,
      { calls: 1, warning: refusal.message },
    ],
    [
      'is taken again after temporary failures, until it succeeds',
      [busy, busy],
      20,
      { calls: 3, warning: undefined },
    ],
    [
      'is given up after nine temporary failures, and then not taken again',
      Array<PlatformError>(40).fill(busy),
      20,
      { calls: 9, warning: busy.message },
    ],
  ])('%s', async (_name, failures, pendingPolls, expected) => {
    expect(await finished(failures, pendingPolls)).toEqual(expected);
  });

  it('is not taken for a post whose id is not known', async () => {
    expect(await finished([], 0, { platformPostId: null, permalink: null })).toMatchObject({ calls: 0 });
  });

  it('ends finishing if the platform refuses the token as a whole', async () => {
    const dead = new PlatformError('reauthorise', 'Sign in again.', { concerns: 'account' });
    await expect(finished([dead], 0)).rejects.toBe(dead);
  });
});
