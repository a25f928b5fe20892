import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { useDrop } from 'react-aria/useDrop';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted } from '../../components/layout.tsx';
import { toast } from '../../components/toast-list.ts';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { formatTime, zoneName } from '../../time.ts';
import { useMedia } from '../../use-media.ts';
import { wallClockOf } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { EntryList } from './agenda.tsx';
import { type Axis, axisOf, gapsOf, instantAt, placeBesideOthers, type Rest, rowAt } from './axis.ts';
import { Card } from './cards.tsx';
import { dragType, useTools } from './context.tsx';
import { nameOfDay, numberOf, plusDays, weekdayOf } from './days.ts';
import type { Entry } from './entries.ts';
import { DateButton, NewPostLink, useGridKeys } from './grid-parts.tsx';
import classes from './hours.module.css';
import type { Shift } from './moving.ts';
import { type AccountSlots, useSlots } from './slots.ts';

interface HourGridProps {
  view: 'week' | 'day';
  period: string;
  days: readonly string[];
  day: string;
  byDay: ReadonlyMap<string, readonly Entry[]>;
  isReading: boolean;
  /** The account that the filters name. */
  account: string | undefined;
  onGoTo: (day: string) => void;
  onOpenDay: (day: string) => void;
  onShift: (entry: Entry, by: Shift) => void;
}

/** An empty place in a column: a row of the axis. */
interface Cursor {
  readonly day: string;
  readonly row: number;
}

const texts = words.calendarHours;
const rowsOfCard = 4;
const rowsOfSlot = 2;
const rowsInHour = 4;
/** The row of 09:00, which is a later one if an hour comes twice. */
const usualRowOf = ({ rows }: Axis) => rows.findIndex(({ time }) => time === '09:00');
const nameOfRow = ({ rows }: Axis, row: number) =>
  `${rows[row]?.time ?? ''}${rows[row]?.isSecond ? ` ${texts.again}` : ''}`;
const none: readonly Entry[] = [];

/** A week or a day with hours: columns in which each post is at its time. */
export function HourGrid(props: HourGridProps) {
  const { view, period, days, byDay, isReading, account } = props;
  const { timezone, now, today } = useTools();
  const navigate = useNavigate();
  const grid = useRef<HTMLDivElement>(null);
  const hours = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Cursor>();
  const [listed, setListed] = useState<readonly string[]>();
  const axis = axisOf(days, timezone);
  const slots = useSlots(account);

  // Before anything is painted, so that it opens where the day is.
  const first = days.includes(today)
    ? Math.max(0, rowAt(axis, today, now) - rowsInHour)
    : usualRowOf(axis) - rowsInHour;
  // A little above the hour, so that its name is in sight.
  const begin = useRef(Math.max(0, Math.floor(first / rowsInHour) * rowsInHour - 1) / axis.rows.length);
  useLayoutEffect(() => {
    if (grid.current && hours.current) grid.current.scrollTop = hours.current.clientHeight * begin.current;
  }, []);

  const write = (instant: number | undefined) => {
    if (instant === undefined) return;
    const when = new Date(instant);
    if (instant < Date.now())
      return toast({
        text: words.moving.past(`${formatTime(when, timezone, 'full')} ${zoneName(when, timezone)}`),
        tone: 'bad',
      });
    const { date, time, isSecond } = wallClockOf(when, timezone);
    const search = new URLSearchParams({
      // The offset tells apart two times that the clocks show alike.
      at: isSecond ? withOffset(when, timezone) : `${date}T${time}`,
      ...(account !== undefined && { account }),
    });
    void navigate({ href: `/compose?${search}` });
  };

  const beginCursor = (at: string) => {
    const present = at === today ? Math.ceil(rowAt(axis, today, now) / 2) * 2 : usualRowOf(axis);
    setCursor({ day: at, row: Math.min(axis.rows.length - 1, present) });
  };

  const { active, goTo, gridProps } = useGridKeys({
    ...props,
    grid,
    weeks: [days],
    onEnter: beginCursor,
    // Below the date are the hours.
    onDown: beginCursor,
  });

  /** @returns true if the key meant something */
  const pressInSlot = (event: KeyboardEvent, { day: at, row }: Cursor): boolean => {
    const by =
      event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ? undefined : steps[event.key];
    if (event.key === 'Enter') write(instantAt(axis, at, row));
    else if (event.key === 'Escape') goTo(at);
    else if (by === undefined) return false;
    else if ('days' in by) {
      const next = plusDays(at, by.days);
      if (days.includes(next)) setCursor({ day: next, row });
      else props.onGoTo(next);
    } else if (row + by.rows < 0) goTo(at);
    else setCursor({ day: at, row: Math.min(axis.rows.length - 1, row + by.rows) });
    return true;
  };

  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target as HTMLElement).matches('[data-cursor]')) return gridProps.onKeyDown(event);
    if (event.defaultPrevented || !cursor || !pressInSlot(event, cursor)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const inList = days.flatMap((each) => byDay.get(each) ?? none).filter(({ key }) => listed?.includes(key));
  return (
    <>
      {account !== undefined && <SlotsNote slots={slots} />}
      <VisuallyHidden>
        <span id="hours-help">{texts.help}</span>
      </VisuallyHidden>
      <div
        ref={grid}
        role="grid"
        aria-label={words.calendarPage.grid.label(period)}
        aria-describedby="hours-help"
        aria-busy={isReading}
        className={join(classes.grid, classes[view])}
        style={{ '--columns': days.length, '--rows': axis.rows.length } as object}
        onFocus={gridProps.onFocus}
        onKeyDown={press}
      >
        <div role="row" className={classes.row}>
          <div aria-hidden="true">
            <div className={classes.corner} />
            <div ref={hours} className={classes.names}>
              {axis.rows.map(({ time, isSecond }, row) =>
                row % rowsInHour === 0 && row > 0 ? (
                  <span key={`${time} ${isSecond}`} style={{ '--row': row } as object}>
                    {time}
                    {isSecond && <small>{texts.again}</small>}
                  </span>
                ) : null,
              )}
            </div>
          </div>
          {days.map((each) => (
            <DayColumn
              key={each}
              day={each}
              view={view}
              axis={axis}
              entries={byDay.get(each) ?? none}
              isActive={each === active.day}
              activeKey={each === active.day ? active.key : undefined}
              cursor={cursor?.day === each ? cursor.row : undefined}
              slots={slots}
              onLeaveCursor={(row) =>
                setCursor((at) => (at?.day === each && at.row === row ? undefined : at))
              }
              onWrite={write}
              onOpenDay={props.onOpenDay}
              onList={({ things }) => setListed(things.map(({ key }) => key))}
            />
          ))}
        </div>
      </div>
      <Dialog
        title={texts.posts(inList.length)}
        isOpen={listed !== undefined && inList.length > 0}
        onClose={() => setListed(undefined)}
      >
        <DialogBody>
          <EntryList entries={inList} />
        </DialogBody>
        <DialogActions>
          <Button onPress={() => setListed(undefined)}>{words.shared.actions.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** `2026-10-25T02:30+01:00` */
const withOffset = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toString({ timeZone, smallestUnit: 'minute' });

/** The steps of the empty place that has the focus. */
const steps: Readonly<Record<string, { readonly days: number } | { readonly rows: number }>> = {
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  PageUp: { rows: -2 * rowsInHour },
  PageDown: { rows: 2 * rowsInHour },
};

/** The limits of the account's rhythm, or that they cannot be read. */
function SlotsNote({ slots }: { slots: AccountSlots }) {
  const { rhythm, isError } = slots;
  if (isError) return <Muted>{texts.slots.failed}</Muted>;
  return (
    <Muted>
      {rhythm === undefined
        ? texts.slots.reading
        : texts.slots.limits(rhythm.dailyCap, rhythm.dayWindow.from, rhythm.dayWindow.to, rhythm.timezone)}
    </Muted>
  );
}

interface DayColumnProps {
  day: string;
  view: 'week' | 'day';
  axis: Axis;
  entries: readonly Entry[];
  isActive: boolean;
  activeKey: string | undefined;
  /** The row of the empty place that has the focus. */
  cursor: number | undefined;
  slots: AccountSlots;
  onLeaveCursor: (row: number) => void;
  /** @param at epoch milliseconds; absent if the clocks of the day show nothing there */
  onWrite: (at: number | undefined) => void;
  onOpenDay: (day: string) => void;
  onList: (rest: Rest<Entry>) => void;
}

/** A day with its posts at their times. What is dropped on it moves to the time there; whoever draws in it writes a post for that time. */
function DayColumn(props: DayColumnProps) {
  const { day, view, axis, entries, isActive, activeKey, cursor, slots, onWrite, onOpenDay, onList } = props;
  const { timezone, now, today, draggedRef, onDrop } = useTools();
  const date = useRef<HTMLButtonElement>(null);
  const track = useRef<HTMLDivElement>(null);
  /** The row over which something is dragged. The keyboard has none. */
  const over = useRef<number>(undefined);
  const [ghost, setGhost] = useState<number>();
  const [drawn, setDrawn] = useState<{ readonly from: number; readonly to: number }>();
  const rows = axis.rows.length;
  const rowOf = (clientY: number, isRounded = false) => {
    const box = track.current?.getBoundingClientRect();
    if (!box) return 0;
    const row = ((clientY - box.top) / box.height) * rows;
    return Math.min(rows - 1, Math.max(0, isRounded ? Math.round(row) : Math.floor(row)));
  };
  const { dropProps, isDropTarget } = useDrop({
    ref: date,
    hasDropButton: true,
    getDropOperation: (types) => (types.has(dragType) ? 'move' : 'cancel'),
    onDropExit: () => {
      over.current = undefined;
      setGhost(undefined);
    },
    onDrop: () => {
      const at = over.current === undefined ? undefined : instantAt(axis, day, over.current);
      onDrop(day, at === undefined ? undefined : new Date(at));
    },
  });
  const drag = (clientY: number) => {
    over.current = rowOf(clientY - (draggedRef.current?.grip ?? 0), true);
    setGhost(over.current);
  };

  const draw = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // A finger scrolls; its tap is a click.
      if (event.button !== 0 || event.pointerType === 'touch' || event.target !== event.currentTarget) return;
      const from = rowOf(event.clientY);
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrawn({ from, to: from });
    },
    onPointerMove: ({ clientY }: PointerEvent<HTMLElement>) => {
      if (drawn) setDrawn({ from: drawn.from, to: rowOf(clientY) });
    },
    onPointerUp: () => {
      if (!drawn) return;
      setDrawn(undefined);
      onWrite(instantAt(axis, day, Math.min(drawn.from, drawn.to)));
    },
    onPointerCancel: () => setDrawn(undefined),
  };

  const mostWide = useMedia('(width < 62rem)') ? 1 : 2;
  const last = rows - rowsOfCard;
  const { placed, rest } = placeBesideOthers(
    entries.map((thing) => ({ thing, row: Math.min(last, rowAt(axis, day, Date.parse(thing.at))) })),
    rowsOfCard,
    view === 'week' ? 2 : 4,
  );
  const isToday = day === today;
  const name = nameOfDay(day);
  const isShown = placed.some(({ thing }) => thing.key === activeKey);
  const free = slots.freeOn(day);
  // A card is an hour high, whatever else may be free in that hour: then it leaves some space at its side.
  const hasCardAt = (at: number) => {
    const row = rowAt(axis, day, at);
    return placed.some((card) => card.row < row + rowsOfSlot && row < card.row + rowsOfCard);
  };
  const present = isToday ? rowAt(axis, day, now) : day < today ? rows : 0;
  const sketch = drawn
    ? { row: Math.min(drawn.from, drawn.to), length: Math.max(2, Math.abs(drawn.to - drawn.from) + 1) }
    : ghost === undefined
      ? undefined
      : { row: ghost, length: rowsOfCard };
  return (
    <div role="gridcell" data-day={day} className={join(classes.column, isToday && classes.today)}>
      <div className={classes.head}>
        <DateButton
          ref={date}
          day={day}
          posts={entries.length}
          isInTabOrder={isActive && !isShown}
          className={classes.date}
          onOpenDay={onOpenDay}
        >
          <span aria-hidden="true" className={classes.weekday}>
            {weekdayOf(day).short}
          </span>
          <span className={classes.number}>{numberOf(day)}</span>
        </DateButton>
        {slots.rhythm !== undefined && day >= today && (
          <span className={classes.count}>
            <VisuallyHidden>{texts.slots.planned(entries.length)} </VisuallyHidden>
            {texts.slots.number(free.length)}
          </span>
        )}
        <NewPostLink day={day} className={classes.new} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what a pointer does here, the keyboard does in the grid */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div
        {...dropProps}
        {...draw}
        ref={track}
        className={join(
          classes.track,
          isDropTarget && classes.target,
          free.some(hasCardAt) && classes.leavesSpace,
        )}
        onDragOver={(event) => {
          dropProps.onDragOver?.(event);
          drag(event.clientY);
        }}
        onClick={(event) => {
          const { pointerType } = event.nativeEvent as globalThis.PointerEvent;
          if (pointerType === 'touch' && event.target === event.currentTarget)
            onWrite(instantAt(axis, day, rowOf(event.clientY)));
        }}
      >
        {present > 0 && <span className={classes.past} style={{ '--length': present } as object} />}
        {gapsOf(axis, day).map(({ from, to }) => (
          <span key={from} className={classes.gap} style={{ '--row': from, '--length': to - from } as object}>
            {axis.rows[from]?.isSecond !== true && texts.skipped}
          </span>
        ))}
        {slots.closedOn(axis, day).map(({ from, to }) => (
          <span
            key={`closed ${from}`}
            className={classes.closed}
            style={{ '--row': from, '--length': to - from } as object}
          />
        ))}
        {free.map((at) => {
          const name = texts.slots.free(formatTime(new Date(at), timezone, 'time'));
          const hasCard = hasCardAt(at);
          return (
            <button
              key={at}
              type="button"
              tabIndex={-1}
              className={join(classes.slot, hasCard && classes.beside)}
              style={{ '--row': rowAt(axis, day, at) } as object}
              title={hasCard ? name : undefined}
              aria-label={name}
              onClick={() => onWrite(at)}
            >
              {hasCard ? <Icon name="plus" size={12} /> : name}
            </button>
          );
        })}
        {isToday && <span className={classes.now} style={{ '--row': present } as object} />}
        {placed.length > 0 && (
          <ul className={classes.cards}>
            {placed.map(({ thing, row, column, columns }) => (
              <Card
                key={thing.key}
                entry={thing}
                size={view === 'week' || columns > mostWide ? 'hour' : 'wide'}
                isActive={isActive && thing.key === activeKey}
                style={{ '--row': row, '--place': column, '--of': columns }}
              />
            ))}
          </ul>
        )}
        {rest.map((each) => (
          <button
            key={each.things[0]?.key}
            type="button"
            tabIndex={-1}
            data-item
            className={classes.more}
            style={{ '--row': each.row, '--place': each.columns - 1, '--of': each.columns } as object}
            onClick={() => onList(each)}
          >
            {texts.more(each.things.length)}
            <VisuallyHidden> {words.calendarPage.grid.moreOn(name)}</VisuallyHidden>
          </button>
        ))}
        {cursor !== undefined && (
          <button
            key={`cursor ${cursor}`}
            type="button"
            data-cursor
            // biome-ignore lint/a11y/noAutofocus: it is where the person has gone with an arrow key
            autoFocus
            className={classes.cursor}
            style={{ '--row': cursor } as object}
            aria-label={texts.newPostAt(nameOfRow(axis, cursor), name)}
            onBlur={() => props.onLeaveCursor(cursor)}
            onClick={() => onWrite(instantAt(axis, day, cursor))}
          >
            {nameOfRow(axis, cursor)}
          </button>
        )}
        {sketch && (
          <span
            className={classes.sketch}
            style={{ '--row': sketch.row, '--length': sketch.length } as object}
          >
            {nameOfRow(axis, sketch.row)}
          </span>
        )}
      </div>
    </div>
  );
}
