import type { readTimelineOperation } from '../../../../posts/operations.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';
import { type ListedPost, type ListedTarget, timeOf } from '../../../posts/post.ts';

export type Step = ReplyOf<typeof readTimelineOperation>['timeline'][number];
export type StepEvent = Step['event'];

/** What a mark says: it is drawn as a shape of its own. */
export type MarkKind = 'step' | 'again' | 'bad' | 'unknown' | 'live' | 'paused';

export interface Mark {
  readonly kind: MarkKind;
  readonly offsetMs: number;
}

/** A stretch of time, in milliseconds from the planned time. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the diagram shows of one destination. */
export interface Lane {
  readonly target: ListedTarget;
  /** When it is or was due, epoch milliseconds. */
  readonly dueMs: number;
  readonly preparation: Stretch | undefined;
  /** From the planned time to the call. */
  readonly lateness: Stretch | undefined;
  /** From the call until the platform said that it is live. */
  readonly call: Stretch | undefined;
  readonly marks: readonly Mark[];
}

const kinds: Readonly<Partial<Record<StepEvent, MarkKind>>> = {
  preparing: 'step',
  prepared: 'step',
  waiting: 'step',
  'going live': 'step',
  'nothing went live': 'again',
  'trying again': 'again',
  'outcome unknown': 'unknown',
  failed: 'bad',
  published: 'live',
  finished: 'step',
  paused: 'paused',
  resumed: 'step',
};

/** The steps of each destination, oldest first. Pure. */
export const stepsByTarget = (steps: readonly Step[]): ReadonlyMap<string, readonly Step[]> =>
  Map.groupBy(
    steps.filter(({ accountId }) => accountId !== null),
    ({ accountId }) => accountId ?? '',
  );

/** `undefined` for a draft, or if nothing has happened yet. Pure. */
export function laneOf(target: ListedTarget, post: ListedPost, steps: readonly Step[]): Lane | undefined {
  const { calledAt, liveAt, scheduledFor, afterRequestMs } = target.timing;
  const due = scheduledFor ?? timeOf(target, post);
  if (due === null || (steps.length === 0 && calledAt === null)) return undefined;
  const dueMs = Date.parse(due);
  const offsetOf = (at: string) => Date.parse(at) - dueMs;
  const stretch = (from: string | undefined | null, to: string | undefined | null) =>
    from && to && to >= from ? { fromMs: offsetOf(from), toMs: offsetOf(to) } : undefined;
  return {
    target,
    dueMs,
    preparation: preparationOf(steps, stretch),
    lateness:
      calledAt !== null && calledAt > due && afterRequestMs === null ? stretch(due, calledAt) : undefined,
    call: stretch(calledAt, liveAt),
    marks: steps.flatMap(({ event, at }) => {
      const kind = kinds[event];
      // The call itself is drawn.
      return kind === undefined || (event === 'going live' && calledAt !== null && at <= calledAt)
        ? []
        : [{ kind, offsetMs: offsetOf(at) }];
    }),
  };
}

/** The last preparation: an earlier one was of a try that failed. */
function preparationOf(
  steps: readonly Step[],
  stretch: (from: string | undefined, to: string | undefined) => Stretch | undefined,
): Stretch | undefined {
  const end = steps.findLastIndex(({ event }) => event === 'prepared' || event === 'preparing');
  const before = steps.slice(0, end + 1);
  const failure = before.findLastIndex(({ event }) => event === 'failed' || event === 'trying again');
  const begin = before.findIndex(({ event }, place) => place > failure && event === 'preparing');
  return begin < 0 ? undefined : stretch(before[begin]?.at, before[end]?.at);
}

/** All times of a lane, for the scale. */
export const offsetsOf = ({ preparation, lateness, call, marks }: Lane): number[] => [
  ...[preparation, lateness, call].flatMap((each) => (each ? [each.fromMs, each.toMs] : [])),
  ...marks.map(({ offsetMs }) => offsetMs),
];

/** The steps of one try after the other, as the service has counted them. Pure. */
export function attemptsOf(
  steps: readonly Step[],
): { readonly attempt: number; readonly steps: readonly Step[] }[] {
  const attempts: { attempt: number; steps: Step[] }[] = [];
  for (const step of steps) {
    const last = attempts.at(-1);
    if (last?.attempt === step.attempt) last.steps.push(step);
    else attempts.push({ attempt: step.attempt ?? 0, steps: [step] });
  }
  return attempts;
}
