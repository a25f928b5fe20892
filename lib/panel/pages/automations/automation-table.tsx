import { useNavigate } from '@tanstack/react-router';
import { handleOf, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Menu } from '../../components/menu.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { excerptOf } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { Counts } from './counts.tsx';
import classes from './list.module.css';
import { ObstacleNote } from './obstacle-note.tsx';
import { PauseSwitch } from './pause-switch.tsx';
import { obstacleOf, type Row } from './rows.ts';
import { keywordSummary } from './titles.ts';

const texts = words.automationsPage.list;

interface AutomationTableProps {
  rows: readonly Row[];
  onRemove: (row: Row) => void;
}

/** The automations with what each does, has done, and whether it is on. */
export function AutomationTable({ rows, onRemove }: AutomationTableProps) {
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
  ] satisfies readonly Column<Row>[];
  return <Table label={texts.label} columns={columns} rows={rows} idOf={({ automation }) => automation.id} />;
}

function Name(row: Row) {
  const { automation, title, account, areAccountsRead, live } = row;
  const excerpt = live && excerptOf(live.post);
  const handle = account && (handleOf(account) ?? nameOf(account));
  const obstacle = automation.isActive ? obstacleOf(row) : undefined;
  return (
    <div className={classes.name}>
      <PlatformMark platform="instagram" />
      <div className={classes.names}>
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
        {obstacle && <ObstacleNote obstacle={obstacle} accountId={automation.accountId} />}
      </div>
    </div>
  );
}

function Does({ automation }: Row) {
  const { keywords, commentReply, dmMessage, buttons, followGate } = automation;
  const { shown, more } = keywordSummary(keywords);
  const does = [
    commentReply !== null && words.automationsPage.does.reply,
    followGate !== null && words.automationsPage.does.gate,
    dmMessage !== null && words.automationsPage.does.message,
    buttons.length > 0 && words.automationsPage.does.buttons(buttons.length),
  ].filter((each) => each !== false);
  return (
    <div className={classes.does}>
      <p className={classes.keywords}>
        {keywords.length === 0 && words.automationsPage.everyComment}
        {shown.map((keyword) => (
          <bdi key={keyword} className={classes.keyword}>
            {keyword}
          </bdi>
        ))}
        {more > 0 && <span className={classes.minor}>{words.automationsPage.more(more)}</span>}
      </p>
      <p className={classes.minor}>
        {does.map((each, place) => (place === 0 ? each : each.toLocaleLowerCase())).join(', ')}
      </p>
    </div>
  );
}

function RowMenu({ row, onRemove }: { row: Row; onRemove: (row: Row) => void }) {
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
