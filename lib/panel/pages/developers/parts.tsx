import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { useAccounts } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx';
import { DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';

interface AllOrSomeProps<Item> {
  texts: { label: string; all: string; allNote?: string; chosen: string };
  help?: string | undefined;
  /** `null` for all. */
  value: readonly Item[] | null;
  /** Chosen at first by somebody who does not want all. */
  usual: readonly Item[];
  onChange: (value: readonly Item[] | null) => void;
  /** Asks which, if not all. */
  children: ReactNode;
}

/** All, or those that are chosen below. Somebody who goes to and fro finds the same chosen. */
export function AllOrSome<Item>({ texts, help, value, usual, onChange, children }: AllOrSomeProps<Item>) {
  const [before, setBefore] = useState(value ?? usual);
  if (value !== null && value !== before) setBefore(value);
  return (
    <Stack gap={2}>
      <RadioGroup
        label={texts.label}
        help={help}
        value={value === null ? 'all' : 'chosen'}
        onChange={(kind) => onChange(kind === 'all' ? null : before)}
      >
        <Radio value="all" note={texts.allNote}>
          {texts.all}
        </Radio>
        <Radio value="chosen">{texts.chosen}</Radio>
      </RadioGroup>
      {value !== null && <div className={classes.chosen}>{children}</div>}
    </Stack>
  );
}

interface AccountChoiceProps {
  value: readonly string[] | null;
  onChange: (value: readonly string[] | null) => void;
  most: number;
  help: string;
}

const searchFrom = 8;

/** All accounts of the workspace, or some of them. */
export function AccountChoice({ value, onChange, most, help }: AccountChoiceProps) {
  return (
    <AllOrSome texts={words.developersPage.accounts} help={help} value={value} usual={[]} onChange={onChange}>
      {value !== null && <ChosenAccounts value={value} onChange={onChange} most={most} />}
    </AllOrSome>
  );
}

interface ChosenAccountsProps {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  most: number;
}

function ChosenAccounts({ value, onChange, most }: ChosenAccountsProps) {
  const accounts = useAccounts();
  const [search, setSearch] = useState('');
  const texts = words.developersPage.accounts;
  if (accounts.data === undefined)
    return accounts.isError ? <ErrorNotice error={accounts.error} /> : <Skeleton kind="text" rows={3} />;
  const all = accounts.data.accounts;
  if (all.length === 0) return <Muted>{texts.noneConnected}</Muted>;
  const found = all.filter((account) =>
    `${nameOf(account)} ${account.username ?? ''} ${platformTitles[account.platform]}`
      .toLowerCase()
      .includes(search.trim().toLowerCase()),
  );
  return (
    <>
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
          {found.length === 0 && <Muted>{texts.none}</Muted>}
        </div>
      </CheckboxGroup>
    </>
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

const shownAtMost = 3;

/** Returns the names of accounts by their ids; `undefined` until they are read. */
export function useAccountNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useAccounts();
  return data && new Map(data.accounts.map((account) => [account.id, nameOf(account)]));
}

interface AccountNamesProps {
  ids: readonly string[] | null;
  names: ReadonlyMap<string, string> | undefined;
}

/** Names the accounts that a key or an endpoint is limited to. */
export function AccountNames({ ids, names }: AccountNamesProps) {
  if (ids === null) return words.developersPage.accounts.all;
  const shown = ids.slice(0, shownAtMost);
  const others = ids.length - shown.length;
  return (
    <>
      {shown.map((id, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <bdi className={classes.clipped}>
            {names ? (names.get(id) ?? words.developersPage.accounts.disconnected) : '…'}
          </bdi>
        </span>
      ))}
      {others > 0 && ` ${words.developersPage.accounts.more(others)}`}
    </>
  );
}

/**
 * An endpoint's URL. It reads from left to right whatever letters are in it, and its host stands out. In lists it is shortened, and so is
 * its scheme, which is https but for local runs.
 */
export function EndpointUrl({ url, isClamped = false }: { url: string; isClamped?: boolean }) {
  const { origin, rest } = split(isClamped ? url.replace(/^https:\/\//, '') : url);
  return (
    <bdi dir="ltr" className={isClamped ? classes.clampedUrl : classes.url}>
      {origin}
      <Muted as="span" size="m">
        {rest}
      </Muted>
    </bdi>
  );
}

function split(url: string) {
  const end = /^(\w+:\/\/)?[^/?#]+/.exec(url)?.[0].length ?? url.length;
  return { origin: url.slice(0, end), rest: url.slice(end) };
}

interface OnceShownProps {
  title: string;
  text: string;
  confirm: string;
  children: ReactNode;
  onClose: () => void;
}

/**
 * The content of a dialog with a secret that is shown once. It is in the state of the component above, and nowhere else, so leaving the
 * page would lose it: links do nothing meanwhile, and the browser asks before it closes the tab.
 */
export function OnceShown({ title, text, confirm, children, onClose }: OnceShownProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <>
      <DialogBody>
        <Notice tone="warn" title={title}>
          {text}
        </Notice>
        {children}
      </DialogBody>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          {confirm}
        </Button>
      </DialogActions>
    </>
  );
}
