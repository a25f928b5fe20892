import type { readTimelineOperation } from '../../../posts/operations.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { formatDuration } from '../../duration.ts';
import { type ListedPost, type ListedTarget, timeOf } from '../../posts/post.ts';
import { words } from '../../words/words.ts';

const texts = words.postPage.timeline;

export type Timeline = ReplyOf<typeof readTimelineOperation>['timeline'];
export type Step = Timeline[number];

/** The steps of each destination, oldest first. Pure. */
export const stepsByTarget = (steps: Timeline): ReadonlyMap<string, readonly Step[]> =>
  Map.groupBy(
    steps.filter(({ accountId }) => accountId !== null),
    ({ accountId }) => accountId ?? '',
  );

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

/** The time for which a destination is or was planned, epoch milliseconds; `undefined` for a draft without one. Pure. */
export function dueMsOf(target: ListedTarget, post: ListedPost): number | undefined {
  const due = target.timing.scheduledFor ?? timeOf(target, post);
  return due === null ? undefined : Date.parse(due);
}

/** Says how a destination went: `Called 31 ms late. Live 366 ms after the call.` Pure. */
export function summaryOf(target: ListedTarget, steps: readonly Step[], dueMs: number): string {
  const { calledAt, liveAt, lateMs, afterRequestMs } = target.timing;
  const preparation = preparationOf(steps);
  const fromDue = (at: string) => offsetText(Date.parse(at) - dueMs);
  const failures = steps.filter(({ event }) => failing.includes(event)).length;
  return [
    preparation && texts.preparedFrom(fromDue(preparation[0]), fromDue(preparation[1])),
    lateMs !== null && texts.called(lateMs === 0 ? texts.onTime : texts.late(formatDuration(lateMs))),
    afterRequestMs !== null && texts.called(texts.afterRequest(formatDuration(afterRequestMs))),
    calledAt !== null &&
      liveAt !== null &&
      liveAt >= calledAt &&
      texts.liveAfter(formatDuration(Date.parse(liveAt) - Date.parse(calledAt))),
    failures > 0 && texts.failures(failures),
    lateMs === null && afterRequestMs === null && texts.notLive,
  ]
    .filter((text) => typeof text === 'string')
    .join(' ');
}

const failing: readonly Step['event'][] = ['failed', 'trying again', 'nothing went live'];

/** The begin and the end of the last preparation: an earlier one was of a try that failed. */
function preparationOf(steps: readonly Step[]): [from: string, to: string] | undefined {
  const end = steps.findLastIndex(({ event }) => event === 'prepared' || event === 'preparing');
  const before = steps.slice(0, end + 1);
  const failure = before.findLastIndex(({ event }) => event === 'failed' || event === 'trying again');
  const begin = before.find(({ event }, place) => place > failure && event === 'preparing');
  const last = before.at(-1);
  return begin && last && [begin.at, last.at];
}

/** The name of a file's field in requests, such as `mediaItems[0]`. */
const fileField = /(?:platforms\[\d+\]\.)?(?:mediaItems|customMedia)\[(\d+)\]|coverUrl/g;

/** Returns a text of the service with files as people count them: `File 1` for `mediaItems[0]`. Pure. */
export const withFileNames = (text: string): string =>
  text.replace(fileField, (_, place?: string) =>
    place === undefined ? texts.files.cover : texts.files.file(Number(place) + 1),
  );

/** True if a destination failed because a file could not be converted for it. The words are always the service's own. Pure. */
export const isConversionFailure = (error: string | null): boolean =>
  /^\S+: the file cannot be converted for /.test(error ?? '');

const filesMade: readonly Step['event'][] = ['files ready', 'going live', 'published', 'finished'];

/** True once the files of a destination exist in the form in which they are sent. Pure. */
export const hasMadeFiles = (steps: Timeline | undefined, accountId: string): boolean =>
  steps?.some((step) => step.accountId === accountId && filesMade.includes(step.event)) === true;

/** The places of the files of which another form was sent, counted from 1. Pure. */
export const convertedFiles = ({ files }: Pick<Step, 'files'>): readonly number[] =>
  files.flatMap(({ renditionId }, place) => (renditionId === null ? [] : [place + 1]));

/** `31 ms after`, `4 min before`. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return texts.onTime;
  const duration = formatDuration(Math.abs(offsetMs));
  return offsetMs < 0 ? texts.before(duration) : texts.after(duration);
}
