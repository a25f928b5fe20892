import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { PlatformAdapter, PublishJob } from '../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { LastCall } from '../../lib/platforms/contract/last-call.ts';
import type { LivePost, Preparation } from '../../lib/platforms/contract/live-post.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import type { VerifiedLivePost } from './verification.ts';

export interface PublishOncePorts {
  readonly tools: PlatformTools;
  /** Waits; rejects if a person has stopped the run. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Called before the last call, and again once the post is known. With null for the id, the post may exist. */
  readonly onMade: (post: LivePost) => void;
  /** Called if the last call certainly made nothing. */
  readonly onAbsent: () => void;
}

/** The time after which a preparation is given up. Our judgement: files are small. */
const longestPreparationMs = 10 * minuteMs;
const longestProcessingMs = 15 * minuteMs;

/**
 * Publishes a job through its adapter, with one last call that is never repeated. If the outcome is unknown, looks the
 * post up as a worker would.
 *
 * @throws PlatformError if the platform refuses, or if it does not show the post in time
 */
export async function publishOnce(
  adapter: PlatformAdapter,
  first: PublishJob,
  { tools, wait, onMade, onAbsent }: PublishOncePorts,
): Promise<VerifiedLivePost> {
  const startMs = tools.now();
  let job = first;
  const keep = (preparation: Preparation) => {
    job = { ...job, preparation, deadline: tools.now() + 2 * minuteMs };
  };
  keep({});
  for (;;) {
    const step = await adapter.prepare(job, tools);
    keep(step.preparation);
    if (step.state === 'ready') break;
    if (tools.now() - startMs > longestPreparationMs) {
      throw new PlatformError('unknown', 'The platform was still processing the media after 10 minutes.');
    }
    await wait(step.state === 'waiting' ? step.waitSeconds : 0);
  }

  const sinceMs = tools.now();
  const callOf = (): LastCall => ({
    token: adapter.tokenOf(job),
    sinceMs,
    endedMs,
    isTaken: async () => false,
  });
  let endedMs = sinceMs;
  await wait(0);
  onMade({ platformPostId: null, permalink: null });
  let post: LivePost;
  try {
    post = await adapter.goLive(job, tools);
    endedMs = tools.now();
  } catch (error) {
    endedMs = tools.now();
    // Any other error may have come after the call.
    if (!(error instanceof PlatformError)) throw error;
    if (error.remedy !== 'unknown') {
      onAbsent();
      throw error;
    }
    if (error.preparation) keep(error.preparation);
    post = await findPost(error);
  }
  onMade(post);
  return { job, post, call: callOf(), processedSeconds: (tools.now() - endedMs) / secondMs };

  async function findPost(cause: PlatformError): Promise<LivePost> {
    const { callSeconds, readLagSeconds, lookups, gapSeconds } = adapter.absenceRule(job);
    // The time for which a worker would look.
    const unseenMs = (callSeconds + readLagSeconds + (lookups - 1) * gapSeconds) * secondMs;
    for (;;) {
      const finding = await adapter.lookUp({ ...job, call: callOf() }, tools);
      if (finding.state === 'live') return finding.post;
      if (finding.state === 'absent') {
        onAbsent();
        throw new PlatformError('rejected', finding.proof, { cause });
      }
      const isProcessing = finding.state === 'processing';
      if (tools.now() - endedMs >= (isProcessing ? longestProcessingMs : unseenMs)) throw cause;
      await wait(isProcessing ? finding.waitSeconds : 15);
    }
  }
}
