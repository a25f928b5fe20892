import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { words } from '../../words/words.ts';
import { CalendarFilters } from './calendar-filters.tsx';
import { step } from './grid.ts';
import classes from './toolbar.module.css';
import type { CalendarView } from './use-calendar-view.ts';

interface CalendarToolbarProps {
  view: CalendarView;
  period: string;
  accounts: ReadonlyMap<string, Account> | undefined;
}

const texts = words.calendarPage.navigation;

/** Says which days are shown, and leads to others. */
export function CalendarToolbar({ view: calendar, period, accounts }: CalendarToolbarProps) {
  const { view, day, go } = calendar;
  return (
    <div className={classes['toolbar']}>
      <div className={classes['pages']}>
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
        <h2 className={classes['period']} aria-live="polite">
          {period}
        </h2>
      </div>
      <CalendarFilters view={calendar} accounts={accounts} />
    </div>
  );
}
