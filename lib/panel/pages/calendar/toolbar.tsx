import { useEffect, useRef, useState } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { platforms, platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ComboBox } from '../../components/combo-box.tsx';
import { FocusKeeper } from '../../components/focus-keeper.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { loadable, useLoaded } from '../../components/loaded.ts';
import { Segmented } from '../../components/segmented.tsx';
import { Select } from '../../components/select.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import classes from './calendar.module.css';
import { step, type View, views } from './days.ts';
import type { CalendarView } from './view.ts';

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
      <CalendarFilters view={calendar} accounts={accounts} />
    </div>
  );
}

const filterTexts = words.calendarPage.filters;
const any = 'any';

const platformChoices = [
  { id: any, name: filterTexts.anyPlatform },
  ...platforms.map((id) => ({ id, name: platformTitles[id] })),
];
const statusChoices = [
  { id: any, name: filterTexts.anyStatus },
  { id: 'attention', name: filterTexts.attention },
  ...Object.entries(words.post.conditions).map(([id, name]) => ({ id, name })),
];

const tagFilters = loadable(() => import('../../posts/tag-filter.tsx'));

interface CalendarFiltersProps {
  view: CalendarView;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** Narrows what the calendar shows. On small screens the fields wait behind a button. */
function CalendarFilters({ view: { filters, filterCount, isSmall, go }, accounts }: CalendarFiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const accountField = useRef<HTMLInputElement>(null);
  /** Counts how often the key of the filters was pressed. */
  const [pressed, setPressed] = useState(0);
  useEffect(() => {
    if (pressed > 0) accountField.current?.focus();
  }, [pressed]);
  useCommands([
    {
      name: words.calendarPage.commands.filter,
      icon: 'filter',
      group: 'page',
      keys: '/',
      run: () => {
        setIsOpen(true);
        setPressed(pressed + 1);
      },
    },
  ]);
  const tagFilter = useLoaded(tagFilters);
  const choices = choicesOf(accounts, filters.account);
  const chosen = (key: unknown) => (key === any || key === null ? '' : String(key));
  return (
    <search className={classes.filterArea} aria-label={filterTexts.label}>
      {isSmall && (
        <Button icon="filter" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {filterTexts.show(filterCount)}
        </Button>
      )}
      <div className={join(classes.filters, isSmall && !isOpen && classes.closed)}>
        <FocusKeeper>
          <ComboBox
            // Its text follows the choice, and the names once they are read.
            key={`${filters.account} ${choices.length}`}
            label={filterTexts.account}
            isLabelHidden
            choices={choices}
            defaultValue={filters.account ?? null}
            placeholder={filterTexts.anyAccount}
            inputRef={accountField}
            onChange={(key) => go({ account: chosen(key) })}
          />
          <Select
            label={filterTexts.platform}
            isLabelHidden
            choices={platformChoices}
            value={filters.platform ?? any}
            onChange={(key) => go({ platform: chosen(key) })}
          />
          <Select
            label={filterTexts.status}
            isLabelHidden
            choices={statusChoices}
            value={filters.status ?? any}
            onChange={(key) => go({ status: chosen(key) })}
          />
          {tagFilter && <tagFilter.TagFilter value={filters.tag} onChange={(tag) => go({ tag })} />}
          {filterCount > 0 && (
            <Button
              variant="quiet"
              icon="cross"
              onPress={() => go({ account: '', platform: '', status: '', tag: '' })}
            >
              {filterTexts.clear}
            </Button>
          )}
        </FocusKeeper>
      </div>
    </search>
  );
}

function choicesOf(accounts: CalendarFiltersProps['accounts'], chosen: string | undefined) {
  const known = [...(accounts?.values() ?? [])]
    .map((account) => ({ id: account.id, name: nameOf(account), note: platformTitles[account.platform] }))
    .sort((one, other) => one.name.localeCompare(other.name));
  const isUnknown = chosen !== undefined && !known.some(({ id }) => id === chosen);
  return [...(isUnknown ? [{ id: chosen, name: filterTexts.unknownAccount }] : []), ...known];
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
