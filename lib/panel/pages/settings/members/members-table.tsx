import { useMemo } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import type { MenuAction } from '../../../components/menu-action.ts';
import { Badge, Status } from '../../../components/status.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import { type Member, nameOf } from './member.ts';
import classes from './members.module.css';

const texts = words.settingsPage.members;

export type MemberAction = 'role' | 'remove' | 'tell';

interface MembersTableProps {
  members: readonly Member[];
  onlyOwnerId: string | undefined;
  onAction: ((action: MemberAction, member: Member) => void) | undefined;
}

export function MembersTable({ members, onlyOwnerId, onAction }: MembersTableProps) {
  const columns = useMemo(() => {
    const all: Column<Member>[] = [
      {
        id: 'person',
        title: texts.columns.person,
        isRowHeader: true,
        width: 'minmax(0, 6fr)',
        cell: (member) => <Person member={member} />,
      },
      {
        id: 'role',
        title: texts.columns.role,
        width: 'minmax(0, 2fr)',
        cell: ({ id, role }) => (
          <span className={classes.role}>
            {words.settingsPage.roles[role].name}
            {id === onlyOwnerId && onAction && <span className={classes.minor}>{texts.onlyOwner}</span>}
          </span>
        ),
      },
      {
        id: 'status',
        title: texts.columns.status,
        width: '6rem',
        cell: ({ status }) =>
          status === 'active' ? (
            <Status tone="good">{texts.active}</Status>
          ) : (
            <Status tone="info">{texts.invited}</Status>
          ),
      },
      {
        id: 'since',
        title: texts.columns.since,
        width: 'minmax(0, 3fr)',
        cell: ({ createdAt, joinedAt }) => <Time at={joinedAt ?? createdAt} />,
      },
    ];
    if (onAction === undefined) return all;
    const actions: Column<Member> = {
      id: 'actions',
      title: texts.columns.actions,
      isTitleHidden: true,
      isInCorner: true,
      width: 'var(--control)',
      cell: (member) => (
        <Menu
          trigger={<IconButton icon="dots" label={texts.actionsFor(nameOf(member))} />}
          label={texts.actionsFor(nameOf(member))}
          actions={actionsOf(member, member.id === onlyOwnerId, (action) => onAction(action, member))}
        />
      ),
    };
    return [...all, actions];
  }, [onlyOwnerId, onAction]);
  return <Table label={texts.label} columns={columns} rows={members} idOf={({ id }) => id} />;
}

function Person({ member: { name, email, isYou } }: { member: Member }) {
  return (
    <span className={classes.person}>
      <span className={classes.names}>
        <bdi>{name ?? email}</bdi>
        {name !== null && <bdi className={classes.minor}>{email}</bdi>}
      </span>
      {isYou && <Badge>{texts.you}</Badge>}
    </span>
  );
}

function actionsOf(
  { status, isYou }: Member,
  isOnlyOwner: boolean,
  act: (action: MemberAction) => void,
): MenuAction[] {
  const last = isOnlyOwner ? { isDisabled: true, note: texts.lastOwner } : {};
  const role: MenuAction = {
    id: 'role',
    name: texts.changeRole,
    icon: 'user',
    run: () => act('role'),
    ...last,
  };
  const remove: MenuAction = {
    id: 'remove',
    name: status === 'invited' ? texts.withdraw : isYou ? texts.leave : texts.remove,
    icon: isYou ? 'signOut' : 'trash',
    isDangerous: true,
    run: () => act('remove'),
    ...last,
  };
  const tell: MenuAction = { id: 'tell', name: texts.howToJoin, icon: 'info', run: () => act('tell') };
  return status === 'invited' ? [tell, role, remove] : [role, remove];
}
