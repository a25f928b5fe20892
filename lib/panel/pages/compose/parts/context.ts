import { createContext, use } from 'react';
import type { Platform } from '../../../../platforms/contract/names.ts';
import { type Account, nameOf } from '../../../accounts/account.ts';
import { platformTitles } from '../../../accounts/platforms.ts';
import type { Action } from '../draft/actions.ts';
import type { Draft } from '../draft/draft.ts';
import type { Placed } from '../draft/places.ts';

/** What all parts of the composer share. */
export interface Composing {
  readonly draft: Draft;
  readonly act: (action: Action) => void;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly problems: readonly Placed[];
  readonly warnings: readonly Placed[];
  /** Whether the post was never stored. */
  readonly isNew: boolean;
  /** How many files of an editor are still on their way. */
  readonly setPending: (editor: string, files: number) => void;
}

const ComposingContext = createContext<Composing | undefined>(undefined);
export const ComposingProvider = ComposingContext.Provider;

export function useComposing(): Composing {
  const composing = use(ComposingContext);
  if (composing === undefined) throw new Error('Only parts of the composer have a draft');
  return composing;
}

/** The name of an account, also of one that is no longer connected. */
export function accountName(
  accounts: ReadonlyMap<string, Account>,
  accountId: string,
  platform?: Platform,
): string {
  const account = accounts.get(accountId);
  if (account !== undefined) return nameOf(account);
  return `${platform === undefined ? '' : `${platformTitles[platform]} `}…${accountId.slice(-4)}`;
}
