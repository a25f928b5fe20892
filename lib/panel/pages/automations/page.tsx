import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { readAutomationOperation } from '../../../automations/operations.ts';
import { handleOf, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Menu } from '../../components/menu.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { excerptOf } from '../../posts/post.ts';
import { useCommands } from '../../shortcuts.ts';
import { useFilters, useTyped } from '../../use-filters.ts';
import { locale, words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import {
  type Automation,
  type AutomationRow,
  everyText,
  filterRows,
  isState,
  keywordSummary,
  obstacleOf,
  titleOf,
} from './automation.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import classes from './list.module.css';
import { PauseSwitch } from './pause-switch.tsx';
import { shortReasonsOf } from './reasons.ts';
import { ObstacleNote } from './troubles.tsx';
import { useAutomations, useLivePosts } from './use-automations.ts';

const texts = words.automationsPage.list;

/** The automations of the workspace, with what each has done. */
export function AutomationsPage() {
  const { name } = useWorkspace();
  const navigate = useNavigate();
  const create = () => void navigate({ to: '/automations/new' });
  useCommands([{ name: words.automationsPage.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  return (
    <Page
      title={words.automationsPage.title}
      of={name}
      lead={words.automationsPage.lead}
      actions={
        <ButtonLink to="/automations/new" variant="primary" icon="plus">
          {words.automationsPage.create}
        </ButtonLink>
      }
    >
      <AutomationList />
    </Page>
  );
}

function AutomationList() {
  const { pages, automations, isReading } = useAutomations();
  const accounts = useAccountsById();
  const postOf = useLivePosts();
  const [removed, setRemoved] = useState<AutomationRow>();
  const { values, set, clear } = useFilters(['q', 'account', 'state']);
  const [text, setText] = useTyped(values.q, (q) => set({ q }));
  const wanted = useDeferredValue(text);
  const rows = (automations ?? []).map((automation): AutomationRow => {
    const live = postOf(automation.accountId, automation.platformPostId);
    const account = accounts?.get(automation.accountId);
    return {
      automation,
      live,
      account,
      areAccountsRead: accounts !== undefined,
      title: titleOf(automation, live?.post),
    };
  });
  const { account, state } = values;
  const accountNames = Object.fromEntries(
    rows.flatMap(({ account }) => (account ? [[account.id, nameOf(account)]] : [])),
  );
  const shown = filterRows(rows, { text: wanted, account, state: isState(state) ? state : undefined });
  if (automations === undefined) return <Reading of={pages} rows={6} />;
  if (rows.length === 0) return <NoAutomations />;
  return (
    <Stack>
      {pages.isError && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.stale} />
      )}
      <FilterBar
        search={{ label: texts.search, text, onText: setText, command: texts.searchCommand }}
        count={texts.shown(shown.length, rows.length)}
      >
        <Filter
          label={texts.account}
          all={texts.anyAccount}
          names={accountNames}
          value={values.account}
          onChange={(account) => set({ account })}
        />
        <Filter
          label={texts.state}
          all={texts.anyState}
          names={words.automationsPage.states}
          value={values.state}
          onChange={(state) => set({ state })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title={texts.noMatchTitle}
          action={
            <Button
              onPress={() => {
                setText('');
                clear();
              }}
            >
              {texts.clearFilters}
            </Button>
          }
        >
          <p>{texts.noMatchText}</p>
        </EmptyState>
      ) : (
        <AutomationTable rows={shown} onRemove={setRemoved} />
      )}
      {isReading ? (
        <Muted role="status">{texts.reading}</Muted>
      ) : (
        <>
          {pages.hasNextPage && <Muted>{texts.partial}</Muted>}
          <LoadMore pages={pages} />
        </>
      )}
      <DeleteDialog
        automation={removed && { id: removed.automation.id, title: removed.title }}
        onClose={() => setRemoved(undefined)}
      />
    </Stack>
  );
}

/** Takes the place of the list. The next step depends on whether an account can have automations. */
function NoAutomations() {
  const { data } = useAccounts();
  const hasAccount = data?.accounts.some(({ capabilities }) => capabilities.includes('comments')) ?? true;
  return (
    <EmptyState
      icon="automations"
      title={texts.emptyTitle}
      action={
        hasAccount ? (
          <ButtonLink to="/automations/new" variant="primary" icon="plus">
            {words.automationsPage.create}
          </ButtonLink>
        ) : (
          <ButtonLink to="/accounts" variant="primary" icon="accounts">
            {texts.connect}
          </ButtonLink>
        )
      }
    >
      <p>{texts.emptyText}</p>
      {!hasAccount && <p>{texts.noAccountText}</p>}
    </EmptyState>
  );
}

interface AutomationTableProps {
  rows: readonly AutomationRow[];
  onRemove: (row: AutomationRow) => void;
}

/** The automations with what each does, has done, and whether it is on. */
function AutomationTable({ rows, onRemove }: AutomationTableProps) {
  const columns = [
    { id: 'name', title: texts.columns.name, width: 'minmax(0, 1.35fr)', isRowHeader: true, cell: Name },
    { id: 'does', title: texts.columns.does, width: 'minmax(0, 1fr)', cell: Does },
    {
      id: 'counts',
      title: texts.columns.counts,
      width: '20.5rem',
      cell: ({ automation }) => <Counts automation={automation} />,
    },
    {
      id: 'state',
      title: texts.columns.state,
      width: '8rem',
      cell: ({ automation, title }) => <PauseSwitch automation={automation} title={title} />,
    },
    {
      id: 'menu',
      title: texts.columns.menu,
      width: '2rem',
      isTitleHidden: true,
      isInCorner: true,
      cell: (row) => <RowMenu row={row} onRemove={onRemove} />,
    },
  ] satisfies readonly Column<AutomationRow>[];
  return <Table label={texts.label} columns={columns} rows={rows} idOf={({ automation }) => automation.id} />;
}

function Name(row: AutomationRow) {
  const { automation, title, account, areAccountsRead, live } = row;
  const excerpt = live && excerptOf(live.post);
  const handle = account && (handleOf(account) ?? nameOf(account));
  const obstacle = automation.isActive ? obstacleOf(row) : undefined;
  return (
    <div className={classes.name}>
      <PlatformMark platform="instagram" />
      <Stack gap={0}>
        <a href={`/automations/${automation.id}`} className={classes.link}>
          <bdi>{title}</bdi>
        </a>
        <p className={classes.minorLine}>
          <bdi>{handle ?? (areAccountsRead ? words.account.disconnected : '…')}</bdi>
          {excerpt !== undefined && automation.name !== null && (
            <>
              {' · '}
              <bdi>{excerpt}</bdi>
            </>
          )}
        </p>
        {automation.start.state !== 'started' && (
          <p className={classes.minorLine}>{words.automationsPage.starts[automation.start.state]?.title}</p>
        )}
        {obstacle && <ObstacleNote obstacle={obstacle} accountId={automation.accountId} />}
      </Stack>
    </div>
  );
}

function Does({ automation }: AutomationRow) {
  const { keywords, commentReply, dmMessage, buttons, followGate } = automation;
  const { shown, more } = keywordSummary(keywords);
  const does = [
    commentReply !== null && words.automationsPage.does.reply,
    followGate !== null && words.automationsPage.does.gate,
    dmMessage !== null && words.automationsPage.does.message,
    buttons.length > 0 && words.automationsPage.does.buttons(buttons.length),
  ].filter((each) => each !== false);
  return (
    <Stack gap={1}>
      <Row as="p" gap={1}>
        {keywords.length === 0 && everyText(automation)}
        {shown.map((keyword) => (
          <bdi key={keyword} className={classes.keyword}>
            {keyword}
          </bdi>
        ))}
        {more > 0 && <Muted as="span">{words.automationsPage.more(more)}</Muted>}
      </Row>
      <Muted>{does.map((each, place) => (place === 0 ? each : each.toLocaleLowerCase())).join(', ')}</Muted>
    </Stack>
  );
}

function RowMenu({ row, onRemove }: { row: AutomationRow; onRemove: (row: AutomationRow) => void }) {
  const navigate = useNavigate();
  const { automation, title } = row;
  const { id } = automation;
  return (
    <Menu
      label={texts.actions(title)}
      trigger={<IconButton icon="dots" label={texts.actions(title)} size="small" />}
      actions={[
        {
          id: 'edit',
          name: texts.edit,
          icon: 'pencil',
          run: () => void navigate({ to: '/automations/$id/edit', params: { id } }),
        },
        {
          id: 'links',
          name: texts.links,
          icon: 'links',
          run: () => void navigate({ to: '/links', search: { automation: id } }),
        },
        { id: 'delete', name: texts.delete, icon: 'trash', isDangerous: true, run: () => onRemove(row) },
      ]}
    />
  );
}

/** Each row takes a request of its own. */
const everyMs = 60_000;
const numbers = new Intl.NumberFormat(locale);

/**
 * The counts of an automation, and what waits. A list does not have this, so it is read for each row, once the row comes into sight.
 */
function Counts({ automation }: { automation: Automation }) {
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(place);
  const read = useGet<typeof readAutomationOperation>(
    '/v1/comment-automations/{id}',
    { path: { id: automation.id } },
    { isEnabled: isSeen, refetchEveryMs: everyMs },
  );
  const { counts, waiting } = read.data?.automation ?? {};
  const isHourly = waiting?.reasons.every(({ reason }) => reason === 'hourly_limit') ?? false;
  const isUsed = {
    matched: true,
    replied: automation.commentReply !== null,
    messaged: automation.dmMessage !== null,
    clicks: automation.dmMessage !== null,
    failed: true,
  };
  return (
    <div ref={place} className={classes.counts}>
      <dl className={classes.numbers}>
        {(['matched', 'replied', 'messaged', 'clicks', 'failed'] as const).map((name) => (
          <div key={name}>
            <dt>{texts.counts[name]}</dt>
            <dd className={counts?.[name] ? (name === 'failed' ? classes.failed : undefined) : classes.zero}>
              {counts === undefined
                ? '…'
                : isUsed[name] || counts[name] > 0
                  ? numbers.format(counts[name])
                  : '–'}
            </dd>
          </div>
        ))}
      </dl>
      {waiting !== undefined && waiting.count > 0 && (
        <p className={classes.waiting}>
          <Icon name="clock" size={14} />
          <span>
            {isHourly
              ? texts.waiting(waiting.count)
              : texts.waitingFor(waiting.count, shortReasonsOf(waiting.reasons))}{' '}
            {isHourly && waiting.until !== null && (
              <>
                {texts.until} <Time at={waiting.until} format="time" isInline />
              </>
            )}
          </span>
        </p>
      )}
      {read.isError && !read.data && <Muted>{texts.countsFailed}</Muted>}
    </div>
  );
}

/** Returns true once an element has been in sight, or close to it. */
function useIsSeen(place: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen, place]);
  return isSeen;
}
