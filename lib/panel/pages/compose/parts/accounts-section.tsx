import { memo, useCallback } from 'react';
import { type Account, conditionOf, nameOf } from '../../../accounts/account.ts';
import { platformTitles } from '../../../accounts/platforms.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ButtonLink, Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { words } from '../../../words/words.ts';
import type { Destination } from '../draft/draft.ts';
import { keys } from '../draft/places.ts';
import { AccountChips } from './account-chips.tsx';
import classes from './at-field.module.css';
import { AtField, Said } from './at-field.tsx';
import { useComposing } from './context.ts';
import { useSameList } from './use-same-list.ts';

const texts = words.composer.accounts;

/** Where the post goes, and what keeps an account from taking it. */
export const AccountsSection = memo(function AccountsSection() {
  const { draft, act, accounts } = useComposing();
  const chosen = useSameList(draft.destinations.map(({ accountId }) => accountId));
  const toggle = useCallback((account: Account) => act({ do: 'toggle', account }), [act]);
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
    <div className={classes['atField']}>
      <AtField of={keys.accounts}>
        <AccountChips label={texts.title} accounts={accounts} chosen={chosen} onToggle={toggle} />
        <Said of={keys.accounts} isShared />
      </AtField>
      {draft.destinations.map((destination) => (
        <Doubt key={destination.accountId} destination={destination} />
      ))}
    </div>
  );
});

/** What a person has to know about a chosen account, and the way to solve it. */
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
