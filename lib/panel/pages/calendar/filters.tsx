import { useEffect, useRef, useState } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { platforms, platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ComboBox } from '../../components/combo-box.tsx';
import { FocusKeeper } from '../../components/focus-keeper.tsx';
import { loadable, useLoaded } from '../../components/loaded.ts';
import { Select } from '../../components/select.tsx';
import { stateChoices } from '../../posts/state.ts';
import { words } from '../../words/words.ts';
import classes from './calendar.module.css';
import type { CalendarView } from './view.ts';

const filterTexts = words.calendarPage.filters;
const any = 'any';

const platformChoices = [
  { id: any, name: filterTexts.anyPlatform },
  ...platforms.map((id) => ({ id, name: platformTitles[id] })),
];
const statusChoices = [
  { id: any, name: filterTexts.anyStatus },
  { id: 'attention', name: filterTexts.attention },
  ...stateChoices,
];

const tagFilters = loadable(() => import('../../posts/tag-filter.tsx'));

interface CalendarFiltersProps {
  view: CalendarView;
  accounts: ReadonlyMap<string, Account> | undefined;
  /** The number of times that somebody has asked for them with a key. */
  opened: number;
}

/** Narrows what the calendar shows. On small screens the fields wait behind a button. */
export function CalendarFilters(props: CalendarFiltersProps) {
  const { view, accounts, opened } = props;
  const { filters, filterCount, isSmall, go } = view;
  const [isOpen, setIsOpen] = useState(false);
  const accountField = useRef<HTMLInputElement>(null);
  const [shownFor, setShownFor] = useState(0);
  if (opened !== shownFor) {
    setShownFor(opened);
    setIsOpen(true);
  }
  useEffect(() => {
    if (opened > 0) accountField.current?.focus();
  }, [opened]);
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
