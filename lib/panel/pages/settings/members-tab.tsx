import { useState } from 'react';
import type { listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Section } from '../../components/section.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import { useIsOwner } from '../../workspace.tsx';
import { InviteDialog } from './members/invite-dialog.tsx';
import { type Member, nameOf } from './members/member.ts';
import classes from './members/members.module.css';
import { type MemberAction, MembersTable } from './members/members-table.tsx';
import { RemoveDialog } from './members/remove-dialog.tsx';
import { RoleDialog } from './members/role-dialog.tsx';
import { Reading } from './reading.tsx';

const texts = words.settingsPage.members;
/** A shorter list is read faster than a search is typed. */
const searchedFrom = 10;

type Open = { dialog: 'invite'; told?: Member } | { dialog: 'role' | 'remove'; member: Member };

/** Who works in the workspace, and who is invited. Owners change it. */
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
      <Listed members={members} onAction={isOwner ? act : undefined} />
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
  onAction: ((action: MemberAction, member: Member) => void) | undefined;
}

/** Owners first, then by name; a search if there are many. */
function Listed({ members, onAction }: ListedProps) {
  const [words, setWords] = useState('');
  const ordered = members.toSorted(byRoleAndName);
  const shown = ordered.filter((member) => matches(member, words));
  const owners = members.filter(({ role, status }) => role === 'owner' && status === 'active');
  const onlyOwner = owners.length === 1 ? owners[0] : undefined;
  return (
    <>
      {members.length >= searchedFrom && (
        <div className={classes.search}>
          <SearchField label={texts.search} value={words} onChange={setWords} />
          <p role="status" className={classes.found}>
            {words.trim() !== '' && texts.found(shown.length)}
          </p>
        </div>
      )}
      {shown.length > 0 ? (
        <MembersTable members={shown} onlyOwnerId={onlyOwner?.id} onAction={onAction} />
      ) : (
        <EmptyState
          icon="search"
          title={texts.noneFoundTitle}
          action={<Button onPress={() => setWords('')}>{texts.showAll}</Button>}
        />
      )}
      {onlyOwner && onAction && members.length > 1 && (
        <p className={classes.minor}>{texts.onlyOwnerText(nameOf(onlyOwner))}</p>
      )}
    </>
  );
}

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

const rank = ({ role, status }: Member) => (status === 'invited' ? 2 : role === 'owner' ? 0 : 1);

const byRoleAndName = (one: Member, other: Member) =>
  rank(one) - rank(other) || collator.compare(nameOf(one), nameOf(other));

const matches = ({ name, email }: Member, words: string): boolean => {
  const text = `${name ?? ''} ${email}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
