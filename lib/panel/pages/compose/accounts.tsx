import { useState } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { type Account, conditionOf, handleOf, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { SearchField } from '../../components/search-field.tsx';
import textClasses from '../../components/texts.module.css';
import { words } from '../../words/words.ts';
import { useComposing } from './context.ts';
import type { Destination } from './draft/draft.ts';
import { keys } from './draft/places.ts';
import classes from './fields.module.css';
import { AtField, Said } from './fields.tsx';

const texts = words.composer.accounts;

/** The accounts that the post goes to, with what keeps one from taking it. */
export function AccountsSection() {
  const { draft, act, accounts } = useComposing();
  if (accounts.size === 0 && draft.destinations.length === 0)
    return (
      <EmptyState
        icon="accounts"
        title={texts.noneTitle}
        action={
          <ButtonLink to="/accounts" variant="primary" icon="plus">
            {texts.connect}
          </ButtonLink>
        }
      >
        <p>{texts.noneText}</p>
      </EmptyState>
    );
  return (
    <div className={classes.atField}>
      <AtField of={keys.accounts}>
        <AccountChips
          label={texts.title}
          accounts={accounts}
          chosen={draft.destinations.map(({ accountId }) => accountId)}
          onToggle={(account) => act({ do: 'toggle', account })}
        />
        <Said of={keys.accounts} isShared />
      </AtField>
      {draft.destinations.map((destination) => (
        <Doubt key={destination.accountId} destination={destination} />
      ))}
    </div>
  );
}

/** A problem of a chosen account, with the way to solve it. */
function Doubt({ destination: { accountId, platform } }: { destination: Destination }) {
  const { act, accounts } = useComposing();
  const account = accounts.get(accountId);
  if (account === undefined)
    return (
      <Notice
        tone="bad"
        actions={
          <Button size="small" onPress={() => act({ do: 'toggle', account: { id: accountId, platform } })}>
            {texts.remove}
          </Button>
        }
      >
        {texts.gone(platformTitles[platform])}
      </Notice>
    );
  const condition = conditionOf(account, Date.now());
  if (condition !== 'expired' && condition !== 'error') return null;
  const say = condition === 'expired' ? texts.expired : texts.restricted;
  return (
    <Notice
      tone="warn"
      actions={
        <Link to="/accounts/$id" params={{ id: accountId }}>
          {texts.toAccount}
        </Link>
      }
    >
      {say(nameOf(account))}
    </Notice>
  );
}

interface AccountChipsProps {
  label: string;
  accounts: ReadonlyMap<string, Account>;
  chosen: readonly string[];
  onToggle: (account: Account) => void;
}

/** The number of accounts from which on a person searches. */
const searchFrom = 12;
const mostShown = 24;

/** Accounts to choose from, as chips. Those that are chosen stay in sight whatever is searched. */
export function AccountChips({ label, accounts, chosen, onToggle }: AccountChipsProps) {
  const [search, setSearch] = useState('');
  const all = [...accounts.values()];
  const { shown, rest } = shownOf(all, chosen, search);
  const change = (ids: readonly string[]) => {
    const toggled = all.find(({ id }) => ids.includes(id) !== chosen.includes(id));
    if (toggled !== undefined) onToggle(toggled);
  };
  return (
    <Stack gap={3}>
      {all.length > searchFrom && (
        <SearchField label={words.composer.accounts.search} value={search} onChange={setSearch} />
      )}
      <CheckboxGroup className={classes.chipGroup} value={[...chosen]} onChange={change}>
        <Label className={textClasses.label}>{label}</Label>
        <Row>
          {shown.map((account) => (
            <Chip key={account.id} account={account} />
          ))}
        </Row>
      </CheckboxGroup>
      {shown.length === 0 && <Muted>{words.composer.accounts.noneFound}</Muted>}
      {rest > 0 && <Muted>{words.composer.accounts.more(rest)}</Muted>}
    </Stack>
  );
}

function Chip({ account }: { account: Account }) {
  const condition = conditionOf(account, Date.now());
  const handle = handleOf(account);
  return (
    <Checkbox value={account.id} className={classes.chip}>
      {({ isSelected }) => (
        <>
          <span className={classes.chipMark}>
            <PlatformMark platform={account.platform} />
            {isSelected && (
              <span className={classes.tick}>
                <Icon name="check" size={10} />
              </span>
            )}
          </span>
          <span className={classes.chipText}>
            <span className={classes.chipName}>{nameOf(account)}</span>
            <span className={classes.chipNote}>
              {platformTitles[account.platform]}
              {handle !== undefined && ` · ${handle}`}
              {condition !== 'ok' && condition !== 'expiring' && (
                <span className={classes.chipBad}> · {words.account.conditions[condition]}</span>
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
