import * as z from 'zod';
import { secondMs } from '../../lib/kernel/clock.ts';
import type { FinishStep, PlatformAdapter, PublishJob } from '../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { AbsenceRule, Finding } from '../../lib/platforms/contract/last-call.ts';
import type { LivePost } from '../../lib/platforms/contract/live-post.ts';
import { findListed } from '../../lib/platforms/shared/find-listed.ts';
import { finishInSteps } from '../../lib/platforms/shared/finishing.ts';
import {
  type LedgerEntry,
  latestEffectMs,
  longestUsualLagMs,
  type SimulatedPlatform,
  type SimulatedPlatformName,
} from './platform.ts';
import type { Process } from './world.ts';

const Progress = z.object({
  container: z.string().exactOptional(),
  upload: z.string().exactOptional(),
  parts: z.int().exactOptional(),
});

const common = {
  callSeconds: latestEffectMs / secondMs,
  readLagSeconds: longestUsualLagMs / secondMs,
  processingSeconds: 0,
  where: "the account's profile",
};

/** One platform can be asked and promises nothing, one makes at most one post of an upload, one cannot be asked. */
const absenceRules: Readonly<Record<SimulatedPlatformName, AbsenceRule>> = {
  instagram: { ...common, lookups: 3, gapSeconds: 60 },
  youtube: { ...common, lookups: 2, gapSeconds: 20, usedOnce: 'an upload makes one video' },
  tiktok: { ...common, readLagSeconds: 0, lookups: 1, gapSeconds: 0 },
};

/** Adapters that guarantee only what the contract of {@link PlatformAdapter} demands. */
export function adapterOf(
  platform: SimulatedPlatform,
  name: SimulatedPlatformName,
  process: Process,
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

  async function prepareUpload(job: PublishJob) {
    const { upload, parts = 0 } = Progress.parse(job.preparation);
    if (upload === undefined || (await ask(job, 'read the upload', () => platform.isCompleted(upload)))) {
      const id = await ask(job, 'begin an upload', () => platform.beginUpload(job.reference, job.content));
      return { state: 'continue', preparation: { upload: id } } as const;
    }
    if (parts === 2) return { state: 'ready', preparation: job.preparation } as const;
    await ask(job, 'upload a part', () => undefined, [100, 4_000]);
    return { state: 'continue', preparation: { upload, parts: parts + 1 } } as const;
  }

  function makeLive({ account, reference, content, preparation }: PublishJob): LedgerEntry {
    const { container, upload } = Progress.parse(preparation);
    const { platformAccountId } = account;
    if (container !== undefined) return platform.publishContainer(container, platformAccountId);
    if (upload !== undefined) return platform.completeUpload(upload, platformAccountId);
    return platform.publish(platformAccountId, reference, content);
  }

  return {
    async prepare(job) {
      if (name === 'instagram') return prepareContainer(job);
      return name === 'youtube' ? prepareUpload(job) : { state: 'ready', preparation: job.preparation };
    },

    lastCallUrl: () => 'https://platform.example/posts',
    tokenOf({ preparation }) {
      const { container, upload } = Progress.parse(preparation);
      return { ...(container !== undefined && { container }), ...(upload !== undefined && { upload }) };
    },

    absenceRule: () => absenceRules[name],

    async goLive(job): Promise<LivePost> {
      const { container, upload } = Progress.parse(job.preparation);
      const isPrepared = name === 'tiktok' || (container ?? upload) !== undefined;
      if (!isPrepared) throw new PlatformError('retry', 'nothing is prepared');
      const entry = await ask(job, 'go live', () => makeLive(job));
      return { platformPostId: entry.id, permalink: null };
    },

    async lookUp(job): Promise<Finding> {
      const { container, upload } = Progress.parse(job.call.token);
      if (name === 'tiktok') return { state: 'unseen' };
      if (upload !== undefined) {
        const video = await ask(job, 'read the upload', () => platform.videoOf(upload));
        return video ? { state: 'live', post: livePost(video) } : { state: 'unseen' };
      }
      const shown = await ask(job, 'list posts', () => platform.shown(job.account.platformAccountId));
      const found = await findListed(onePage(shown.toReversed()), job.call, {
        idOf: ({ id }) => id,
        createdMs: ({ liveMs }) => liveMs,
        likeness: ({ content }) => (content === job.content ? 'text' : undefined),
      });
      if (found) return { state: 'live', post: livePost(found) };
      if (container === undefined) return { state: 'unseen' };
      const state = await ask(job, 'read the container', () => platform.containerState(container));
      if (state !== 'expired') return { state: 'unseen' };
      return { state: 'absent', proof: 'the container has expired', preparation: {} };
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

const livePost = ({ id, liveMs }: LedgerEntry): LivePost => ({
  platformPostId: id,
  permalink: null,
  publishedMs: liveMs,
});

async function* onePage<Post>(posts: readonly Post[]): AsyncGenerator<readonly Post[]> {
  yield posts;
}
