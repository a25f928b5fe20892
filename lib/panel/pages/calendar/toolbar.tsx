import { lazy, Suspense, startTransition, useEffect, useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import classes from './calendar.module.css';
import { step, type View, views } from './days.ts';
import type { CalendarView } from './view.ts';

interface CalendarToolbarProps {
  view: CalendarView;
  period: string;
  accounts: ReadonlyMap<string, Account> | undefined;
  /** True until the posts of the period are read. */
  isReading: boolean;
}

const CalendarFilters = lazy(async () => ({ default: (await import('./filters.tsx')).CalendarFilters }));

const filterPlace = <div className={classes.filterPlace} />;

const texts = words.calendarPage.navigation;

/** Says which days are shown, and leads to others. */
export function CalendarToolbar({ view: calendar, period, accounts, isReading }: CalendarToolbarProps) {
  const { view, day, go } = calendar;
  // Posts come first: the lists of the filters are an eighth of what the page loads.
  const [hasFilters, setHasFilters] = useState(false);
  useEffect(() => {
    if (!isReading) startTransition(() => setHasFilters(true));
  }, [isReading]);
  /** Counts how often the key of the filters was pressed. */
  const [opened, setOpened] = useState(0);
  useCommands([
    {
      name: words.calendarPage.commands.filter,
      icon: 'filter',
      group: 'page',
      keys: '/',
      run: () => setOpened(opened + 1),
    },
  ]);
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
      <Suspense fallback={filterPlace}>
        {hasFilters ? <CalendarFilters view={calendar} accounts={accounts} opened={opened} /> : filterPlace}
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
