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
 * Follows an adapter's remedies as the engine does, on a clock that is moved instead of waited for. Every preparation
 * goes through JSON, as it does in the table.
 */
export interface Publisher {
  readonly job: PublishJob;
  prepare(): Promise<void>;
  goLive(): Promise<LivePost>;
  /** Asks until there is an answer, however often the platform fails to give one. */
  reconcile(): Promise<Exclude<Reconciliation, { state: 'pending' }>>;
  finish(live: LivePost): Promise<Extract<FinishStep, { state: 'done' }>>;
  /** All of it, whatever happens on the way; throws what only a person can cure. */
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
      throw new Error('the preparation never ends');
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
        const answer = await patiently(() => adapter.reconcile(intended(), tools));
        if (answer.state === 'absent') keep(answer.preparation);
        if (answer.state !== 'pending') return answer;
        await wait(answer.waitSeconds);
      }
      throw new Error('the outcome stays pending for ever');
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
      throw new Error('the post is never finished');
    },
    async publish() {
      return publisher.finish(await liveInTheEnd());
    },
  };

  async function liveInTheEnd(): Promise<LivePost> {
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
    throw new Error('given up');
  }

  async function patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempts = 0; attempts < 10; attempts += 1) {
      try {
        return await ask();
      } catch (error) {
        await waitOut(error);
      }
    }
    throw new Error('given up');
  }

  async function waitOut(error: unknown): Promise<void> {
    const passes = error instanceof PlatformError && (error.remedy === 'retry' || error.remedy === 'unknown');
    if (!passes) throw error;
    await wait(error.retryAfterSeconds ?? 10);
  }

  return publisher;
}

function isUnknown(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.remedy === 'unknown';
}
