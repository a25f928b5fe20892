import { useRef } from 'react';
import { useDrop } from 'react-aria/useDrop';
import { join } from '../../components/classes.ts';
import { Icon } from '../../components/icon.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import { Card } from './card.tsx';
import { dragType, useTools } from './context.tsx';
import { nameOfDay, numberOf, partsOfDay } from './dates.ts';
import type { Entry } from './entries.ts';
import classes from './grid.module.css';
import { composeHref } from './new-post.ts';

interface DayCellProps {
  day: string;
  view: 'month' | 'week';
  entries: readonly Entry[];
  mostShown: number;
  isOther: boolean;
  isActive: boolean;
  activeKey: string | undefined;
  onOpenDay: (day: string) => void;
}

/** A day with its posts. What is dropped on it moves to it. */
export function DayCell(props: DayCellProps) {
  const { day, view, entries, mostShown, isOther, isActive, activeKey, onOpenDay } = props;
  const { timezone, now, today, onDrop } = useTools();
  const date = useRef<HTMLButtonElement>(null);
  const { dropProps, isDropTarget } = useDrop({
    // Who drags with the keyboard goes from date to date.
    ref: date,
    hasDropButton: true,
    getDropOperation: (types) => (types.has(dragType) ? 'move' : 'cancel'),
    onDrop: () => onDrop(day),
  });
  const shown = entries.length > mostShown ? entries.slice(0, mostShown) : entries;
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
        classes['cell'],
        isOther && classes['other'],
        day < today && classes['past'],
        isToday && classes['today'],
        isDropTarget && classes['target'],
      )}
    >
      <div className={classes['bar']}>
        <button
          ref={date}
          type="button"
          data-date
          tabIndex={isActive && !isCardActive ? 0 : -1}
          aria-current={isToday ? 'date' : undefined}
          className={classes['date']}
          onClick={() => onOpenDay(day)}
        >
          <VisuallyHidden>{before}</VisuallyHidden>
          {numberOf(day)}
          <VisuallyHidden>{after}</VisuallyHidden>
        </button>
        {newPost !== undefined && (
          <a
            href={newPost}
            tabIndex={-1}
            draggable={false}
            className={classes['new']}
            aria-label={words.calendarPage.grid.newPostOn(name)}
          >
            <Icon name="plus" size={14} />
          </a>
        )}
      </div>
      {shown.length > 0 && (
        <ul className={classes['cards']}>
          {shown.map((entry) => (
            <Card
              key={entry.key}
              entry={entry}
              size={view === 'month' ? 'small' : 'large'}
              isActive={isCardActive && entry.key === activeKey}
            />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <button
          type="button"
          tabIndex={-1}
          data-item
          className={classes['more']}
          onClick={() => onOpenDay(day)}
        >
          {words.calendarPage.grid.more(hidden)}{' '}
          <VisuallyHidden>{words.calendarPage.grid.moreOn(name)}</VisuallyHidden>
        </button>
      )}
    </div>
  );
}
