import { useRef } from 'react';
import { platformOf, platforms, platformTitles } from '../../accounts/platforms.ts';
import classes from '../../components/filter-bar.module.css';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import type { Filters } from './rows.ts';

const any = 'any';
const { list } = words.accountsPage;
const { conditions } = words.account;

const platformChoices = [
  { id: any, name: list.anyPlatform },
  ...platforms.map((id) => ({ id, name: platformTitles[id] })),
];
const stateChoices = [
  { id: any, name: list.anyState },
  { id: 'attention', name: list.attention },
  ...(['expired', 'error', 'expiring', 'ok'] as const).map((id) => ({ id, name: conditions[id] })),
];

interface AccountFiltersProps {
  filters: Filters;
  onText: (text: string) => void;
  onChange: (changes: Partial<Filters>) => void;
  shown: number;
  all: number;
}

/** Narrows the list of accounts. */
export function AccountFilters({ filters, onText, onChange, shown, all }: AccountFiltersProps) {
  const { text, platform, state } = filters;
  const field = useRef<HTMLInputElement>(null);
  useCommands([
    {
      name: list.searchCommand,
      icon: 'search',
      group: 'page',
      keys: '/',
      run: () => field.current?.focus(),
    },
  ]);
  return (
    <search className={classes['filters']} aria-label={list.search}>
      <div className={classes['search']}>
        <SearchField label={list.search} value={text} onChange={onText} inputRef={field} />
      </div>
      <Select
        label={list.platform}
        isLabelHidden
        choices={platformChoices}
        value={platform ?? any}
        onChange={(key) => onChange({ platform: platformOf(key) })}
      />
      <Select
        label={list.state}
        isLabelHidden
        choices={stateChoices}
        value={state ?? any}
        onChange={(key) => onChange({ state: key === any ? undefined : (key as Filters['state']) })}
      />
      <p className={classes['count']} role="status">
        {list.shown(shown, all)}
      </p>
    </search>
  );
}
