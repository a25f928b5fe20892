import { longestRetryMs } from '../at-most-once/retry-policy.ts';
import { type Clock, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { derivedTimeId } from '../kernel/ids.ts';
import type { ReadPage } from '../link-cards/fetch.ts';
import type { RulesFor } from '../platforms/contract/rules.ts';
import { batchGet } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import type { Table } from '../table/table.ts';
import { isTakenDown, isWholePostTakenDown } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { isLive } from '../targets/state.ts';
import { checksOf } from './planning/modes.ts';
import { fieldOfStep } from './planning/plan-chain.ts';
import { planPost } from './planning/plan-post.ts';
import { readCards } from './planning/read-cards.ts';
import type { PostDraft } from './request/check-shape.ts';
import { referenceKeys } from './request/references.ts';
import { stepPost } from './request/step-post.ts';
import { countTry, postponeCheck, stopChecks } from './stored/chain-checks.ts';
import type { ChainMessage, StoredChainStep } from './stored/chain-schemas.ts';
import { type StepResult, settleStep } from './stored/chain-steps.ts';
import { commitPost } from './stored/commit-post.ts';
import type { Post } from './stored/schemas.ts';
import { findPost, insertPostItems, type PostWithTargets } from './stored/store.ts';

/** The dependencies of running a chain. */
export interface ChainPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly rulesFor: RulesFor;
  /** Reads the page of a link, for the cards of the posts that steps become. Default: they have none. */
  readonly readPage?: ReadPage;
}

export type ChainOutcome = 'run' | 'not live yet' | 'skipped' | 'nothing waits' | 'given up';

/**
 * The minimum number of tries for a step of a live post. A step that cannot be settled fails after the time that a target gets,
 * but only after this many tries.
 */
const fewestTries = 8;
const givenUp: SettledStep = {
  result: { status: 'failed', error: 'an error on our side (given up after 6 hours)' },
};

/**
 * Turns the waiting steps of a post's chain into posts, once its first target is live. Idempotent, and safe to run concurrently:
 * one transaction writes a step's post and moves the step away from `waiting`, on condition that it still waits. A step that
 * cannot be settled for hours fails with that reason.
 */
export async function runChain(
  ports: ChainPorts,
  { workspaceId, postId }: ChainMessage,
): Promise<ChainOutcome> {
  const stored = await findPost(ports.table, workspaceId, postId);
  const steps = (stored?.post.chain ?? []).map((step, index) => ({ step, index }));
  const waiting = steps.filter(({ step }) => step.status === 'waiting');
  if (!stored) return 'nothing waits';
  const { post, targets } = stored;
  if (waiting.length === 0) {
    await stopChecks(ports.table, post, ports.now());
    return 'nothing waits';
  }
  const liveMs = firstLiveMs(targets);
  if (liveMs === undefined) {
    if (isWholePostTakenDown(targets)) {
      for (const { index } of waiting)
        await settle(ports, post, index, takenDown, index === waiting.at(-1)?.index);
      return 'skipped';
    }
    const isSkipped = targets.every(({ status }) => status === 'failed');
    if (isSkipped) await stopChecks(ports.table, post, ports.now());
    else await postponeCheck(ports.table, post, targets, ports.now());
    return isSkipped ? 'skipped' : 'not live yet';
  }
  const tries = await countTry(ports.table, post, liveMs, ports.now());
  if (tries > fewestTries && ports.now() > liveMs + longestRetryMs) {
    for (const { index } of waiting)
      await settle(ports, post, index, givenUp, index === waiting.at(-1)?.index);
    return 'given up';
  }
  const drafts = waiting.map(({ step, index }) => ({
    index,
    step,
    draft: stepPost(step, post, liveMs + step.afterMinutes * minuteMs),
  }));
  const found = await batchGet(
    ports.table,
    drafts.flatMap(({ draft }) => referenceKeys(workspaceId, draft)),
  );
  const failures: unknown[] = [];
  for (const waitingStep of drafts) {
    const { index } = waitingStep;
    const isLast = index === waiting.at(-1)?.index && failures.length === 0;
    try {
      await settle(ports, post, index, await planStep(ports, post, waitingStep, liveMs, found), isLast);
    } catch (error) {
      // A failing step does not stop the others. The sweep checks the chain until all steps are settled.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return 'run';
}

const takenDown: SettledStep = {
  result: { status: 'failed', error: 'the post was taken down before the step became a post' },
};

/** Commits the outcome of a step, with the post that it became. */
async function settle(
  { table, now }: ChainPorts,
  post: Post,
  index: number,
  { result, child }: SettledStep,
  isLast: boolean,
): Promise<void> {
  const step = settleStep(table, post, index, result, { isLast, now: now() });
  const items = child ? [step, ...insertPostItems(table, child)] : [step];
  const outcome = await commitPost(table, now(), { items, ...(child && { after: child }) });
  // If the first condition fails, another worker has settled the step, or the post was deleted.
  if (!outcome.committed && outcome.failedIndex > 0)
    throw new Error(`step ${index} of the chain of post ${post.id} waits, but its post already exists`);
}

/** Returns the time at which the first target went live, in epoch milliseconds; `undefined` if none has, or is left. */
function firstLiveMs(targets: readonly Target[]): number | undefined {
  const moments = targets.flatMap(({ publishedAt, ...target }) =>
    isLive(target.status) && !isTakenDown(target) && publishedAt !== undefined ? Date.parse(publishedAt) : [],
  );
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

interface SettledStep {
  readonly result: StepResult;
  /** The post that the step becomes. */
  readonly child?: PostWithTargets;
}

interface WaitingStep {
  readonly step: StoredChainStep;
  /** The step's position in the chain. */
  readonly index: number;
  readonly draft: PostDraft;
}

/**
 * Plans the post of a step. Creates the post even if accounts or files are gone or unfit by now: its targets then fail at their
 * times, one by one, where users look for failures.
 */
async function planStep(
  { now, rulesFor, readPage }: ChainPorts,
  post: Post,
  { step, index, draft }: WaitingStep,
  liveMs: number,
  found: FoundItems,
): Promise<SettledStep> {
  const mode = { kind: 'chain step' } as const;
  const { workspaceId } = post;
  const cards = await readCards({ workspaceId, rulesFor, ...(readPage && { readPage }) }, draft, found, mode);
  const id = derivedTimeId(liveMs, post.id, 'chain', String(index));
  const {
    problems,
    warnings: _,
    adaptations: _adaptations,
    cards: _cards,
    ...planned
  } = await planPost(draft, {
    workspaceId,
    now: now(),
    id,
    createdAt: toTimestamp(liveMs),
    rulesFor,
    stageFeatures: {},
    found,
    cards,
    checks: checksOf(mode, draft),
    existing: undefined,
  });
  const [problem] = problems;
  if (problem) {
    const error = `${fieldOfStep(step, problem.field)}: ${problem.message}`;
    return { result: { status: 'failed', error } };
  }
  const child = { ...planned, post: { ...planned.post, parentPostId: post.id } };
  return { result: { status: 'fired', postId: id }, child };
}
