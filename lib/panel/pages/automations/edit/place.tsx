import { type Account, handleOf, nameOf } from '../../../accounts/account.ts';
import { useAccounts } from '../../../accounts/use-accounts.ts';
import { ComboBox } from '../../../components/combo-box.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { ButtonLink, Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { words } from '../../../words/words.ts';
import type { Draft } from './draft.ts';
import classes from './form.module.css';
import { PostChoice } from './post-choice.tsx';

const texts = words.automationsPage.form;

interface PlaceFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

/** Whose post, and which one. */
export function PlaceFields({ draft: { accountId, platformPostId }, change }: PlaceFieldsProps) {
  const accounts = useAccounts();
  const all = accounts.data?.accounts.filter(({ platform }) => platform === 'instagram') ?? [];
  const able = all.filter(({ capabilities }) => capabilities.includes('comments'));
  const account = able.find(({ id }) => id === accountId);
  const choices = useChoices(able);
  if (!accounts.data)
    return accounts.error ? (
      <ErrorState
        error={accounts.error}
        onRetry={() => void accounts.refetch()}
        isRetrying={accounts.isFetching}
      />
    ) : (
      <div className={classes.loadingPlace}>
        <Skeleton kind="card" rows={4} />
      </div>
    );
  if (able.length === 0)
    return (
      <EmptyState
        icon="accounts"
        title={texts.noAccounts.title}
        action={
          <ButtonLink to="/accounts" variant="primary" icon="accounts">
            {texts.noAccounts.action}
          </ButtonLink>
        }
      >
        <p>{texts.noAccounts.text}</p>
      </EmptyState>
    );
  return (
    <Section title={texts.post.title} isCard>
      <ComboBox
        name="accountId"
        label={texts.post.account}
        choices={choices}
        value={account?.id ?? null}
        onChange={(key) =>
          key !== null && key !== accountId && change({ accountId: String(key), platformPostId: '' })
        }
        isRequired
      />
      {all.length > able.length && (
        <p className={classes.minor}>
          {texts.otherAccounts} <Link to="/accounts">{texts.otherAccountsLink}</Link>
        </p>
      )}
      {account && account.status !== 'ok' && (
        <Notice
          tone="warn"
          actions={
            <Link to="/accounts/$id" params={{ id: account.id }}>
              {texts.reconnect}
            </Link>
          }
        >
          {account.status === 'expired' ? texts.accountExpired : words.automationsPage.account.error}
        </Notice>
      )}
      {account && (
        <PostChoice
          key={account.id}
          accountId={account.id}
          value={platformPostId}
          onChange={(id) => change({ platformPostId: id })}
        />
      )}
    </Section>
  );
}

function useChoices(accounts: readonly Account[]) {
  // A list with the same names is the same list: the field would otherwise begin anew with every refresh.
  const listed = JSON.stringify(
    accounts.map((account) => {
      const note = handleOf(account);
      return { id: account.id, name: nameOf(account), ...(note !== undefined && { note }) };
    }),
  );
  return JSON.parse(listed);
}
