import { useState } from 'react';
import { nameOf } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { useAccounts } from '../../accounts/use-accounts.ts';
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';

interface AccountChoiceProps {
  value: readonly string[] | null;
  onChange: (value: readonly string[] | null) => void;
  most: number;
  help: string;
}

const searchFrom = 8;

/** All accounts of the workspace, or some of them. */
export function AccountChoice({ value, onChange, most, help }: AccountChoiceProps) {
  const [before, setBefore] = useState<readonly string[]>(value ?? []);
  const texts = words.developersPage.accounts;
  const change = (ids: readonly string[] | null) => {
    if (ids !== null) setBefore(ids);
    onChange(ids);
  };
  return (
    <div className={classes.choice}>
      <RadioGroup
        label={texts.label}
        help={help}
        value={value === null ? 'all' : 'chosen'}
        onChange={(kind) => change(kind === 'all' ? null : before)}
      >
        <Radio value="all" note={texts.allNote}>
          {texts.all}
        </Radio>
        <Radio value="chosen">{texts.chosen}</Radio>
      </RadioGroup>
      {value !== null && <ChosenAccounts value={value} onChange={change} most={most} />}
    </div>
  );
}

function ChosenAccounts({
  value,
  onChange,
  most,
}: Pick<Required<AccountChoiceProps>, 'most'> & {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}) {
  const accounts = useAccounts();
  const [search, setSearch] = useState('');
  const texts = words.developersPage.accounts;
  if (accounts.data === undefined)
    return accounts.isError ? <ErrorNotice error={accounts.error} /> : <Skeleton kind="text" rows={3} />;
  const all = accounts.data.accounts;
  if (all.length === 0) return <p className={classes.note}>{texts.noneConnected}</p>;
  const found = all.filter((account) =>
    `${nameOf(account)} ${account.username ?? ''} ${platformTitles[account.platform]}`
      .toLowerCase()
      .includes(search.trim().toLowerCase()),
  );
  return (
    <div className={classes.chosen}>
      {all.length >= searchFrom && <SearchField label={texts.search} value={search} onChange={setSearch} />}
      <CheckboxGroup
        label={texts.choose}
        name="accountIds"
        value={[...value]}
        onChange={(shown) => onChange(merge(value, shown, found))}
        validate={() =>
          value.length === 0 ? texts.atLeastOne : value.length > most ? texts.atMost(most) : null
        }
        help={all.length > most ? texts.count(value.length, most) : undefined}
      >
        <div className={classes.options}>
          {found.map((account) => (
            <Checkbox key={account.id} value={account.id} note={platformTitles[account.platform]}>
              <bdi>{nameOf(account)}</bdi>
            </Checkbox>
          ))}
          {found.length === 0 && <p className={classes.note}>{texts.none}</p>}
        </div>
      </CheckboxGroup>
    </div>
  );
}

/** Accounts that the search hides stay chosen. */
function merge(
  before: readonly string[],
  shown: readonly string[],
  found: readonly { id: string }[],
): string[] {
  const inSight = new Set(found.map(({ id }) => id));
  return [...new Set([...before.filter((id) => !inSight.has(id)), ...shown])];
}
