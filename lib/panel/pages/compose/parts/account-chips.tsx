import { memo, useState } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { type Account, conditionOf, handleOf, nameOf } from '../../../accounts/account.ts';
import { PlatformMark } from '../../../accounts/platform-mark.tsx';
import { platformTitles } from '../../../accounts/platforms.ts';
import { Icon } from '../../../components/icon.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import classes from './account-chips.module.css';

interface AccountChipsProps {
  label: string;
  isLabelHidden?: boolean;
  accounts: ReadonlyMap<string, Account>;
  chosen: readonly string[];
  onToggle: (account: Account) => void;
}

/** With more, a person searches. */
const searchFrom = 12;
const mostShown = 24;

/**
 * Accounts to choose from, as chips. Those that are chosen stay in sight whatever is searched. There may be dozens: they are drawn again
 * only if what they are given changes.
 */
export const AccountChips = memo(function AccountChips({
  label,
  isLabelHidden,
  accounts,
  chosen,
  onToggle,
}: AccountChipsProps) {
  const [search, setSearch] = useState('');
  const all = [...accounts.values()];
  const { shown, rest } = shownOf(all, chosen, search);
  const change = (ids: readonly string[]) => {
    const toggled = all.find(({ id }) => ids.includes(id) !== chosen.includes(id));
    if (toggled !== undefined) onToggle(toggled);
  };
  return (
    <div className={classes['accounts']}>
      {all.length > searchFrom && (
        <SearchField label={words.composer.accounts.search} value={search} onChange={setSearch} />
      )}
      <CheckboxGroup
        className={classes['group'] as string}
        value={[...chosen]}
        onChange={change}
        {...(isLabelHidden && { 'aria-label': label })}
      >
        {!isLabelHidden && <Label className={textClasses['label'] as string}>{label}</Label>}
        <div className={classes['chips']}>
          {shown.map((account) => (
            <Chip key={account.id} account={account} />
          ))}
        </div>
      </CheckboxGroup>
      {shown.length === 0 && <p className={textClasses['minor']}>{words.composer.accounts.noneFound}</p>}
      {rest > 0 && <p className={textClasses['minor']}>{words.composer.accounts.more(rest)}</p>}
    </div>
  );
});

function Chip({ account }: { account: Account }) {
  const condition = conditionOf(account, Date.now());
  const handle = handleOf(account);
  return (
    <Checkbox value={account.id} className={classes['chip'] as string}>
      {({ isSelected }) => (
        <>
          <span className={classes['mark']}>
            <PlatformMark platform={account.platform} />
            {isSelected && (
              <span className={classes['tick']}>
                <Icon name="check" size={10} />
              </span>
            )}
          </span>
          <span className={classes['text']}>
            <span className={classes['name']}>{nameOf(account)}</span>
            <span className={classes['note']}>
              {platformTitles[account.platform]}
              {handle !== undefined && ` · ${handle}`}
              {condition !== 'ok' && condition !== 'expiring' && (
                <span className={classes['bad']}> · {words.account.conditions[condition]}</span>
              )}
            </span>
          </span>
        </>
      )}
    </Checkbox>
  );
}

/** Chosen ones first, so that they are found again; then the others in their order. */
function shownOf(accounts: readonly Account[], chosen: readonly string[], search: string) {
  if (accounts.length <= searchFrom) return { shown: accounts, rest: 0 };
  const words = plain(search).split(/\s+/).filter(Boolean);
  const isChosen = ({ id }: Account) => chosen.includes(id);
  const others = accounts.filter((account) => {
    const text = plain(`${nameOf(account)} ${handleOf(account) ?? ''} ${platformTitles[account.platform]}`);
    return !isChosen(account) && words.every((word) => text.includes(word));
  });
  return {
    shown: [...accounts.filter(isChosen), ...others.slice(0, mostShown)],
    rest: Math.max(0, others.length - mostShown),
  };
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
