import { lazy, startTransition, Suspense, useEffect, useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { words } from '../../words/words.ts';
import classes from './calendar.module.css';
import { step, type View, views } from './days.ts';
import type { CalendarView } from './view.ts';

const CalendarFilters = lazy(async () => ({ default: (await import('./filters.tsx')).CalendarFilters }));

interface CalendarToolbarProps {
  view: CalendarView;
  isReading: boolean;
  period: string;
  accounts: ReadonlyMap<string, Account> | undefined;
}

const texts = words.calendarPage.navigation;

/** Says which days are shown, and leads to others. */
export function CalendarToolbar({ view: calendar, isReading, period, accounts }: CalendarToolbarProps) {
  const { view, day, go } = calendar;
  // Posts come first: the lists of the filters are an eighth of what the page loads.
  const [hasFilters, setHasFilters] = useState(false);
  useEffect(() => {
    if (!isReading) startTransition(() => setHasFilters(true));
  }, [isReading]);
  return (
    <div className={classes.toolbar}>
      <div className={classes.pages}>
        <Button onPress={() => go({ day: '' })}>{texts.today}</Button>
        <IconButton
          icon="chevronLeft"
          label={texts.previous[view]}
          onPress={() => go({ day: step(view, day, -1) })}
        />
        <IconButton
          icon="chevronRight"
          label={texts.next[view]}
          onPress={() => go({ day: step(view, day, 1) })}
        />
        <h2 className={classes.period} aria-live="polite">
          {period}
        </h2>
      </div>
      <Suspense fallback={<div className={classes.filterArea} />}>
        {hasFilters ? (
          <CalendarFilters view={calendar} accounts={accounts} />
        ) : (
          <div className={classes.filterArea} />
        )}
      </Suspense>
    </div>
  );
}

interface ViewSwitchProps {
  view: View;
  isSmall: boolean;
  onChange: (view: View) => void;
}

/** Chooses between month, week, day and agenda. */
export function ViewSwitch({ view, isSmall, onChange }: ViewSwitchProps) {
  return (
    <Segmented
      label={words.calendarPage.views.label}
      choices={views
        .filter((each) => !(isSmall && each === 'month'))
        .map((id) => ({ id, name: words.calendarPage.views[id] }))}
      value={view}
      onChange={onChange}
    />
  );
}
