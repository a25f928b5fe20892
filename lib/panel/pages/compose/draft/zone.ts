import type { Draft, PlannedTime } from './draft.ts';
import { plannedAt } from './from-post.ts';
import { instantText } from './to-request.ts';

/** A draft whose times are shown in another zone: they stay the same instants. */
export function inZone(draft: Draft, timezone: string): Draft {
  if (draft.timezone === timezone) return draft;
  const moved = (time: PlannedTime | undefined) => {
    const at = instantText(time, draft.timezone);
    return at === undefined ? time : plannedAt(at, timezone);
  };
  const { when } = draft;
  return {
    ...draft,
    timezone,
    when: when.kind === 'at' && when.time !== undefined ? { kind: 'at', time: moved(when.time) } : when,
    destinations: draft.destinations.map(({ time, ...each }) => {
      const own = moved(time);
      return own === undefined ? each : { ...each, time: own };
    }),
  };
}
