import { useState } from 'react';
import type { listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Menu } from '../../components/menu.tsx';
import type { MenuAction } from '../../components/menu-action.ts';
import { Reading } from '../../components/reading.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Section } from '../../components/section.tsx';
import { Badge, Status } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import { useIsOwner } from '../../workspace.tsx';
import { InviteDialog, type Member, nameOf, RemoveDialog, RoleDialog } from './member-dialogs.tsx';
import classes from './settings.module.css';

const texts = words.settingsPage.members;

/** A shorter list is read faster than a search is typed. */
const searchedFrom = 10;

type Open = { dialog: 'invite'; told?: Member } | { dialog: 'role' | 'remove'; member: Member };

/** The members of the workspace, and those who are invited. Owners change them. */
export default function MembersTab() {
  const members = useGet<typeof listMembersOperation>('/panel/members');
  return <Reading of={members}>{({ members }) => <Members members={members} />}</Reading>;
}

function Members({ members }: { members: readonly Member[] }) {
  const isOwner = useIsOwner();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const invite = () => setOpen({ dialog: 'invite' });
  useCommands(isOwner ? [{ name: texts.invite, icon: 'plus', group: 'page', keys: 'n', run: invite }] : []);
  const active = members.filter(({ status }) => status === 'active');
  const act = (action: MemberAction, member: Member) =>
    setOpen(action === 'tell' ? { dialog: 'invite', told: member } : { dialog: action, member });
  const inviteButton = (
    <Button variant="primary" icon="plus" onPress={invite}>
      {texts.invite}
    </Button>
  );
  return (
    <Section
      title={texts.label}
      lead={
        isOwner
          ? texts.lead(active.length, members.length - active.length)
          : `${texts.lead(active.length, members.length - active.length)}. ${texts.ownersChange}`
      }
      actions={isOwner && members.length > 1 && inviteButton}
    >
      <Listed members={members} isOwner={isOwner} onAction={act} />
      {isOwner && members.length === 1 && (
        <EmptyState icon="accounts" title={texts.aloneTitle} action={inviteButton}>
          <p>{texts.aloneText}</p>
        </EmptyState>
      )}
      {open?.dialog === 'invite' && <InviteDialog told={open.told} onClose={close} />}
      {open?.dialog === 'role' && <RoleDialog member={open.member} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDialog member={open.member} onClose={close} />}
    </Section>
  );
}

interface ListedProps {
  members: readonly Member[];
  isOwner: boolean;
  onAction: (action: MemberAction, member: Member) => void;
}

/** Owners first, then by name; a search if there are many. */
function Listed({ members, isOwner, onAction }: ListedProps) {
  const [words, setWords] = useState('');
  const ordered = members.toSorted(byRoleAndName);
  const shown = ordered.filter((member) => matches(member, words));
  const owners = members.filter(({ role, status }) => role === 'owner' && status === 'active');
  const onlyOwner = owners.length === 1 ? owners[0] : undefined;
  return (
    <>
      {members.length >= searchedFrom && (
        <div className={classes.memberSearch}>
          <SearchField label={texts.search} value={words} onChange={setWords} />
          <p role="status" className={classes.memberFound}>
            {words.trim() !== '' && texts.found(shown.length)}
          </p>
        </div>
      )}
      {shown.length > 0 ? (
        <MembersTable members={shown} onlyOwnerId={onlyOwner?.id} isOwner={isOwner} onAction={onAction} />
      ) : (
        <EmptyState
          icon="search"
          title={texts.noneFoundTitle}
          action={<Button onPress={() => setWords('')}>{texts.showAll}</Button>}
        />
      )}
      {onlyOwner && isOwner && members.length > 1 && <Muted>{texts.onlyOwnerText(nameOf(onlyOwner))}</Muted>}
    </>
  );
}

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

const rank = ({ role, status }: Member) => (status !== 'active' ? 2 : role === 'owner' ? 0 : 1);

const byRoleAndName = (one: Member, other: Member) =>
  rank(one) - rank(other) || collator.compare(nameOf(one), nameOf(other));

const matches = ({ name, email }: Member, words: string): boolean => {
  const text = `${name ?? ''} ${email}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

type MemberAction = 'role' | 'remove' | 'tell';

interface MembersTableProps {
  members: readonly Member[];
  onlyOwnerId: string | undefined;
  isOwner: boolean;
  onAction: (action: MemberAction, member: Member) => void;
}

function MembersTable({ members, onlyOwnerId, isOwner, onAction }: MembersTableProps) {
  const columns: Column<Member>[] = [
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
        <Stack as="span" gap={0} align="start">
          {words.settingsPage.roles[role].name}
          {id === onlyOwnerId && isOwner && <Muted as="span">{texts.onlyOwner}</Muted>}
        </Stack>
      ),
    },
    {
      id: 'status',
      title: texts.columns.status,
      width: '6rem',
      cell: ({ status }) => <Status tone={tones[status]}>{texts[status]}</Status>,
    },
    {
      id: 'since',
      title: texts.columns.since,
      width: 'minmax(0, 3fr)',
      cell: ({ createdAt, joinedAt }) => <Time at={joinedAt ?? createdAt} />,
    },
    {
      id: 'actions',
      title: texts.columns.actions,
      isTitleHidden: true,
      isInCorner: true,
      width: 'var(--control)',
      // Who is not an owner can only leave.
      cell: (member) =>
        (isOwner || member.isYou) && (
          <Menu
            trigger={<IconButton icon="dots" label={texts.actionsFor(nameOf(member))} />}
            label={texts.actionsFor(nameOf(member))}
            actions={actionsOf(member, member.id === onlyOwnerId, (action) =>
              onAction(action, member),
            ).filter(({ id }) => isOwner || id === 'remove')}
          />
        ),
    },
  ];
  return <Table label={texts.label} columns={columns} rows={members} idOf={({ id }) => id} />;
}

const tones = { active: 'good', invited: 'info', ended: 'warn' } as const;

function Person({ member: { name, email, isYou } }: { member: Member }) {
  return (
    <Row as="span" isOneLine>
      <span className={classes.memberNames}>
        <bdi>{name ?? email}</bdi>
        {name !== null && <bdi className={classes.note}>{email}</bdi>}
      </span>
      {isYou && <Badge>{texts.you}</Badge>}
    </Row>
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
    name: status !== 'active' ? texts.withdraw : isYou ? texts.leave : texts.remove,
    icon: isYou ? 'signOut' : 'trash',
    isDangerous: true,
    run: () => act('remove'),
    ...last,
  };
  const tell: MenuAction = { id: 'tell', name: texts.howToJoin, icon: 'info', run: () => act('tell') };
  if (status === 'ended') return [remove];
  return status === 'invited' ? [tell, role, remove] : [role, remove];
}
