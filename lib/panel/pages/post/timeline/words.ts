import { formatDuration } from '../../../duration.ts';
import { words } from '../../../words/words.ts';
import type { Lane, StepEvent } from './lanes.ts';

const texts = words.postPage.timeline;

/** `31 ms after`, `4 min before`. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return texts.onTime;
  const duration = formatDuration(Math.abs(offsetMs));
  return offsetMs < 0 ? texts.before(duration) : texts.after(duration);
}

/** The label of a tick: `−1 min`, `+1 s`. */
export const tickText = (offsetMs: number): string =>
  offsetMs === 0 ? texts.planned : `${offsetMs < 0 ? '−' : '+'}${formatDuration(Math.abs(offsetMs))}`;

export const eventText = (event: StepEvent): string => texts.events[event];

/** What a lane shows, in words. */
export function laneText({ preparation, target, call, marks }: Lane): string {
  const { lateMs, afterRequestMs } = target.timing;
  const failures = marks.filter(({ kind }) => kind === 'bad' || kind === 'again').length;
  return [
    preparation && texts.preparedFrom(offsetText(preparation.fromMs), offsetText(preparation.toMs)),
    lateMs !== null && texts.called(lateMs === 0 ? texts.onTime : texts.late(formatDuration(lateMs))),
    afterRequestMs !== null && texts.called(texts.afterRequest(formatDuration(afterRequestMs))),
    call && texts.liveAfter(formatDuration(call.toMs - call.fromMs)),
    failures > 0 && texts.failures(failures),
    lateMs === null && afterRequestMs === null && texts.notLive,
  ]
    .filter((text) => typeof text === 'string')
    .join(' ');
}
