import type { UseQueryResult } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { previewDisconnectOperation, readAccountOperation } from '../../../accounts/operations.ts';
import {
  type Account,
  type Condition,
  conditionOf,
  handleOf,
  kindOf,
  nameOf,
  needsReconnecting,
  reconnectByOf,
} from '../../accounts/account.ts';
import { AccountState } from '../../accounts/account-state.tsx';
import { ConnectDialog } from '../../accounts/connect-dialog.tsx';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { type ApiError, isNotFound } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { CopiedCode } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Columns, Facts, Muted } from '../../components/layout.tsx';
import { Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';
import classes from './account-page.module.css';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { PlatformLists } from './platform-lists.tsx';
import { ReadFailure } from './read-failure.tsx';
import { RhythmSection } from './rhythm-section.tsx';
import { useUpcoming } from './upcoming.ts';

/** Needed if posts have failed before. */
const RetryOfAccount = lazy(async () => ({
  default: (await import('../../posts/retry-of-account.tsx')).RetryOfAccount,
}));

const texts = words.accountsPage.account;

/** Plans change slowly, and take several reads. */
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
      <Reading of={{ ...read, data: undefined }} rows={5} />
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
      {(condition === 'ok' || condition === 'expiring') && (
        <Suspense>
          <RetryOfAccount account={account} />
        </Suspense>
      )}
      <Columns>
        <div className={classes.column}>
          <Planned accountId={account.id} preview={preview} />
          <AccountFeatures capabilities={account.capabilities} />
        </div>
        <AccountFacts account={account} />
      </Columns>
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

interface AccountNoticeProps {
  account: Account;
  condition: Condition;
  scheduledTargets: number | undefined;
  onReconnect: () => void;
}

/** Says what is wrong with the account, what that means, and what helps. Nothing if it works. */
function AccountNotice({ account, condition, scheduledTargets, onReconnect }: AccountNoticeProps) {
  if (condition === 'ok') return null;
  const { statusMessage, statusSince } = account;
  const by = reconnectByOf(account);
  const isOver = by !== undefined && Date.parse(by) <= Date.now();
  const title = {
    expired: texts.expiredTitle,
    error: texts.errorTitle,
    expiring: isOver ? texts.endedTitle : texts.expiringTitle,
  }[condition];
  return (
    <Notice
      tone={condition === 'expired' ? 'bad' : 'warn'}
      title={title}
      actions={
        condition !== 'error' && (
          <Button variant="primary" icon="refresh" onPress={onReconnect}>
            {words.accountsPage.connect.reconnect}
          </Button>
        )
      }
    >
      <div className={classes.texts}>
        {condition === 'expired' && <p>{texts.expiredText}</p>}
        {condition === 'error' && <p>{texts.errorText}</p>}
        {condition === 'expiring' && by !== undefined && (
          <>
            <p>{texts.expiringText}</p>
            <p className={classes.noticeTime}>
              <Muted as="span" size="m">
                {texts.reconnectBy}
              </Muted>{' '}
              <Time at={by} isRelative />
            </p>
          </>
        )}
        {condition !== 'error' && scheduledTargets !== undefined && scheduledTargets > 0 && (
          <p>{texts.waiting(scheduledTargets)}</p>
        )}
        {condition !== 'expiring' && (
          <p>
            <Muted as="span" size="m">
              {texts.said}
            </Muted>{' '}
            <bdi>{statusMessage ?? words.accountsPage.list.noReason}</bdi>
          </p>
        )}
        {condition !== 'expiring' && statusSince !== null && (
          <p className={classes.noticeTime}>
            <Muted as="span" size="m">
              {texts.since}
            </Muted>{' '}
            <Time at={statusSince} isRelative />
          </p>
        )}
      </div>
    </Notice>
  );
}

type Preview = UseQueryResult<ReplyOf<typeof previewDisconnectOperation>, ApiError>;

interface PlannedProps {
  accountId: string;
  preview: Preview;
}

/** The number of planned posts, and the time of the next one. */
function Planned({ accountId, preview }: PlannedProps) {
  const upcoming = useUpcoming(accountId);
  return (
    <Section title={texts.planned} isCard>
      {preview.isPending && <Skeleton kind="text" rows={3} />}
      {!preview.data && <ReadFailure read={preview} />}
      {preview.data && (
        <Facts
          of={{
            [texts.scheduled]: preview.data.scheduledTargets,
            [texts.nextPost]: nextPost(preview.data.scheduledTargets, upcoming, accountId),
            [texts.automations]: preview.data.activeAutomations,
          }}
        />
      )}
    </Section>
  );
}

function nextPost(
  scheduledTargets: number,
  { data, isError }: ReturnType<typeof useUpcoming>,
  accountId: string,
) {
  const at = data?.nextByAccount[accountId];
  if (at !== undefined) return <Time at={at} isRelative />;
  if (scheduledTargets === 0) return texts.none;
  if (isError) return texts.notKnown;
  if (data === undefined) return '…';
  return data.isComplete ? texts.later : texts.notFound;
}

/** Lists what the account can do. */
function AccountFeatures({ capabilities }: Pick<Account, 'capabilities'>) {
  return (
    <Section
      title={words.accountsPage.account.features}
      lead={words.accountsPage.account.featuresLead}
      isCard
    >
      <ul className={classes.features}>
        {capabilities.map((feature) => (
          <li key={feature} className={classes.feature}>
            <span className={classes.featureIcon}>
              <Icon name="check" />
            </span>
            <div>
              <p className={classes.featureName}>{words.accountsPage.features[feature] ?? feature}</p>
              <Muted>{words.accountsPage.featureTexts[feature]}</Muted>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The account's names and ids, and the end of its connection. */
function AccountFacts({ account }: { account: Account }) {
  const { id, username, displayName, externalId, connectedAt, meta } = account;
  const by = reconnectByOf(account);
  const kind = kindOf(account);
  return (
    <Section title={texts.facts} isCard>
      <Facts
        of={{
          [texts.displayName]: displayName !== null && <bdi>{displayName}</bdi>,
          [texts.username]: username !== null && <bdi>{username}</bdi>,
          [texts.kind]: kind && words.accountsPage.connect.kinds[kind],
          ...Object.fromEntries(
            Object.entries(texts.meta).map(([name, title]) => [title, textOf(meta[name])]),
          ),
          [texts.connectedAt]: <Time at={connectedAt} />,
          [texts.reconnectBy]: by === undefined ? texts.renewed : <Time at={by} isRelative />,
          [texts.accountId]: <CopiedCode text={id} label={texts.copyId} />,
          [texts.externalId]: externalId !== null && (
            <CopiedCode text={externalId} label={texts.copyExternalId} />
          ),
        }}
      />
    </Section>
  );
}

const textOf = (value: unknown) => typeof value === 'string' && value !== '' && <bdi>{value}</bdi>;

/** The end of the connection, which is for owners. */
function DisconnectSection({ account }: { account: Account }) {
  const isOwner = useIsOwner();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={words.accountsPage.disconnect.title}
      isCard
      lead={words.accountsPage.disconnect.text}
      actions={isOwner && <Button onPress={() => setOpen(true)}>{words.accountsPage.disconnect.open}</Button>}
    >
      {!isOwner && <Muted size="m">{words.accountsPage.disconnect.ownersOnly}</Muted>}
      <DisconnectDialog account={account} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  );
}
