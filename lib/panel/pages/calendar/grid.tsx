import { type CSSProperties, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { useDrop } from 'react-aria/useDrop';
import { join } from '../../components/classes.ts';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import { Card } from './cards.tsx';
import { dragType, useTools } from './context.tsx';
import { isSameMonth, nameOfDay, numberOf, plusDays, weekdayOf } from './days.ts';
import type { Entry } from './entries.ts';
import classes from './grid.module.css';
import { DateButton, NewPostLink, useGridKeys } from './grid-parts.tsx';
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
  const { active, goTo, gridProps } = useGridKeys({
    ...props,
    grid,
    view: 'month',
    onEnter: props.onOpenDay,
    onDown: (at) => goTo(plusDays(at, 7)),
  });
  const room = useRoom(grid, weeks.length);

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
        {...gridProps}
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
                isActive={each === active.day}
                activeKey={each === active.day ? active.key : undefined}
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
  const { today, onDrop } = useTools();
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
  const isCardActive = isActive && shown.some(({ key }) => key === activeKey);
  const isToday = day === today;
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
        <DateButton
          ref={date}
          day={day}
          posts={entries.length}
          isInTabOrder={isActive && !isCardActive}
          className={classes.date}
          onOpenDay={onOpenDay}
        >
          {numberOf(day)}
        </DateButton>
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
        <NewPostLink day={day} className={classes.new} />
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
