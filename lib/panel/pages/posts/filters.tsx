import { useRef, useState } from 'react';
import { nameOf } from '../../accounts/account.ts';
import { platforms, platformTitles } from '../../accounts/platforms.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { DayField } from '../../components/day-field.tsx';
import { Muted } from '../../components/layout.tsx';
import { MultiSelect } from '../../components/multi-select.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { canBeSearched } from '../../posts/search.ts';
import { lookOf } from '../../posts/state.ts';
import { useTags } from '../../posts/tags.ts';
import { useCommands } from '../../shortcuts.ts';
import { addDays } from '../../time.ts';
import { type Filters, useTyped } from '../../use-filters.ts';
import { smallScreen, useMedia } from '../../use-media.ts';
import { words } from '../../words/words.ts';
import { type FilterName, mostDays, type PostFilters, periods, statuses } from './list.ts';
import classes from './posts.module.css';

const texts = words.postsPage.filters;

const any = 'any';
const custom = 'custom';

interface PostFilterBarProps {
  url: Filters<FilterName>;
  filters: PostFilters;
  /** The day in the workspace's zone. */
  today: string;
}

/** Narrows the list. On small screens all but the search waits behind a button. */
export function PostFilterBar({ url: { values, set, clear, isAny }, filters, today }: PostFilterBarProps) {
  const [text, setText] = useTyped(values.q, (q) => set({ q }));
  const [isOpen, setOpen] = useState(false);
  const isSmall = useMedia(smallScreen);
  const field = useRef<HTMLInputElement>(null);
  const tags = useTags();
  const accounts = useAccountsById();
  useCommands([
    {
      name: words.postsPage.searchCommand,
      icon: 'search',
      group: 'page',
      keys: '/',
      run: () => field.current?.focus(),
    },
  ]);
  const { range, period } = filters;
  const number = [filters.accounts, filters.platforms, filters.statuses, filters.tags].filter(
    ({ length }) => length > 0,
  ).length;
  const chosenNumber = number + (period === undefined ? 0 : 1);
  const known = [...(accounts?.values() ?? [])].map((account) => ({
    id: account.id,
    name: nameOf(account),
    note: platformTitles[account.platform],
  }));
  const gone = filters.accounts
    .filter((id) => accounts?.has(id) === false)
    .map((id) => ({ id, name: texts.unknownAccount }));
  const choosePeriod = (key: string) => {
    if (key === custom) set({ period: key, from: range?.from ?? today, to: range?.to ?? addDays(today, 30) });
    else set({ period: key === any ? '' : key, from: '', to: '' });
  };
  return (
    <search className={classes.filterArea} aria-label={words.postsPage.search}>
      <div className={classes.searchLine}>
        <div className={classes.search}>
          <SearchField
            label={words.postsPage.search}
            value={text}
            onChange={setText}
            inputRef={field}
            maxLength={200}
          />
        </div>
        {isSmall && (
          <Button icon="filter" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {texts.show(chosenNumber)}
          </Button>
        )}
      </div>
      <p className={classes.hint} role="status">
        {filters.search !== '' && !canBeSearched(filters.search) && texts.noWords}
      </p>
      <div className={join(classes.filters, isSmall && !isOpen && classes.closed)}>
        <MultiSelect
          label={texts.accounts}
          searchLabel={texts.find}
          choices={[...gone, ...known]}
          value={filters.accounts}
          onChange={(ids) => set({ account: ids.join() })}
          all={texts.allAccounts}
          some={texts.someAccounts}
        />
        <MultiSelect
          label={texts.platforms}
          searchLabel={texts.find}
          choices={platforms.map((id) => ({ id, name: platformTitles[id] }))}
          value={filters.platforms}
          onChange={(ids) => set({ platform: ids.join() })}
          all={texts.allPlatforms}
          some={texts.somePlatforms}
        />
        <MultiSelect
          label={texts.states}
          searchLabel={texts.find}
          choices={statuses.map((id) => ({ id, name: lookOf(id).word }))}
          value={filters.statuses}
          onChange={(ids) => set({ status: ids.join() })}
          all={texts.allStates}
          some={texts.someStates}
        />
        {tags !== undefined && (tags.length > 0 || filters.tags.length > 0) && (
          <MultiSelect
            label={texts.tags}
            searchLabel={texts.find}
            choices={tags.map(({ name }) => ({ id: name, name }))}
            value={filters.tags}
            onChange={(ids) => set({ tag: ids.join() })}
            all={texts.allTags}
            some={texts.someTags}
          />
        )}
        <Select
          label={texts.period}
          isLabelHidden
          choices={[
            { id: any, name: texts.anyTime },
            ...[...periods, custom].map((id) => ({
              id,
              name: texts.periods[id as keyof typeof texts.periods],
            })),
          ]}
          value={period ?? any}
          onChange={(key) => choosePeriod(String(key))}
        />
        <Select
          label={texts.sort}
          isLabelHidden
          isDisabled={range !== undefined}
          choices={[
            { id: 'createdAt', name: texts.newest },
            { id: 'scheduledFor', name: texts.byTime },
          ]}
          value={filters.isByTime ? 'scheduledFor' : 'createdAt'}
          onChange={(key) => set({ sort: key === 'scheduledFor' ? 'scheduledFor' : '' })}
        />
        {isAny && (
          <Button variant="quiet" icon="cross" onPress={clear}>
            {texts.clear}
          </Button>
        )}
      </div>
      {period === custom && range !== undefined && (
        <div className={join(classes.days, isSmall && !isOpen && classes.closed)}>
          <DayField label={texts.from} value={range.from} onChange={(from) => set({ from, to: range.to })} />
          <DayField
            label={texts.to}
            value={range.to}
            problem={
              range.problem === 'backwards'
                ? texts.backwards
                : range.problem === 'tooLong'
                  ? texts.tooLong(mostDays)
                  : undefined
            }
            onChange={(to) => set({ from: range.from, to })}
          />
        </div>
      )}
      {range !== undefined && <Muted>{texts.byTimeNote}</Muted>}
    </search>
  );
}
