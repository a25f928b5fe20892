import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Button } from 'react-aria-components/Button';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as Base, SelectValue } from 'react-aria-components/Select';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { Icon } from './icon.tsx';
import classes from './multi-select.module.css';
import { type Choice, Option } from './option.tsx';
import popover from './popover.module.css';
import { SearchField } from './search-field.tsx';
import select from './select.module.css';

interface MultiSelectProps {
  label: string;
  /** Names the search of a long list. */
  searchLabel: string;
  choices: readonly Choice[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Said if nothing is chosen. */
  all: string;
  /** Said if several are chosen. One is named. */
  some: (number: number) => string;
}

const longFrom = 10;

/** Several of a few or many choices; none means all. A long list has a search. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, searchLabel, choices, value, onChange, all, some } = props;
  const { contains } = useFilter({ sensitivity: 'base' });
  const [first] = value;
  const one = value.length === 1 ? choices.find(({ id }) => id === first)?.name : undefined;
  const list = (
    <ListBox
      className={popover.list}
      items={choices}
      renderEmptyState={() => <p className={popover.empty}>{words.shared.fields.none}</p>}
    >
      {(choice) => <Option {...choice} />}
    </ListBox>
  );
  return (
    <Base
      selectionMode="multiple"
      aria-label={label}
      value={value}
      onChange={(keys) => onChange(keys.map(String))}
      className={field.field}
    >
      <Button className={join(field.control, select.button, value.length > 0 && classes.chosen)}>
        <SelectValue className={select.value}>
          {() => (value.length === 0 ? all : one === undefined ? some(value.length) : <bdi>{one}</bdi>)}
        </SelectValue>
        <Icon name="chevronDown" />
      </Button>
      <Popover className={popover.popover} offset={4}>
        {choices.length < longFrom ? (
          list
        ) : (
          <Autocomplete filter={contains}>
            <div className={classes.search}>
              <SearchField label={searchLabel} autoFocus />
            </div>
            {list}
          </Autocomplete>
        )}
      </Popover>
    </Base>
  );
}
