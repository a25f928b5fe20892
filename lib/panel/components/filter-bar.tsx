import { type ReactNode, useRef } from 'react';
import { useCommands } from '../shortcuts.ts';
import classes from './filter-bar.module.css';
import { SearchField } from './search-field.tsx';
import { Select } from './select.tsx';

interface FilterBarProps {
  /** Names the bar, if it has no search. */
  label?: string | undefined;
  search?: SearchProps | undefined;
  /** Says how many rows are left. */
  count?: string | undefined;
  children?: ReactNode;
}

/** Narrows a list: with a search, and choices such as {@link Filter}. Says how many rows are left. */
export function FilterBar({ label, search, count, children }: FilterBarProps) {
  return (
    <search className={classes.filters} aria-label={search?.label ?? label}>
      {search && <Search {...search} />}
      {children}
      {count !== undefined && (
        <p className={classes.count} role="status">
          {count}
        </p>
      )}
    </search>
  );
}

interface SearchProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Names the command that goes to the field, with the key `/`. */
  command?: string | undefined;
}

function Search({ label, text, onText, command }: SearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const focus = () => field.current?.focus();
  useCommands(
    command === undefined ? [] : [{ name: command, icon: 'search', group: 'page', keys: '/', run: focus }],
  );
  return (
    <div className={classes.search}>
      <SearchField label={label} value={text} onChange={onText} inputRef={field} />
    </div>
  );
}

interface FilterProps {
  label: string;
  /** The choice that leaves everything, whose value is the empty text. `names` may have it instead. */
  all?: string | undefined;
  /** The names of the other choices by their values. */
  names: Readonly<Record<string, string>>;
  value: string;
  onChange: (value: string) => void;
}

/** One choice of a filter bar, such as a state. */
export function Filter({ label, all, names, value, onChange }: FilterProps) {
  const choices = all === undefined ? names : { '': all, ...names };
  return (
    <Select
      label={label}
      isLabelHidden
      choices={Object.entries(choices).map(([id, name]) => ({ id, name }))}
      value={value in names ? value : ''}
      onChange={(id) => onChange(String(id))}
    />
  );
}
