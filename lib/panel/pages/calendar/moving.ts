import { type RefObject, useRef } from 'react';
import {
  afterDays,
  afterMinutes,
  atInstant,
  atWallClock,
  type Destination,
  onDay,
} from '../../posts/move.ts';
import type { Movable, Moves } from '../../posts/moves.tsx';
import type { ListedPost } from '../../posts/post.ts';
import { dayIn } from '../../time.ts';
import type { Dragged } from './context.tsx';
import { offeredTime, type Range } from './days.ts';
import { type Entry, keyOf, moveOf } from './entries.ts';
import type { CalendarFocus } from './focus.ts';

/** Steps with the keyboard that follow each other this quickly are one move. */
const settleMs = 700;
const usualTime = '09:00';

/** A step of the keyboard. */
export type Shift = { readonly minutes: number } | { readonly days: number };

interface MovingOptions {
  readonly moves: Moves;
  /** The posts that are shown, the newest of each. */
  readonly posts: readonly ListedPost[];
  readonly range: Range;
  readonly timezone: string;
  readonly want: CalendarFocus['want'];
  readonly onGoTo: (day: string) => void;
}

interface Moving {
  readonly move: (movable: Movable, to: Destination, settleMs?: number) => void;
  /** Moves a post by the keyboard. */
  readonly shift: (entry: Entry, by: Shift) => void;
  readonly draggedRef: RefObject<Dragged | undefined>;
  /** Moves what is dragged to a day, or to a time of it. */
  readonly drop: (day: string, at?: Date) => void;
}

/** Moves posts, and the focus with them. */
export function useMoving({ moves, posts, range, timezone, want, onGoTo }: MovingOptions): Moving {
  const draggedRef = useRef<Dragged>(undefined);
  const move = (movable: Movable, to: Destination, settle?: number) => {
    // It may have been published since somebody took it.
    const post = posts.find(({ id }) => id === movable.post.id) ?? movable.post;
    const at = moves.go({ ...movable, post }, to, settle);
    if (at === undefined) return;
    const next = dayIn(new Date(at), timezone);
    const isShown = range.days.includes(next);
    want({ day: next, key: keyOf(post.id, at), ...(!isShown && { urlDay: next }) });
    // What is moved with the keyboard stays in sight.
    if (!isShown && settle !== undefined) onGoTo(next);
  };
  const drop = (day: string, at?: Date) => {
    const movable = draggedRef.current;
    draggedRef.current = undefined;
    if (movable === undefined) return;
    const now = Date.now();
    const time = offeredTime(day, timezone, now)?.time ?? usualTime;
    const to =
      at !== undefined
        ? atInstant(at, movable.at, now)
        : movable.at === null
          ? atWallClock({ date: day, time }, null, timezone, now)
          : onDay(movable.at, day, timezone, now);
    move(movable, to);
  };
  return {
    move,
    shift: (entry, by) => {
      const { at } = entry;
      const to =
        'days' in by
          ? afterDays(at, by.days, timezone, Date.now())
          : afterMinutes(at, by.minutes, Date.now());
      move(moveOf(entry), to, settleMs);
    },
    draggedRef,
    drop,
  };
}
