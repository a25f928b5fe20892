import type {
  FinishStep,
  IntendedJob,
  LivePost,
  PlatformAdapter,
  Preparation,
  PublishJob,
  Reconciliation,
} from '../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';

export interface VirtualClock {
  time: number;
  now(): number;
}

/**
 * Drives an adapter and follows its remedies as the engine does, on a clock that it moves instead of waiting. Every
 * preparation is serialized as JSON, as in the table.
 */
export interface Publisher {
  readonly job: PublishJob;
  prepare(): Promise<void>;
  goLive(): Promise<LivePost>;
  /** Asks until the platform answers, and retries failed calls. */
  reconcile(): Promise<Exclude<Reconciliation, { state: 'pending' }>>;
  finish(live: LivePost): Promise<Extract<FinishStep, { state: 'done' }>>;
  /** Publishes the job, with retries and reconciliation. Throws errors that only a person can resolve. */
  publish(): Promise<Extract<FinishStep, { state: 'done' }>>;
}

export function publisherOf(
  adapter: PlatformAdapter,
  first: PublishJob,
  tools: PlatformTools,
  clock: VirtualClock,
): Publisher {
  let job = first;
  let intentAt = 0;
  const keep = (preparation: Preparation) => {
    job = { ...job, preparation: JSON.parse(JSON.stringify(preparation)), deadline: clock.time + 60_000 };
  };
  const wait = async (seconds: number) => {
    clock.time += seconds * 1_000;
    // The simulators fetch media in real time, on a clock of their own.
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const intended = (): IntendedJob => ({ ...job, intentAt });

  const publisher: Publisher = {
    get job() {
      return job;
    },
    async prepare() {
      for (let steps = 0; steps < 60; steps += 1) {
        keep(job.preparation);
        const step = await adapter.prepare(job, tools);
        keep(step.preparation);
        if (step.state === 'ready') return;
        if (step.state === 'waiting') await wait(step.waitSeconds);
      }
      throw new Error('the preparation is not ready after 60 steps');
    },
    async goLive() {
      intentAt = clock.now();
      try {
        return await adapter.goLive(job, tools);
      } catch (error) {
        if (isUnknown(error) && error.preparation) keep(error.preparation);
        throw error;
      }
    },
    async reconcile() {
      for (let asked = 0; asked < 60; asked += 1) {
        const answer = await withRetries(() => adapter.reconcile(intended(), tools));
        if (answer.state === 'absent') keep(answer.preparation);
        if (answer.state !== 'pending') return answer;
        await wait(answer.waitSeconds);
      }
      throw new Error('the outcome is still pending after 60 checks');
    },
    async finish(live) {
      let post = live;
      for (let steps = 0; steps < 60; steps += 1) {
        const step = await adapter.finish({ ...intended(), live: post }, tools);
        if (step.state === 'done') return step;
        post = step.post;
        keep(step.preparation);
        await wait(step.waitSeconds);
      }
      throw new Error('the post is not finished after 60 steps');
    },
    async publish() {
      return publisher.finish(await makeLive());
    },
  };

  async function makeLive(): Promise<LivePost> {
    for (let attempts = 0; attempts < 10; attempts += 1) {
      try {
        await publisher.prepare();
      } catch (error) {
        await waitOut(error);
        continue;
      }
      try {
        return await publisher.goLive();
      } catch (error) {
        if (!isUnknown(error)) {
          await waitOut(error);
          continue;
        }
      }
      const outcome = await publisher.reconcile();
      if (outcome.state === 'live') return outcome.post;
      if (outcome.state === 'unknown') throw new Error(`outcome unknown: look at ${outcome.where}`);
    }
    throw new Error('the post is not live after 10 attempts');
  }

  async function withRetries<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempts = 0; attempts < 10; attempts += 1) {
      try {
        return await ask();
      } catch (error) {
        await waitOut(error);
      }
    }
    throw new Error('the call fails after 10 attempts');
  }

  async function waitOut(error: unknown): Promise<void> {
    const isTransient =
      error instanceof PlatformError && (error.remedy === 'retry' || error.remedy === 'unknown');
    if (!isTransient) throw error;
    await wait(error.retryAfterSeconds ?? 10);
  }

  return publisher;
}

function isUnknown(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.remedy === 'unknown';
}
