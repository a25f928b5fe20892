import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  beginCall,
  latestCallStartMs,
  noteCall,
  settleCall,
  unsettledCall,
} from '../../../lib/at-most-once/call-records.ts';
import { judgeFinding } from '../../../lib/at-most-once/judge-finding.ts';
import { sendOnce } from '../../../lib/at-most-once/make-call.ts';
import { longestRetryMs } from '../../../lib/at-most-once/retry-policy.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { AbsenceRule, CallRecord, Finding } from '../../../lib/platforms/contract/last-call.ts';
import { startMs } from '../../support/builders.ts';

/** The fate of one request. Fractions are of the time that the call may take. */
interface Request {
  /** Pause of the worker between the intent and the request, in milliseconds. */
  readonly pauseMs: number;
  /** The time at which the post is made; null if the request never arrives. */
  readonly effectAt: number | null;
  /** The worker's view of the end: `doubtful` is a refusal that the platform sends for successful calls too. */
  readonly end: 'response' | 'no response' | 'refusal' | 'doubtful' | 'killed';
  readonly endAt: number;
}

const request: fc.Arbitrary<Request> = fc.record({
  pauseMs: fc.oneof(fc.constant(0), fc.nat(latestCallStartMs), fc.nat(5 * minuteMs)),
  effectAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  end: fc.constantFrom('response', 'no response', 'refusal', 'doubtful', 'killed'),
  endAt: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Circumstances of one lookup: the lag of its read, and whether the platform would show proof of absence, or work to do. */
const lookup = fc.record({
  lagMs: fc.oneof(fc.constant(0), fc.nat(4 * minuteMs), fc.constant(Number.POSITIVE_INFINITY)),
  provesAbsence: fc.boolean(),
  isProcessing: fc.boolean(),
  isGone: fc.boolean(),
});
type Lookup = typeof lookup extends fc.Arbitrary<infer T> ? T : never;

const rule: fc.Arbitrary<AbsenceRule> = fc.record(
  {
    callSeconds: fc.integer({ min: 10, max: 60 }),
    readLagSeconds: fc.constantFrom(0, 60, 120),
    lookups: fc.integer({ min: 1, max: 3 }),
    gapSeconds: fc.constantFrom(0, 20, 60),
    processingSeconds: fc.constantFrom(0, 600),
    usedOnce: fc.constant('an upload makes one post'),
    where: fc.constant('the profile'),
  },
  { requiredKeys: ['callSeconds', 'readLagSeconds', 'lookups', 'gapSeconds', 'processingSeconds', 'where'] },
);

/** A platform that makes posts from uploads, at the times that the requests say. */
class ModelPlatform {
  /** The time of each post, by its upload. Posts of the future are on their way. */
  readonly posts: { readonly upload: number; readonly atMs: number }[] = [];
  readonly #usesOnce: boolean;

  constructor(usesOnce: boolean) {
    this.#usesOnce = usesOnce;
  }

  /** @returns false if the platform refuses the request, because the upload was used */
  accept(upload: number, atMs: number): boolean {
    if (this.#usesOnce && this.posts.some((post) => post.upload === upload)) return false;
    this.posts.push({ upload, atMs });
    return true;
  }

  /** Returns the result of a read for an upload that had its last request end at `endedMs`. */
  show(upload: number, endedMs: number, now: number, seen: Lookup): Finding {
    const made = this.posts.filter((post) => post.upload === upload);
    if (made.some(({ atMs }) => atMs <= now - seen.lagMs)) {
      return { state: 'live', post: { platformPostId: String(upload), permalink: null } };
    }
    // Only the platform's own proof, and only if it is true: no request can take effect any more.
    if (made.length === 0 && now > endedMs && seen.provesAbsence) {
      return { state: 'absent', proof: 'the upload has expired', preparation: {} };
    }
    if (made.length > 0 && seen.isProcessing) return { state: 'processing', waitSeconds: 30 };
    return { state: 'unseen', ...(seen.isGone && { isGone: true }) };
  }
}

interface Story {
  readonly rule: AbsenceRule;
  readonly requests: readonly Request[];
  readonly lookups: readonly Lookup[];
  /** Number of times that a person asks for another try, if the target failed and nothing is live. */
  readonly patience: number;
}

const story: fc.Arbitrary<Story> = fc.record({
  rule,
  requests: fc.array(request, { minLength: 1, maxLength: 6 }),
  lookups: fc.array(lookup, { minLength: 1, maxLength: 12 }),
  patience: fc.nat(3),
});

/** Publishes one target as the engine does, and checks the invariants after each step. */
class Target {
  readonly #story: Story;
  readonly #platform: ModelPlatform;
  #now = startMs;
  #calls: CallRecord[] = [];
  #upload = 0;
  #sent = 0;
  #lookups = 0;

  constructor(told: Story) {
    this.#story = told;
    this.#platform = new ModelPlatform(told.rule.usedOnce !== undefined);
  }

  async publish(): Promise<'live' | 'failed' | 'unknown'> {
    let { patience } = this.#story;
    for (let steps = 0; steps < 3_000; steps += 1) {
      const outcome = await this.#step();
      expect(this.#platform.posts.length).toBeLessThanOrEqual(1);
      if (outcome === 'live') {
        expect(this.#platform.posts).toHaveLength(1);
        return outcome;
      }
      if (outcome === 'open') continue;
      // A person who looks, hours later, sees a post that is live, and asks for another try only without one.
      this.#now += hourMs;
      if (patience === 0 || this.#platform.posts.length > 0) return outcome;
      patience -= 1;
    }
    throw new Error('the target never ends');
  }

  /** Simulates the engine's work on one wake. */
  async #step(): Promise<'open' | 'live' | 'failed' | 'unknown'> {
    if (unsettledCall(this.#calls) !== undefined) return this.#reconcile();
    // Nothing is prepared while it is unsettled whether an earlier upload went live.
    this.#upload += 1;
    return this.#send();
  }

  async #send(): Promise<'open' | 'live' | 'failed'> {
    const { rule, requests } = this.#story;
    const next = requests[this.#sent];
    if (next === undefined) {
      // Without an unsettled call nothing more can happen; a repeat that is never answered stays unsettled.
      this.#now += hourMs;
      return unsettledCall(this.#calls) === undefined ? 'failed' : 'open';
    }
    this.#sent += 1;
    this.#commit(beginCall(this.#calls, { upload: this.#upload }, rule, this.#now));
    if (next.end === 'killed') {
      // A killed worker sent its request in time, or not at all.
      this.#request(next, Math.min(next.pauseMs, latestCallStartMs));
      this.#now += next.endAt * rule.callSeconds * secondMs;
      return 'open';
    }
    this.#now += next.pauseMs;
    const ports = { now: () => this.#now, report: () => {} };
    const sent = await sendOnce(ports, this.#calls, async () => this.#request(next, 0));
    this.#commit(sent.calls);
    if (sent.state === 'done') return 'live';
    return sent.state === 'refused' ? 'failed' : 'open';
  }

  /** Sends a request. @throws as an adapter does */
  #request({ effectAt, end, endAt }: Request, delayMs: number): void {
    const callMs = this.#story.rule.callSeconds * secondMs;
    const sentMs = this.#now + delayMs;
    if (end === 'refusal') throw new PlatformError('rejected', 'refused');
    const effectMs = effectAt === null ? undefined : Math.floor(sentMs + effectAt * callMs);
    const isAccepted = effectMs !== undefined && this.#platform.accept(this.#upload, effectMs);
    if (end === 'killed') return;
    this.#now = Math.floor(sentMs + endAt * callMs);
    if (effectMs !== undefined && !isAccepted) throw new PlatformError('rejected', 'already used');
    if (end === 'doubtful') throw new PlatformError('unknown', 'no', { ifAbsent: 'rejected' });
    if (end === 'no response' || !isAccepted) throw new PlatformError('unknown', 'no response');
    this.#now = Math.max(this.#now, effectMs ?? 0);
  }

  async #reconcile(): Promise<'open' | 'live' | 'failed' | 'unknown'> {
    const { rule, lookups } = this.#story;
    const latest = this.#calls.at(-1);
    if (latest === undefined) throw new Error('no call');
    expect(latest.token).toEqual({ upload: this.#upload });
    const seen = lookups[this.#lookups % lookups.length];
    this.#lookups += 1;
    if (seen === undefined) throw new Error('no lookup');
    const endedMs = Math.max(...this.#calls.map(({ intentAt }) => Date.parse(intentAt))) + 2 * minuteMs;
    const finding = this.#platform.show(this.#upload, endedMs, this.#now, seen);
    const verdict = judgeFinding(this.#calls, finding, rule, this.#now);
    switch (verdict.kind) {
      case 'live':
        this.#commit(settleCall(this.#calls, 'live', 'found'));
        return 'live';
      case 'look again':
        this.#commit(verdict.calls);
        expect(verdict.atMs).toBeGreaterThanOrEqual(this.#now);
        this.#now = verdict.atMs;
        return 'open';
      case 'unknown':
        this.#commit(settleCall(verdict.calls, 'unknown', undefined));
        return 'unknown';
      case 'absent': {
        const isRefused = latest.refusal !== undefined;
        if (verdict.outcome === 'absent') expect(this.#platform.posts).toEqual([]);
        this.#commit(settleCall(this.#calls, verdict.outcome, verdict.proof));
        return isRefused ? 'failed' : 'open';
      }
      case 'repeat': {
        expect(rule.usedOnce).toBeDefined();
        const sinceMs = Math.min(...this.#calls.map(({ intentAt }) => Date.parse(intentAt)));
        if (this.#now <= sinceMs + longestRetryMs) return this.#send();
        this.#commit(settleCall(this.#calls, 'unknown', undefined));
        return 'unknown';
      }
    }
  }

  /** Replaces the records, as the table does. Records are only appended and settled, and proven outcomes never change. */
  #commit(after: CallRecord[]): void {
    const before = this.#calls;
    expect(after.length).toBeGreaterThanOrEqual(before.length);
    expect(after.length).toBeLessThanOrEqual(before.length + 1);
    const isOpen = unsettledCall(before) !== undefined;
    for (const [index, record] of before.entries()) {
      const { intentAt, endedAt, outcome } = after[index] ?? record;
      expect(intentAt).toBe(record.intentAt);
      expect(endedAt <= record.endedAt).toBe(true);
      const isFinal = ['live', 'absent', 'dismissed'].includes(record.outcome);
      if (isFinal || (record.outcome === 'refused' && !isOpen)) expect(outcome).toBe(record.outcome);
      if (outcome === 'open') expect(record.outcome).toBe('open');
    }
    // While one call is unsettled, every later one has the same token.
    const unsettled = after.filter(({ outcome }) => ['open', 'repeated', 'unknown'].includes(outcome));
    expect(new Set(unsettled.map(({ token }) => JSON.stringify(token))).size).toBeLessThanOrEqual(1);
    this.#calls = JSON.parse(JSON.stringify(after));
  }
}

it('make at most one post, keep their records, and end, whatever the platform does and shows', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      ends.add(await new Target(told).publish());
    }),
    { numRuns: 2_000 },
  );
  expect([...ends].sort()).toEqual(['failed', 'live', 'unknown']);
});

it('are recorded with the earliest time by which they had certainly ended', () => {
  const calls = beginCall([], {}, { callSeconds: 30 }, startMs);
  const early = noteCall(calls, { endedAt: toTimestamp(startMs + secondMs) });
  expect(noteCall(early, { endedAt: toTimestamp(startMs + minuteMs) })).toEqual(early);
});
