import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { startMs } from '../scenario/history.ts';
import type { PlannedInterruption, Scenario } from '../scenario/plan.ts';
import { runScenario, type SimulationResult } from '../simulate.ts';
import type { NumberedCall } from '../world/world.ts';
import { accounts, directedScenario, postToAll } from './scenario.ts';

export const acts = [
  'edit',
  'delete',
  'disconnect',
  'reconnect',
  'pause',
] as const satisfies readonly PlannedInterruption['act'][];
type Act = (typeof acts)[number];

/** The place of an act relative to a call. */
export interface Meeting {
  /** True if the call waits until the act has been answered; false if both run at the same time. */
  readonly isAwaited: boolean;
  /** Additional time of each request of the API, which draws an act out over several calls of the workers. */
  readonly apiSlownessMs: number;
}

export const meetings: Readonly<Record<string, Meeting>> = {
  'wholly before': { isAwaited: true, apiSlownessMs: 0 },
  'at the same time as': { isAwaited: false, apiSlownessMs: 0 },
  'for a second from': { isAwaited: false, apiSlownessMs: 250 },
};

const dueMs = startMs + 5 * minuteMs;
/** The time in which the results of the last calls are committed and reported. */
const settledMs = 5 * secondMs;

function actScenario(
  { isAwaited, apiSlownessMs }: Meeting,
  interruption?: { call: number; act: Act },
): Scenario {
  const scenario = directedScenario({
    posts: [postToAll('post', dueMs)],
    deployment: { apiSlownessMs },
    workspace: { hasWebhook: true },
  });
  return { ...scenario, ...(interruption && { interruption: { ...interruption, isAwaited } }) };
}

/** A run in which a person's act did not end as it may. */
export interface ActFailure {
  readonly call: number;
  readonly at: string;
  readonly problem: string;
}

export interface ActReport {
  /** The external calls of the last minute. */
  readonly callCount: number;
  readonly failures: readonly ActFailure[];
  /** Number of runs by how their destinations ended. */
  readonly ends: Readonly<Record<string, number>>;
}

/**
 * Runs a post again and again. Each time, a person acts on it at another external call of its last minute.
 *
 * @param step 1 for every call; 10 for a sample of every tenth
 * @param onRun called after each run
 */
export async function runActs(
  act: Act,
  meeting: Meeting,
  { step, onRun }: { readonly step: number; readonly onRun?: () => void },
): Promise<ActReport> {
  const calls = await callsOfLastMinute(meeting);
  const failures: ActFailure[] = [];
  const ends: Record<string, number> = {};
  // Acts start at different calls, so that a sample covers more of them.
  const first = Math.floor((acts.indexOf(act) * step) / acts.length);
  for (let index = first; index < calls.length; index += step) {
    const { call, actor, what } = calls[index] as NumberedCall;
    const result = await runScenario(actScenario(meeting, { call, act }));
    const problem = problemOf(act, result);
    if (problem !== undefined) failures.push({ call, at: `${actor} ${what}`, problem });
    const end = endOf(result);
    ends[end] = (ends[end] ?? 0) + 1;
    onRun?.();
  }
  return { callCount: calls.length, failures, ends };
}

/** Returns the calls from a minute before the due time until the last destination has a result, without those of sweeps. */
async function callsOfLastMinute(meeting: Meeting): Promise<NumberedCall[]> {
  const all: NumberedCall[] = [];
  const { violation, ledger } = await runScenario(actScenario(meeting), {
    onCall: (call) => all.push(call),
  });
  if (violation !== undefined) throw new Error(`without any act: ${violation}`);
  if (ledger.length !== accounts.length) throw new Error('without any act, not all destinations go live');
  const endMs = Math.max(...ledger.map(({ liveMs }) => liveMs)) + settledMs;
  return all.filter(
    ({ atMs, actor }) => atMs >= dueMs - minuteMs && atMs <= endMs && !actor.startsWith('sweep'),
  );
}

/** Returns the reason that an act may not end like this; `undefined` if it may. */
function problemOf(act: Act, { violation, ledger, targets }: SimulationResult): string | undefined {
  if (violation !== undefined) return violation;
  const live = targets.filter(({ status }) => status === 'published');
  if (ledger.length !== live.length) return `${ledger.length} posts are live, but ${live.length} are known`;
  if (live.length === accounts.length) return undefined;
  const others = targets.filter(({ status }) => status !== 'published');
  // A deletion that is not refused leaves nothing live.
  if (act === 'delete') return targets.length === 0 ? undefined : 'some destinations were deleted';
  if (act === 'disconnect' && others.every(isDisconnected)) return undefined;
  return others.map(({ platform, status, error }) => `${platform} ${status} ${error}`).join(', ');
}

const disconnectedCodes: readonly string[] = ['account_disconnected', 'account_expired'];

/** True if a target says that it has failed because its account was disconnected, or that the platform has refused its token. */
const isDisconnected = ({ status, errorDetail }: Target): boolean =>
  status === 'failed' && disconnectedCodes.includes(errorDetail?.code ?? '');

const endOf = ({ targets }: SimulationResult): string =>
  targets.map(({ platform, status }) => `${platform} ${status}`).join(', ') || 'deleted';
