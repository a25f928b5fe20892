import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useDrop } from 'react-aria/useDrop';
import { join } from '../../components/classes.ts';
import { Icon } from '../../components/icon.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import { Card } from './cards.tsx';
import { dragType, useTools } from './context.tsx';
import {
  composeHref,
  isSameMonth,
  nameOfDay,
  numberOf,
  partsOfDay,
  plusDays,
  step,
  weekdayOf,
} from './days.ts';
import type { Entry } from './entries.ts';
import { focusOn, type Place } from './focus.ts';
import classes from './grid.module.css';
import type { Shift } from './moving.ts';

interface MonthGridProps {
  period: string;
  weeks: readonly (readonly string[])[];
  day: string;
  byDay: ReadonlyMap<string, readonly Entry[]>;
  isReading: boolean;
  isNarrow: boolean;
  onGoTo: (day: string) => void;
  onOpenDay: (day: string) => void;
  onShift: (entry: Entry, by: Shift) => void;
}

/** The weeks of a month, which share the height of the window: a grid of days in which one thing is in the order of Tab. */
export function MonthGrid(props: MonthGridProps) {
  const { period, weeks, day, byDay, isReading, isNarrow } = props;
  const grid = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const [active, setActive] = useState<Place>({ day });
  const days = weeks.flat();
  // The month changed under the focus.
  const activeDay = days.includes(active.day) ? active.day : day;

  const room = useRoom(grid, weeks.length);
  const find = (key: string | undefined) => [...byDay.values()].flat().find((entry) => entry.key === key);

  const follow = ({ target }: FocusEvent<HTMLElement>) => {
    const shown = target.closest<HTMLElement>('[data-day]')?.dataset['day'];
    if (shown === undefined) return;
    const key = target.closest('li')?.querySelector<HTMLElement>('[data-entry]')?.dataset['entry'];
    setActive({ day: shown, key });
  };

  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>('[data-day]');
    const at = cell?.dataset['day'];
    if (!cell || at === undefined) return;
    const isItem = target.matches('[data-item]');
    const entry = find(target.dataset['entry']);
    const place = target.matches('[data-date]') ? 'day' : isItem ? 'item' : 'other';
    const wish = wishOf(event, place, entry !== undefined);
    if (wish === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const goTo = (next: string) =>
      days.includes(next) ? focusOn(grid.current, { day: next }) : props.onGoTo(next);
    const items = [...cell.querySelectorAll<HTMLElement>('[data-item]')];
    switch (wish.kind) {
      case 'day':
        return goTo(plusDays(at, wish.days));
      case 'weekEdge': {
        const week = weeks.find((each) => each.includes(at)) ?? [];
        return goTo((wish.edge === 'first' ? week[0] : week.at(-1)) ?? at);
      }
      case 'page':
        return props.onGoTo(step('month', at, wish.direction));
      case 'enter':
        return items.some((item) => item.dataset['entry'] !== undefined)
          ? items.find((item) => item.dataset['entry'] !== undefined)?.focus()
          : props.onOpenDay(at);
      case 'leave':
        return cell.querySelector<HTMLElement>('[data-date]')?.focus();
      case 'item': {
        const place = items.indexOf(target);
        const next = wish.step === 'first' ? 0 : wish.step === 'last' ? items.length - 1 : place + wish.step;
        return items[next]?.focus();
      }
      case 'shift':
        if (entry) props.onShift(entry, 'days' in wish ? { days: wish.days } : { minutes: wish.minutes });
    }
  };

  const [firstWeek = []] = weeks;
  return (
    <>
      <VisuallyHidden>
        <span id={helpId}>{words.calendarPage.grid.help}</span>
      </VisuallyHidden>
      <div
        ref={grid}
        role="grid"
        aria-label={words.calendarPage.grid.label(period)}
        aria-describedby={helpId}
        aria-busy={isReading}
        className={classes.grid}
        onFocus={follow}
        onKeyDown={press}
      >
        <div role="row" className={join(classes.row, classes.head)}>
          {firstWeek.map((each) => {
            const { long, short } = weekdayOf(each);
            return (
              <div key={each} role="columnheader" className={classes.weekday}>
                <span aria-hidden="true">{short}</span>
                <VisuallyHidden>{long}</VisuallyHidden>
              </div>
            );
          })}
        </div>
        {weeks.map((week) => (
          <div key={week[0]} role="row" className={join(classes.row, classes.days)}>
            {week.map((each) => (
              <DayCell
                key={each}
                day={each}
                entries={byDay.get(each) ?? none}
                room={room}
                isNarrow={isNarrow}
                isOther={!isSameMonth(each, day)}
                isActive={each === activeDay}
                activeKey={each === activeDay ? active.key : undefined}
                onOpenDay={props.onOpenDay}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

const none: readonly Entry[] = [];

const linePx = 16;
/** The edges and the padding of a card, and the gap below it. */
const aroundCardPx = 9;
/** The line with the date, and the padding of the day. */
const aroundCardsPx = 36;
const mostLines = 6;
/** The height of the weekdays above. */
const headPx = 26;

/** Returns the height that the cards of a day have, in pixels, before anything is painted. */
function useRoom(grid: RefObject<HTMLElement | null>, weeks: number): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [grid]);
  return Math.max(0, (height - headPx) / weeks - aroundCardsPx);
}

interface DayCellProps {
  day: string;
  entries: readonly Entry[];
  /** The height for cards, in pixels. */
  room: number;
  isNarrow: boolean;
  isOther: boolean;
  isActive: boolean;
  activeKey: string | undefined;
  onOpenDay: (day: string) => void;
}

/** A day with its posts. What is dropped on it moves to it. */
function DayCell(props: DayCellProps) {
  const { day, entries, room, isNarrow, isOther, isActive, activeKey, onOpenDay } = props;
  const { timezone, now, today, onDrop } = useTools();
  const date = useRef<HTMLButtonElement>(null);
  const { dropProps, isDropTarget } = useDrop({
    // Who drags with the keyboard goes from date to date.
    ref: date,
    hasDropButton: true,
    getDropOperation: (types) => (types.has(dragType) ? 'move' : 'cancel'),
    onDrop: () => onDrop(day),
  });
  /** The fewest lines of a card. */
  const leastLines = isNarrow ? 3 : 2;
  const mostShown = Math.max(1, Math.floor(room / (leastLines * linePx + aroundCardPx)));
  const shown = entries.slice(0, mostShown);
  const each = Math.floor((room / shown.length - aroundCardPx) / linePx);
  const lines = Math.min(mostLines, Math.max(leastLines, each));
  const hidden = entries.length - shown.length;
  const name = nameOfDay(day);
  const newPost = composeHref(day, timezone, now);
  const isCardActive = isActive && shown.some(({ key }) => key === activeKey);
  const isToday = day === today;
  const { before, after } = words.calendarPage.grid.day(partsOfDay(day), entries.length, isToday);
  return (
    <div
      {...dropProps}
      role="gridcell"
      data-day={day}
      className={join(
        classes.cell,
        isOther && classes.other,
        day < today && classes.past,
        isToday && classes.today,
        isDropTarget && classes.target,
      )}
    >
      <div className={classes.bar}>
        <button
          ref={date}
          type="button"
          data-date
          tabIndex={isActive && !isCardActive ? 0 : -1}
          aria-current={isToday ? 'date' : undefined}
          className={classes.date}
          onClick={() => onOpenDay(day)}
        >
          <VisuallyHidden>{before}</VisuallyHidden>
          {numberOf(day)}
          <VisuallyHidden>{after}</VisuallyHidden>
        </button>
        {hidden > 0 && (
          <button
            type="button"
            tabIndex={-1}
            data-item
            className={classes.more}
            onClick={() => onOpenDay(day)}
          >
            {words.calendarPage[isNarrow ? 'card' : 'grid'].more(hidden)}{' '}
            <VisuallyHidden>{words.calendarPage.grid.moreOn(name)}</VisuallyHidden>
          </button>
        )}
        {newPost !== undefined && (
          <a
            href={newPost}
            tabIndex={-1}
            draggable={false}
            className={classes.new}
            aria-label={words.calendarPage.grid.newPostOn(name)}
          >
            <Icon name="plus" size={14} />
          </a>
        )}
      </div>
      {shown.length > 0 && (
        <ul className={classes.cards} style={{ '--lines': lines - leastLines + 1 } as CSSProperties}>
          {shown.map((entry) => (
            <Card
              key={entry.key}
              entry={entry}
              size="small"
              isActive={isCardActive && entry.key === activeKey}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** A wish that a key expresses in the grid. */
export type Wish =
  | { readonly kind: 'day'; readonly days: number }
  | { readonly kind: 'weekEdge'; readonly edge: 'first' | 'last' }
  | { readonly kind: 'page'; readonly direction: 1 | -1 }
  | { readonly kind: 'enter' | 'leave' }
  | { readonly kind: 'item'; readonly step: 1 | -1 | 'first' | 'last' }
  | { readonly kind: 'shift'; readonly minutes: number }
  | { readonly kind: 'shift'; readonly days: number };

const quarter = 15;

/** Alt with arrows moves a post: up and down by a quarter of an hour, sideways by a day. */
const shifts: Readonly<Record<string, Wish>> = {
  ArrowUp: { kind: 'shift', minutes: -quarter },
  ArrowDown: { kind: 'shift', minutes: quarter },
  ArrowLeft: { kind: 'shift', days: -1 },
  ArrowRight: { kind: 'shift', days: 1 },
};

const onDay: Readonly<Record<string, Wish>> = {
  ArrowLeft: { kind: 'day', days: -1 },
  ArrowRight: { kind: 'day', days: 1 },
  ArrowUp: { kind: 'day', days: -7 },
  ArrowDown: { kind: 'day', days: 7 },
  Home: { kind: 'weekEdge', edge: 'first' },
  End: { kind: 'weekEdge', edge: 'last' },
  PageUp: { kind: 'page', direction: -1 },
  PageDown: { kind: 'page', direction: 1 },
  Enter: { kind: 'enter' },
  F2: { kind: 'enter' },
};

const onItem: Readonly<Record<string, Wish>> = {
  ArrowUp: { kind: 'item', step: -1 },
  ArrowDown: { kind: 'item', step: 1 },
  Home: { kind: 'item', step: 'first' },
  End: { kind: 'item', step: 'last' },
  ArrowLeft: { kind: 'day', days: -1 },
  ArrowRight: { kind: 'day', days: 1 },
  PageUp: { kind: 'page', direction: -1 },
  PageDown: { kind: 'page', direction: 1 },
  Escape: { kind: 'leave' },
  F2: { kind: 'leave' },
};

type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/**
 * @param place whether the focus is on a day, on something in it, or on a button in that
 * @param isPost whether what has the focus is a post
 */
export function wishOf(
  { key, altKey, ctrlKey, metaKey, shiftKey }: Key,
  place: 'day' | 'item' | 'other',
  isPost: boolean,
): Wish | undefined {
  if (ctrlKey || metaKey || shiftKey) return undefined;
  if (altKey) return isPost ? shifts[key] : undefined;
  if (place === 'other') return key === 'Escape' ? { kind: 'leave' } : undefined;
  return (place === 'day' ? onDay : onItem)[key];
}
