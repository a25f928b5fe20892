import { createContext, use, useState } from 'react';
import type { Platform } from '../../../platforms/contract/names.ts';
import { type Account, nameOf } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import type { CheckedRequest } from '../../media/draft-media.ts';
import { words } from '../../words/words.ts';
import type { Action } from './draft/actions.ts';
import type { Draft } from './draft/draft.ts';
import type { Place, Placed } from './draft/places.ts';

/** Facts and actions that all parts of the composer share. */
export interface Composing {
  readonly draft: Draft;
  readonly act: (action: Action) => void;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly problems: readonly Placed[];
  readonly warnings: readonly Placed[];
  /** The service's last answer, which may be about an earlier text. */
  readonly checked: CheckedRequest | undefined;
  /** True if the post was never stored. */
  readonly isNew: boolean;
  /** Brings a field in sight and gives it the focus. */
  readonly go: (place: Place) => void;
  /** Tells the number of files of an editor that are still on their way. */
  readonly setPending: (editor: string, files: number) => void;
}

const ComposingContext = createContext<Composing | undefined>(undefined);
export const ComposingProvider = ComposingContext.Provider;

export function useComposing(): Composing {
  const composing = use(ComposingContext);
  if (composing === undefined) throw new Error('Only parts of the composer have a draft');
  return composing;
}

/** Returns the value of before while the new one says the same: most letters change nothing of what fifty tabs show. */
export function useSame<Value>(value: Value): Value {
  const [kept, setKept] = useState(value);
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept;
  setKept(value);
  return value;
}

/**
 * Returns the name of an account, also of one that is no longer connected. A brand often has the same name everywhere: then the platform is
 * said too.
 */
export function accountName(
  accounts: ReadonlyMap<string, Account>,
  accountId: string,
  platform?: Platform,
): string {
  const account = accounts.get(accountId);
  if (account === undefined)
    return `${platform === undefined ? '' : `${platformTitles[platform]} `}…${accountId.slice(-4)}`;
  const name = nameOf(account);
  const isShared = sharedNames(accounts).has(name);
  return isShared ? words.composer.accounts.at(name, platformTitles[account.platform]) : name;
}

/** The names that more than one account has, by list of accounts: a workspace may have thousands. */
const shared = new WeakMap<ReadonlyMap<string, Account>, ReadonlySet<string>>();

function sharedNames(accounts: ReadonlyMap<string, Account>): ReadonlySet<string> {
  const known = shared.get(accounts);
  if (known !== undefined) return known;
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const account of accounts.values()) {
    const name = nameOf(account);
    (seen.has(name) ? found : seen).add(name);
  }
  shared.set(accounts, found);
  return found;
}
