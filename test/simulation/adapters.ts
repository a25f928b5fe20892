import * as z from 'zod';
import { secondMs } from '../../lib/kernel/clock.ts';
import type {
  FinishStep,
  IntendedJob,
  LivePost,
  PlatformAdapter,
  PublishJob,
  Reconciliation,
} from '../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import { finishInSteps } from '../../lib/platforms/shared/finishing.ts';
import {
  type LedgerEntry,
  latestEffectMs,
  longestLagMs,
  type SimulatedPlatform,
  type SimulatedPlatformName,
} from './platform.ts';
import type { Process } from './world.ts';

/** The engine starts the go-live call within 15 s of its intent or not at all. */
const intentToCallMs = 15 * secondMs;

/** This long after the intent, its call has taken effect or never will, and reads show it. */
const settledAfterMs = intentToCallMs + latestEffectMs + longestLagMs;

const Progress = z.object({
  container: z.string().exactOptional(),
  parts: z.int().exactOptional(),
});

/** Adapters that guarantee only what the contract of {@link PlatformAdapter} demands. */
export function adapterOf(
  platform: SimulatedPlatform,
  name: SimulatedPlatformName,
  process: Process,
  now: () => number,
): PlatformAdapter {
  const ask = <Answer>(
    job: PublishJob,
    what: string,
    effect: () => Answer,
    times?: readonly [number, number],
  ) => platform.ask(process, what, job.accessToken, effect, times);

  async function prepareContainer(job: PublishJob) {
    const { container } = Progress.parse(job.preparation);
    const state =
      container === undefined
        ? 'expired'
        : await ask(job, 'read the container', () => platform.containerState(container));
    if (state === 'ready') return { state: 'ready', preparation: job.preparation } as const;
    if (state === 'working')
      return { state: 'waiting', preparation: job.preparation, waitSeconds: 5 } as const;
    const id = await ask(job, 'create a container', () =>
      platform.createContainer(job.reference, job.content),
    );
    return { state: 'waiting', preparation: { container: id }, waitSeconds: 2 } as const;
  }

  async function prepareParts(job: PublishJob) {
    const { parts = 0 } = Progress.parse(job.preparation);
    if (parts === 2) return { state: 'ready', preparation: job.preparation } as const;
    await ask(job, 'upload a part', () => undefined, [100, 4_000]);
    return { state: 'continue', preparation: { parts: parts + 1 } } as const;
  }

  const isFrom = (job: PublishJob) => (entry: LedgerEntry) =>
    entry.reference === job.reference && entry.content === job.content;

  return {
    async prepare(job) {
      if (name === 'instagram') return prepareContainer(job);
      return name === 'youtube' ? prepareParts(job) : { state: 'ready', preparation: job.preparation };
    },

    lastCallUrl: () => 'https://platform.example/posts',

    async goLive(job): Promise<LivePost> {
      const { platformAccountId } = job.account;
      const { container } = Progress.parse(job.preparation);
      if (name === 'instagram' && container === undefined) throw new PlatformError('retry', 'no container');
      const entry = await ask(job, 'go live', () =>
        container === undefined
          ? platform.publish(platformAccountId, job.reference, job.content)
          : platform.publishContainer(container, platformAccountId),
      );
      return { platformPostId: entry.id, permalink: null };
    },

    async reconcile(job: IntendedJob): Promise<Reconciliation> {
      const where = "the account's profile";
      if (name === 'tiktok') return { state: 'unknown', where };
      const shown = await ask(job, 'list posts', () => platform.shown(job.account.platformAccountId));
      for (const entry of shown.filter(isFrom(job))) {
        if (await job.isTaken?.(entry.id)) continue;
        return { state: 'live', post: { platformPostId: entry.id, permalink: null } };
      }
      const leftMs = job.intentAt + settledAfterMs - now();
      if (leftMs > 0) return { state: 'pending', waitSeconds: Math.ceil(leftMs / secondMs) };
      return { state: 'absent', preparation: job.preparation };
    },

    finish(job): Promise<FinishStep> {
      return finishInSteps(job, [
        async (post) => {
          const permalink = await ask(
            job,
            'read the permalink',
            () => `https://example.com/${post.platformPostId}`,
          );
          return { ...post, permalink };
        },
      ]);
    },
  };
}
