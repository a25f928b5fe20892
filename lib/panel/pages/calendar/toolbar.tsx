import { lazy, Suspense, useEffect, useState } from 'react';
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
  /** True once there is something to filter: then their code is loaded. */
  hasFilters: boolean;
}

/** Its fields are many times the code of a month. */
const CalendarFilters = lazy(async () => ({ default: (await import('./filters.tsx')).CalendarFilters }));

const filterPlace = <div className={classes.filterPlace} />;

const texts = words.calendarPage.navigation;

/** Says which days are shown, and leads to others. */
export function CalendarToolbar({ view: calendar, period, accounts, hasFilters }: CalendarToolbarProps) {
  const { view, day, go } = calendar;
  // After the posts are painted.
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!hasFilters) return;
    const timer = setTimeout(() => setSettled(true));
    return () => clearTimeout(timer);
  }, [hasFilters]);
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
        {isSettled ? <CalendarFilters view={calendar} accounts={accounts} opened={opened} /> : filterPlace}
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
