import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { listLinksOperation, readAutomationOperation } from '../../../automations/operations.ts';
import { type Account, handleOf, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { isNotFound } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { ClickChart } from '../../clicks/click-chart.tsx';
import { clicksPerDay, totalOf } from '../../clicks/days.ts';
import { LinkAddress } from '../../clicks/link-address.tsx';
import { Button } from '../../components/button.tsx';
import { CopiedCode } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Facts, Muted, Stack, WithAside } from '../../components/layout.tsx';
import { ButtonLink, ExternalLink, Link } from '../../components/link.tsx';
import { loadable, useLoaded } from '../../components/loaded.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useCommands } from '../../shortcuts.ts';
import { addDays, dayIn } from '../../time.ts';
import { locale, words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import {
  type AutomationDetail,
  everyText,
  isStartedByMessages,
  obstacleOf,
  stagesOf,
  titleOf,
} from './automation.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import classes from './detail.module.css';
import { AutomationState, usePause } from './pause-switch.tsx';
import { Preview } from './preview/preview.tsx';
import { FailuresSection, ObstacleNote, WaitingNotice } from './troubles.tsx';
import { TrySection } from './try-section.tsx';
import { type LivePost, useLivePosts } from './use-automations.ts';

const texts = words.automationPage;
const pauseTexts = words.automationsPage.pause;

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
      <Reading
        of={{ ...read, data: undefined }}
        waiting={
          <>
            <Skeleton kind="card" rows={1} />
            <Skeleton kind="card" rows={2} />
          </>
        }
      />
    </Page>
  );
}

const conversationLog = loadable(() => import('./conversations-section.tsx'));

const Back = () => <Link to="/automations">{words.automationsPage.back}</Link>;

function Details({ automation }: { automation: AutomationDetail }) {
  const { id, accountId, platformPostId, isActive, followGate } = automation;
  const { name: workspace } = useWorkspace();
  const navigate = useNavigate();
  const accounts = useAccountsById();
  const account = accounts?.get(accountId);
  const live = useLivePosts()(accountId, platformPostId);
  const title = titleOf(automation, live?.post);
  const [isRemoving, setRemoving] = useState(false);
  const log = useLoaded(conversationLog);
  const pause = usePause({ id, isActive, title });
  const toggle = () => pause.set(!isActive);
  const edit = () => void navigate({ to: '/automations/$id/edit', params: { id } });
  useCommands([
    { name: texts.edit, icon: 'pencil', group: 'page', keys: 'e', run: edit },
    {
      name: isActive ? pauseTexts.pause : pauseTexts.resume,
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
            {isActive ? pauseTexts.pause : pauseTexts.resume}
          </Button>
          <ButtonLink to="/automations/$id/edit" params={{ id }} variant="primary" icon="pencil">
            {texts.edit}
          </ButtonLink>
        </>
      }
    >
      {pause.error && <ErrorNotice error={pause.error} title={pauseTexts.failed(title)} />}
      {!isActive && (
        <Notice tone="info" title={texts.pausedTitle}>
          {texts.pausedText}
        </Notice>
      )}
      <StartNotice automation={automation} />
      {isActive && obstacle && <ObstacleNote obstacle={obstacle} accountId={accountId} />}
      <WaitingNotice automation={automation} account={account} />
      <FunnelSection automation={automation} />
      <FailuresSection automation={automation} account={account} permalink={live?.target.permalink ?? null} />
      {log && <log.ConversationsSection id={id} />}
      <ClicksSection automation={automation} />
      <WithAside isSticky aside={<Preview automation={automation} account={account} />}>
        <Stack gap={6}>
          <SettingsSection automation={automation} live={live} />
          <TrySection id={id} hasGate={followGate !== null} isByMessages={isStartedByMessages(automation)} />
        </Stack>
      </WithAside>
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

/** Says what an automation waits for before it answers anything. */
function StartNotice({ automation: { appliesTo, start } }: { automation: AutomationDetail }) {
  const known = words.automationsPage.starts[start.state];
  if (start.state === 'started' || !known) return null;
  const isWaiting = start.state === 'awaiting_post';
  return (
    <Notice tone={isWaiting ? 'info' : 'warn'} title={known.title}>
      {isWaiting && appliesTo === 'next_post' ? words.automationsPage.startsWithNext : known.text}
    </Notice>
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

const funnelTexts = words.automationsPage.funnel;
const numbers = new Intl.NumberFormat(locale);

/** Matched, replied, messaged, clicked. */
function FunnelSection({ automation }: { automation: AutomationDetail }) {
  return (
    <Section
      title={isStartedByMessages(automation) ? funnelTexts.messagesTitle : funnelTexts.title}
      isCard
      actions={
        <Muted as="span">
          {funnelTexts.since} <Time at={automation.createdAt} format="date" />
        </Muted>
      }
    >
      <div className={classes.funnelFrame}>
        <ol className={classes.funnel}>
          {stagesOf(automation).map(({ id, title, text, value, share, note, isUsed }) => (
            <li key={id} className={classes.stage}>
              <p className={classes.stageTitle}>
                {title}
                {id !== 'clicks' && <Icon name="arrow" size={12} />}
              </p>
              <p className={classes.value}>
                {isUsed || value > 0 ? (
                  numbers.format(value)
                ) : (
                  <Muted as="span" size="m">
                    –
                  </Muted>
                )}
              </p>
              <span className={classes.track} aria-hidden="true">
                <span style={{ inlineSize: `${share * 100}%` }} />
              </span>
              <Muted>{isUsed || value > 0 ? text : funnelTexts.unused}</Muted>
              {(isUsed || value > 0) && note && <Muted>{note}</Muted>}
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}

const clickTexts = words.automationPage.clicks;
const shownDays = 30;

type LinkRow = AutomationDetail['links'][number] & { latest: number };

const columns: readonly Column<LinkRow>[] = [
  {
    id: 'link',
    title: clickTexts.columns.link,
    isRowHeader: true,
    cell: (link) => <LinkAddress {...link} />,
  },
  {
    id: 'latest',
    title: clickTexts.columns.days,
    width: '7rem',
    isEnd: true,
    cell: ({ latest }) => numbers.format(latest),
  },
  {
    id: 'clicks',
    title: clickTexts.columns.clicks,
    width: '6rem',
    isEnd: true,
    cell: ({ clicks }) => numbers.format(clicks),
  },
];

/** Clicks on the automation's links in the last days, and each link. */
function ClicksSection({ automation: { id, links } }: { automation: AutomationDetail }) {
  const { timezone } = useWorkspace();
  const today = dayIn(new Date(), timezone);
  const from = addDays(today, 1 - shownDays);
  const read = useGet<typeof listLinksOperation>(
    '/v1/links',
    { query: { automationId: id, from, to: today, timezone } },
    { isEnabled: links.length > 0 },
  );
  const rowsOf = (counted: ReplyOf<typeof listLinksOperation>['links']) =>
    links.map((link) => {
      const latest = counted.filter(({ address }) => address === link.address);
      return { ...link, latest: totalOf(clicksPerDay(latest, from, today)) };
    });
  return (
    <Section
      title={clickTexts.title}
      isCard
      actions={
        links.length > 0 && (
          <Link to="/links" search={{ automation: id }}>
            {clickTexts.all}
          </Link>
        )
      }
    >
      {links.length === 0 ? (
        <Muted>{clickTexts.none}</Muted>
      ) : (
        <Reading of={read} rows={4}>
          {({ links: counted }) => (
            <>
              <ClickChart days={clicksPerDay(counted, from, today)} />
              <Muted>{words.clicks.chart.zone(timezone)}</Muted>
              <Table
                label={clickTexts.linksLabel}
                columns={columns}
                rows={rowsOf(counted)}
                idOf={({ address }) => address}
                isFaded={({ isSent }) => !isSent}
              />
            </>
          )}
        </Reading>
      )}
    </Section>
  );
}

const settingTexts = words.automationPage.settings;

interface SettingsSectionProps {
  automation: AutomationDetail;
  live: LivePost | undefined;
}

/** The settings that the preview does not show. */
function SettingsSection({ automation, live }: SettingsSectionProps) {
  const { id, keywords, matchMode, typoTolerance, trackLinks, dmMessage, platformPostId } = automation;
  const hasKeywords = keywords.length > 0;
  return (
    <Section title={settingTexts.title} isCard>
      <Facts
        of={{
          [settingTexts.keywords]: hasKeywords ? (
            <ul className={classes.keywords}>
              {keywords.map((keyword) => (
                <li key={keyword}>
                  <bdi>{keyword}</bdi>
                </li>
              ))}
            </ul>
          ) : (
            everyText(automation)
          ),
          [settingTexts.mode]: hasKeywords && words.automationsPage.matchModes[matchMode].name,
          [settingTexts.typos]: hasKeywords && (typoTolerance ? settingTexts.typosOn : settingTexts.typosOff),
          [settingTexts.tracking]:
            dmMessage !== null && (trackLinks ? settingTexts.trackingOn : settingTexts.trackingOff),
          [words.automationsPage.post]: (live || automation.postId !== null) && (
            <span className={classes.links}>
              <Link to="/posts/$id" params={{ id: live?.post.id ?? automation.postId ?? '' }}>
                {words.automationsPage.openPost}
              </Link>
              {live && live.target.permalink !== null && (
                <ExternalLink href={live.target.permalink}>{words.automationsPage.atPlatform}</ExternalLink>
              )}
            </span>
          ),
          [settingTexts.posts]: words.automationsPage.posts[automation.appliesTo].name,
          [settingTexts.postId]: platformPostId !== null && (
            <CopiedCode text={platformPostId} label={settingTexts.copyPostId} />
          ),
          [settingTexts.id]: <CopiedCode text={id} label={settingTexts.copyId} />,
          [settingTexts.created]: <Time at={automation.createdAt} />,
          [settingTexts.updated]: automation.updatedAt !== automation.createdAt && (
            <Time at={automation.updatedAt} />
          ),
        }}
      />
    </Section>
  );
}
