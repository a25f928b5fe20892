import { secondMs } from '../../lib/kernel/clock.ts';
import type { PlatformAdapter } from '../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import { announcedHttp } from './announced-http.ts';
import { isAnswer } from './claims/shared.ts';
import type { PlannedStep, VerifiedMedia } from './plan.ts';
import { publishOnce } from './publish-once.ts';
import type {
  AnnouncedRequest,
  Bench,
  Claim,
  Made,
  PlatformVerification,
  VerificationStep,
  VerifiedSubject,
} from './verification.ts';

export type Verdict = 'confirmed' | 'refuted' | 'not checked';

export interface ClaimResult {
  readonly claim: Claim;
  readonly verdict: Verdict;
  /** The observation, or the reason why the claim was not checked. */
  readonly seen: string;
}

export interface Verification {
  readonly results: readonly ClaimResult[];
  /** The things that were made and could not be removed, with the reason. */
  readonly left: readonly (Made & { readonly reason: string })[];
  readonly removed: readonly Made[];
  /** The steps that ended with an error, such as a refusal by the platform. */
  readonly failures: readonly { readonly step: string; readonly message: string }[];
  readonly wasStopped: boolean;
}

export interface VerificationPorts {
  readonly adapter: PlatformAdapter;
  readonly accessToken: string;
  readonly tools: PlatformTools;
  readonly media: VerifiedMedia;
  /** See {@link Bench.mark}. */
  readonly mark: string;
  /** Sleeps; rejects if the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Aborted if a person stops the run. Then no step makes anything new, and the things that were made are removed. */
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  /** Reports an error that is a fault of the program. */
  readonly report: (error: unknown) => void;
}

/** The error that leaves a step after a person has stopped the run. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

type Thing = { made: Made };

/**
 * Runs the planned steps one after the other, and then removes the things that they made, even after a failure or if a
 * person stops the run. Never throws because of a platform: its refusals become part of the result.
 */
export async function runVerification(
  verification: PlatformVerification,
  subject: VerifiedSubject,
  plan: readonly PlannedStep[],
  ports: VerificationPorts,
): Promise<Verification> {
  const { signal, say } = ports;
  const results = new Map<string, ClaimResult>();
  const things: Thing[] = [];
  const failures: { step: string; message: string }[] = [];
  const note = (claim: Claim, verdict: Verdict, seen: string) => {
    results.set(claim.id, { claim, verdict, seen });
    say(`   ${verdict}: ${claim.text}${verdict === 'confirmed' ? '' : ` (${seen})`}`);
  };

  for (const [index, { step, skipped }] of plan.entries()) {
    say(`${index + 1}. ${step.title}`);
    const reason = signal.aborted ? 'the run was stopped' : skipped;
    const problem = reason === undefined ? await runStep(step) : reason;
    for (const claim of step.claims) {
      if (!results.has(claim.id)) note(claim, 'not checked', problem ?? 'the step did not come to it');
    }
  }
  for (const claim of verification.byHand) note(claim, 'not checked', claim.byHand);
  const { left, removed } = await removeAll();
  return { results: [...results.values()], left, removed, failures, wasStopped: signal.aborted };

  /** Runs one step. @returns the reason why claims may be open; undefined if the step ended without an error */
  async function runStep(step: VerificationStep): Promise<string | undefined> {
    try {
      const bench = openBench(step.requests);
      const made = await step.act?.(bench);
      for (const claim of step.claims) {
        const observed = await claim.check(bench, made);
        if (observed === undefined) continue;
        if ('open' in observed) note(claim, 'not checked', observed.open);
        else note(claim, observed.isTrue ? 'confirmed' : 'refuted', observed.seen);
      }
      return undefined;
    } catch (error) {
      if (signal.aborted && (error instanceof StoppedError || !(error instanceof PlatformError))) {
        return 'the run was stopped';
      }
      if (!(error instanceof PlatformError)) ports.report(error);
      const message = error instanceof Error ? error.message : String(error);
      failures.push({ step: step.title, message });
      say(`   failed: ${message}`);
      return message;
    }
  }

  function openBench(requests: readonly AnnouncedRequest[]): Bench {
    const tools = guarded(requests);
    const wait = async (seconds: number) => {
      if (signal.aborted) throw new StoppedError();
      if (seconds > 0) await ports.sleep(seconds * secondMs, signal);
      if (signal.aborted) throw new StoppedError();
    };
    const { adapter, accessToken, mark, media } = ports;
    return {
      ...subject,
      adapter,
      accessToken,
      tools,
      mark,
      file(type) {
        const file = media[type];
        if (file === undefined)
          throw new Error(`the step does not say that it needs a file of the type ${type}`);
        return file;
      },
      async publish(post) {
        const { account } = subject;
        const job = { reference: mark, account, accessToken, ...post, preparation: {}, deadline: 0 };
        let thing: Thing | undefined;
        return publishOnce(adapter, job, {
          tools,
          wait,
          onMade({ platformPostId: id, permalink }) {
            const where = permalink ?? adapter.absenceRule(job).where;
            const made = { kind: 'post', id, title: `the post “${firstLine(post.content)}”`, where };
            if (thing === undefined) {
              thing = { made };
              things.push(thing);
            } else {
              thing.made = made;
            }
          },
          onAbsent() {
            if (thing) things.splice(things.indexOf(thing), 1);
          },
        });
      },
      lookUp: ({ job, call }, token = {}) =>
        adapter.lookUp({ ...job, call: { ...call, token: { ...call.token, ...token } } }, tools),
      async again({ job, post }, call) {
        const where = post.permalink ?? adapter.absenceRule(job).where;
        const title = `a second post “${firstLine(job.content)}”`;
        const thing: Thing = { made: { kind: 'post', id: null, title, where } };
        await wait(0);
        things.push(thing);
        try {
          thing.made = { ...thing.made, id: await call() };
          return undefined;
        } catch (error) {
          // Without an answer, the second post may exist.
          if (!isAnswer(error)) throw error;
          things.splice(things.indexOf(thing), 1);
          return error;
        }
      },
      made: (made) => void things.push({ made }),
      async poll(seconds, read) {
        const startMs = tools.now();
        const passed = () => (tools.now() - startMs) / secondMs;
        for (let pauseSeconds = 2; ; pauseSeconds = Math.min(20, pauseSeconds * 2)) {
          const value = await read();
          if (value !== undefined || passed() >= seconds) return { value, seconds: Math.round(passed()) };
          say(`   waiting, ${Math.round(seconds - passed())} seconds at most`);
          await wait(Math.min(pauseSeconds, seconds - passed()));
        }
      },
    };
  }

  function guarded(requests: readonly AnnouncedRequest[]): PlatformTools {
    const { tools, sleep } = ports;
    return {
      ...tools,
      http: announcedHttp(tools.http, requests, { now: tools.now, sleep: (ms) => sleep(ms) }),
    };
  }

  async function removeAll() {
    const { remove, requests, byHand } = verification.removal;
    const left: (Made & { reason: string })[] = [];
    const removed: Made[] = [];
    if (things.length > 0) say('Removing what was made');
    for (const { made } of [...things].reverse()) {
      const problem = await removeOne(made);
      if (problem === undefined) removed.push(made);
      else left.push({ ...made, reason: problem });
      say(problem === undefined ? `   removed: ${made.title}` : `   NOT removed: ${made.title}: ${problem}`);
    }
    return { left, removed };

    async function removeOne(made: Made): Promise<string | undefined> {
      const { id } = made;
      if (id === null) return `It may exist: its id is not known. ${byHand}`;
      if (remove === undefined) return byHand;
      const bench = openBench(requests);
      try {
        await withRetries(() => remove({ ...made, id }, bench));
        return undefined;
      } catch (error) {
        if (!(error instanceof PlatformError)) ports.report(error);
        return `${error instanceof Error ? error.message : error} ${byHand}`;
      }
    }
  }

  /** Tries a removal three times if the platform refuses it temporarily. */
  async function withRetries(attempt: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        const isTemporary = error instanceof PlatformError && ['retry', 'unknown'].includes(error.remedy);
        if (!isTemporary || tries === removalTries) throw error;
        await ports.sleep(Math.min(60, error.retryAfterSeconds ?? 5) * secondMs);
      }
    }
  }
}

/** The number of tries of a removal. Each removal is announced with this number of requests. */
export const removalTries = 3;

const firstLine = (text: string): string => text.split('\n')[0]?.trim() ?? '';

/**
 * Returns the exit code of a run: 0 if every claim that was checked is confirmed, 1 if a claim is refuted, 2 if a step
 * failed, the run was stopped, or nothing was checked.
 */
export function exitCodeOf({ results, failures, wasStopped }: Verification): 0 | 1 | 2 {
  if (results.some(({ verdict }) => verdict === 'refuted')) return 1;
  const isChecked = results.some(({ verdict }) => verdict === 'confirmed');
  return failures.length > 0 || wasStopped || !isChecked ? 2 : 0;
}
