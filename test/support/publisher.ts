import {
  beginCall,
  firstIntentMs,
  lastCallOf,
  noteCall,
  settleCall,
  unsettledCall,
} from '../../lib/at-most-once/call-records.ts';
import { judgeFinding, type Verdict } from '../../lib/at-most-once/judge-finding.ts';
import { sendOnce } from '../../lib/at-most-once/make-call.ts';
import { longestRetryMs } from '../../lib/at-most-once/retry-policy.ts';
import type {
  FinishStep,
  IntendedJob,
  PlatformAdapter,
  PublishJob,
} from '../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { CallRecord } from '../../lib/platforms/contract/last-call.ts';
import type { LivePost, Preparation } from '../../lib/platforms/contract/live-post.ts';
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
  /** The records of all last calls. */
  readonly calls: readonly CallRecord[];
  /** Post ids that other targets have claimed. */
  readonly taken: Set<string>;
  prepare(): Promise<void>;
  /** Records and makes the last call. @throws the error with which it ended */
  goLive(): Promise<LivePost>;
  /** Records a last call that a killed worker made, or was about to make. */
  crashAtLastCall(makesCall: boolean): Promise<void>;
  /** Looks up the last call until the absence rule decides. Retries failed lookups. */
  reconcile(): Promise<Exclude<Verdict, { kind: 'look again' }>>;
  /** Follows an interrupted last call to its end: looks it up, repeats it, or tries again if it was absent. */
  resume(): Promise<Ended>;
  finish(live: LivePost): Promise<Extract<FinishStep, { state: 'done' }>>;
  /** Publishes the job, with retries and lookups. Throws errors that only a person can resolve. */
  publish(): Promise<Extract<FinishStep, { state: 'done' }>>;
}

/** The end of a job. `isFound` says that a lookup found the post, `where` what a person checks. */
export type Ended =
  | { readonly state: 'live'; readonly post: LivePost; readonly isFound: boolean }
  | { readonly state: 'unknown'; readonly where: string };

/** @param untilIdle resolves when the simulator has fetched what it was told to fetch: it does so in real time */
export function publisherOf(
  adapter: PlatformAdapter,
  first: PublishJob,
  tools: PlatformTools,
  clock: VirtualClock,
  untilIdle: () => Promise<unknown>,
): Publisher {
  let job = first;
  let calls: CallRecord[] = [];
  const taken = new Set<string>();
  const keep = (preparation: Preparation) => {
    job = { ...job, preparation: JSON.parse(JSON.stringify(preparation)), deadline: clock.time + 60_000 };
  };
  const wait = async (seconds: number) => {
    clock.time += seconds * 1_000;
    await untilIdle();
  };
  const intended = (): IntendedJob => ({ ...job, call: lastCallOf(calls, async (id) => taken.has(id)) });
  const begin = () => {
    calls = stored(beginCall(calls, adapter.tokenOf(job), adapter.absenceRule(job), clock.now()));
  };

  const publisher: Publisher = {
    get job() {
      return job;
    },
    get calls() {
      return calls;
    },
    taken,
    async prepare() {
      for (let steps = 0; steps < 60; steps += 1) {
        keep(job.preparation);
        const note = async (noted: Preparation) => keep(noted);
        const asked = { ...job, hasEarlierCall: calls.length > 0, note };
        const step = await adapter.prepare(asked, tools).catch((error: unknown) => {
          if (error instanceof PlatformError && error.preparation) keep(error.preparation);
          throw error;
        });
        keep(step.preparation);
        if (step.state === 'ready') return;
        if (step.state === 'waiting') await wait(step.waitSeconds);
      }
      throw new Error('the preparation is not ready after 60 steps');
    },
    async goLive() {
      begin();
      let thrown: unknown;
      const sent = await sendOnce({ now: clock.now, report: () => {} }, calls, () =>
        adapter.goLive(job, tools).catch((error: unknown) => {
          thrown = error;
          throw error;
        }),
      );
      calls = stored(sent.calls);
      if (sent.state === 'done') return sent.result;
      const preparation = sent.state === 'refused' ? sent.error.preparation : sent.preparation;
      if (preparation) {
        keep(preparation);
        if (sent.state === 'unknown') calls = stored(noteCall(calls, { token: adapter.tokenOf(job) }));
      }
      throw thrown;
    },
    async crashAtLastCall(makesCall) {
      begin();
      if (makesCall) await adapter.goLive(job, tools).catch(() => {});
    },
    async reconcile() {
      for (let asked = 0; asked < 300; asked += 1) {
        const finding = await withRetries(() => adapter.lookUp(intended(), tools));
        const verdict = judgeFinding(calls, finding, adapter.absenceRule(job), clock.now());
        if (verdict.kind === 'absent') {
          calls = stored(settleCall(calls, verdict.outcome, verdict.proof));
          if (verdict.preparation) keep(verdict.preparation);
        }
        if (verdict.kind === 'repeat' && verdict.preparation) keep(verdict.preparation);
        if (verdict.kind !== 'look again') return verdict;
        calls = stored(verdict.calls);
        await wait((verdict.atMs - clock.now()) / 1_000);
      }
      throw new Error('the outcome is still open after 300 lookups');
    },
    async finish(live) {
      let post = live;
      for (let steps = 0; steps < 60; steps += 1) {
        const step = await adapter.finish(
          { ...intended(), live: post, note: async (noted) => keep(noted) },
          tools,
        );
        if (step.state === 'done') return step;
        if (step.state === 'lost') throw new PlatformError('rejected', step.reason);
        post = step.post;
        keep(step.preparation);
        await wait(step.waitSeconds);
      }
      throw new Error('the post is not finished after 60 steps');
    },
    async resume() {
      for (;;) {
        const verdict = await publisher.reconcile();
        switch (verdict.kind) {
          case 'live':
            return { state: 'live', post: verdict.post, isFound: true };
          case 'unknown':
            return unknown();
          case 'absent': {
            const refusal = calls.at(-1)?.refusal;
            if (refusal !== undefined) throw new PlatformError('rejected', refusal);
            return makeLive();
          }
          case 'repeat': {
            if (clock.now() > firstIntentMs(calls) + longestRetryMs) return unknown();
            const post = await publisher.goLive().catch(() => undefined);
            if (post) return { state: 'live', post, isFound: false };
          }
        }
      }
    },
    async publish() {
      const ended = await makeLive();
      if (ended.state === 'unknown') throw new Error(`outcome unknown: check ${ended.where}`);
      return publisher.finish(ended.post);
    },
  };

  const unknown = (): Ended => ({ state: 'unknown', where: adapter.absenceRule(job).where });

  async function makeLive(): Promise<Ended> {
    for (let attempts = 0; attempts < 10; attempts += 1) {
      try {
        await publisher.prepare();
        return { state: 'live', post: await publisher.goLive(), isFound: false };
      } catch (error) {
        if (unsettledCall(calls)) return publisher.resume();
        await waitOut(error);
      }
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

/** The records as they come back from the table. */
function stored(calls: readonly CallRecord[]): CallRecord[] {
  return JSON.parse(JSON.stringify(calls));
}
