import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { previewDisconnectOperation, readAccountOperation } from '../../../accounts/operations.ts';
import {
  type Account,
  conditionOf,
  handleOf,
  kindOf,
  nameOf,
  needsReconnecting,
} from '../../accounts/account.ts';
import { AccountState } from '../../accounts/account-state.tsx';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { isNotFound } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Link } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AccountFeatures } from './account-features.tsx';
import { AccountNotice } from './account-notice.tsx';
import classes from './account-page.module.css';
import { ConnectDialog } from './connect-dialog.tsx';
import { DisconnectSection } from './disconnect-section.tsx';
import { Planned } from './planned.tsx';
import { PlatformLists } from './platform-lists.tsx';
import { RhythmSection } from './rhythm-section.tsx';

/** What is planned changes slowly, and takes several reads. */
const previewEveryMs = 60_000;

/** One connected account: whether it works, what is planned for it, when its posts go out, and its end. */
export function AccountPage() {
  const { id } = useParams({ from: '/shell/accounts/$id' });
  const read = useGet<typeof readAccountOperation>('/v1/accounts/{id}', { path: { id } });
  const account = read.data?.account;
  // It was disconnected while this page showed it.
  const isGone = read.isError && isNotFound(read.error);
  if (account !== undefined && !isGone) return <AccountDetails key={id} account={account} />;
  return (
    <Page title={words.accountsPage.account.title} back={<Back />} width="medium">
      {read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
      ) : (
        <Skeleton rows={5} />
      )}
    </Page>
  );
}

const Back = () => <Link to="/accounts">{words.accountsPage.account.back}</Link>;

function AccountDetails({ account }: { account: Account }) {
  const { name: workspace } = useWorkspace();
  const [isConnecting, setConnecting] = useState(false);
  const preview = useGet<typeof previewDisconnectOperation>(
    '/v1/accounts/{id}/disconnect-preview',
    { path: { id: account.id } },
    { refetchEveryMs: previewEveryMs },
  );
  const condition = conditionOf(account, Date.now());
  const reconnect = () => setConnecting(true);
  useCommands([
    { name: words.accountsPage.connect.reconnect, icon: 'refresh', group: 'page', run: reconnect },
  ]);
  return (
    <Page
      title={nameOf(account)}
      of={workspace}
      back={<Back />}
      width="medium"
      lead={<Lead account={account} />}
      actions={
        !needsReconnecting(condition) && (
          <Button icon="refresh" onPress={reconnect}>
            {words.accountsPage.connect.reconnect}
          </Button>
        )
      }
    >
      <AccountNotice
        account={account}
        condition={condition}
        scheduledTargets={preview.data?.scheduledTargets}
        onReconnect={reconnect}
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Planned accountId={account.id} preview={preview} />
          <AccountFeatures capabilities={account.capabilities} />
        </div>
        <AccountFacts account={account} />
      </div>
      <RhythmSection accountId={account.id} />
      <PlatformLists account={account} condition={condition} />
      <DisconnectSection account={account} />
      <ConnectDialog isOpen={isConnecting} account={account} onClose={() => setConnecting(false)} />
    </Page>
  );
}

function Lead({ account }: { account: Account }) {
  const handle = handleOf(account);
  const kind = kindOf(account);
  return (
    <div className={classes.lead}>
      <PlatformMark platform={account.platform} />
      <span className={classes.words}>
        {platformTitles[account.platform]}
        {kind && ` · ${words.accountsPage.connect.kinds[kind]}`}
        {handle && (
          <>
            {' · '}
            <bdi>{handle}</bdi>
          </>
        )}
      </span>
      <AccountState condition={conditionOf(account, Date.now())} />
    </div>
  );
}
