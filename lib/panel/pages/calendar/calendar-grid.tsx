import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { join } from '../../components/classes.ts';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import { weekdayOf } from './dates.ts';
import { DayCell } from './day-cell.tsx';
import type { Entry } from './entries.ts';
import { focusOn, type Place } from './focus.ts';
import classes from './grid.module.css';
import { isSameMonth, plusDays, step } from './grid.ts';
import { wishOf } from './grid-keys.ts';

interface CalendarGridProps {
  view: 'month' | 'week';
  period: string;
  weeks: readonly (readonly string[])[];
  day: string;
  byDay: ReadonlyMap<string, readonly Entry[]>;
  isReading: boolean;
  mostShown: number;
  onGoTo: (day: string) => void;
  onOpenDay: (day: string) => void;
  onShift: (entry: Entry, by: { minutes: number } | { days: number }) => void;
}

/** The weeks of a month, or one week: a grid of days in which one thing is in the order of Tab. */
export function CalendarGrid(props: CalendarGridProps) {
  const { view, period, weeks, day, byDay, isReading, mostShown } = props;
  const grid = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const [active, setActive] = useState<Place>({ day });
  const days = weeks.flat();
  // The month changed under the focus.
  const activeDay = days.includes(active.day) ? active.day : day;

  // At the end of a month, this week would be below the first screen.
  useEffect(() => {
    grid.current
      ?.querySelector('[aria-current="date"]')
      ?.closest('[role="row"]')
      ?.scrollIntoView({ block: 'nearest' });
  }, []);

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
        return props.onGoTo(step(view, at, wish.direction));
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
        className={join(classes['grid'], classes[view])}
        onFocus={follow}
        onKeyDown={press}
      >
        <div role="row" className={join(classes['row'], classes['head'])}>
          {firstWeek.map((each) => {
            const { long, short } = weekdayOf(each);
            return (
              <div key={each} role="columnheader" className={classes['weekday']}>
                <span aria-hidden="true">{short}</span>
                <VisuallyHidden>{long}</VisuallyHidden>
              </div>
            );
          })}
        </div>
        {weeks.map((week) => (
          <div key={week[0]} role="row" className={join(classes['row'], classes['days'])}>
            {week.map((each) => (
              <DayCell
                key={each}
                day={each}
                view={view}
                entries={byDay.get(each) ?? none}
                mostShown={mostShown}
                isOther={view === 'month' && !isSameMonth(each, day)}
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
