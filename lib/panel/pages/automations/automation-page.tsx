import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { readAutomationOperation } from '../../../automations/operations.ts';
import { type Account, handleOf, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { isNotFound } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { ClicksSection } from './clicks-section.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import classes from './detail.module.css';
import { FailuresSection } from './failures-section.tsx';
import type { AutomationDetail } from './funnel.ts';
import { FunnelSection } from './funnel-section.tsx';
import { ObstacleNote } from './obstacle-note.tsx';
import { AutomationState, usePause } from './pause-switch.tsx';
import { Preview } from './preview/preview.tsx';
import { obstacleOf } from './rows.ts';
import { SettingsSection } from './settings-section.tsx';
import { titleOf } from './titles.ts';
import { TrySection } from './try-section.tsx';
import { useLivePosts } from './use-automations.ts';
import { WaitingNotice } from './waiting-notice.tsx';

const texts = words.automationsPage.detail;

/** One automation: what it has done, what waits, its links, and what it does. */
export function AutomationPage() {
  const { id } = useParams({ from: '/shell/automations/$id' });
  const read = useGet<typeof readAutomationOperation>('/v1/comment-automations/{id}', { path: { id } });
  const automation = read.data?.automation;
  // It was deleted while this page showed it.
  const isGone = read.isError && isNotFound(read.error);
  if (automation !== undefined && !isGone) return <Details key={id} automation={automation} />;
  return (
    <Page title={texts.title} back={<Back />}>
      {read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
      ) : (
        <>
          <Skeleton kind="card" rows={1} />
          <Skeleton kind="card" rows={2} />
        </>
      )}
    </Page>
  );
}

export const Back = () => <Link to="/automations">{texts.back}</Link>;

function Details({ automation }: { automation: AutomationDetail }) {
  const { id, accountId, platformPostId, isActive, followGate } = automation;
  const { name: workspace } = useWorkspace();
  const navigate = useNavigate();
  const accounts = useAccountsById();
  const account = accounts?.get(accountId);
  const live = useLivePosts()(accountId, platformPostId);
  const title = titleOf(automation, live?.post);
  const [isRemoving, setRemoving] = useState(false);
  const pause = usePause({ id, isActive, title });
  const toggle = () => pause.set(!isActive);
  const edit = () => void navigate({ to: '/automations/$id/edit', params: { id } });
  useCommands([
    { name: texts.edit, icon: 'pencil', group: 'page', keys: 'e', run: edit },
    {
      name: isActive ? words.automationsPage.pause.pause : words.automationsPage.pause.resume,
      icon: isActive ? 'pause' : 'play',
      group: 'page',
      run: toggle,
    },
  ]);
  const obstacle = obstacleOf({ automation, account, areAccountsRead: accounts !== undefined });
  return (
    <Page
      title={title}
      of={workspace}
      back={<Back />}
      lead={<Lead automation={automation} account={account} areAccountsRead={accounts !== undefined} />}
      actions={
        <>
          <Button icon={isActive ? 'pause' : 'play'} onPress={toggle} isPending={pause.isPending}>
            {isActive ? words.automationsPage.pause.pause : words.automationsPage.pause.resume}
          </Button>
          <ButtonLink to="/automations/$id/edit" params={{ id }} variant="primary" icon="pencil">
            {texts.edit}
          </ButtonLink>
        </>
      }
    >
      {pause.error && <ErrorNotice error={pause.error} title={words.automationsPage.pause.failed(title)} />}
      {!isActive && (
        <Notice tone="info" title={texts.pausedTitle}>
          {texts.pausedText}
        </Notice>
      )}
      {isActive && obstacle && <ObstacleNote obstacle={obstacle} accountId={accountId} />}
      <WaitingNotice automation={automation} account={account} />
      <FunnelSection automation={automation} />
      <FailuresSection automation={automation} account={account} permalink={live?.target.permalink ?? null} />
      <ClicksSection automation={automation} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <SettingsSection automation={automation} live={live} />
          <TrySection id={id} hasGate={followGate !== null} />
        </div>
        <div className={classes.aside}>
          <Preview automation={automation} account={account} />
        </div>
      </div>
      <Section title={texts.danger.title} lead={texts.danger.text} isCard>
        <div>
          <Button icon="trash" onPress={() => setRemoving(true)}>
            {words.automationsPage.remove.action}
          </Button>
        </div>
      </Section>
      {pause.question}
      <DeleteDialog
        automation={isRemoving ? { id, title } : undefined}
        onClose={() => setRemoving(false)}
        onDeleted={() => void navigate({ to: '/automations' })}
      />
    </Page>
  );
}

interface LeadProps {
  automation: AutomationDetail;
  account: Account | undefined;
  areAccountsRead: boolean;
}

function Lead({ automation, account, areAccountsRead }: LeadProps) {
  const name = account ? (handleOf(account) ?? nameOf(account)) : undefined;
  return (
    <div className={classes.lead}>
      <PlatformMark platform="instagram" />
      <span className={classes.words}>
        {name === undefined ? (
          areAccountsRead ? (
            words.account.disconnected
          ) : (
            words.automationsPage.platform
          )
        ) : (
          <Link to="/accounts/$id" params={{ id: automation.accountId }}>
            <bdi>{name}</bdi>
          </Link>
        )}
      </span>
      <AutomationState isActive={automation.isActive} />
    </div>
  );
}
