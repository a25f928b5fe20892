import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  editMemberOperation,
  inviteMemberOperation,
  leaveWorkspaceOperation,
  listMembersOperation,
  removeMemberOperation,
} from '../../../people/operations.ts';
import { ApiError } from '../../api/api-error.ts';
import { useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/form.tsx';
import { Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { TextField } from '../../components/text-field.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './settings.module.css';

const texts = words.settingsPage.members;

/** A member of the workspace, or somebody who is invited. */
export type Member = ReplyOf<typeof listMembersOperation>['members'][number];

/** Returns the name of a member in the panel. */
export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email;

interface InviteDialogProps {
  told: Member | undefined;
  onClose: () => void;
}

/** Invites somebody, then says what to tell that person: the service sends no email. */
export function InviteDialog({ told, onClose }: InviteDialogProps) {
  const [invited, setInvited] = useState(told);
  if (invited === undefined) return <Invite onInvited={setInvited} onClose={onClose} />;
  return (
    <Dialog
      title={told ? texts.toldTitle : texts.invitedTitle(invited.email)}
      isOpen
      onClose={onClose}
      size="medium"
    >
      <DialogBody>
        <HowToJoin email={invited.email} />
      </DialogBody>
      <DialogActions>
        {!told && <Button onPress={() => setInvited(undefined)}>{texts.another}</Button>}
        <Button variant="primary" onPress={onClose} autoFocus>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface InviteProps {
  onInvited: (member: Member) => void;
  onClose: () => void;
}

function Invite({ onInvited, onClose }: InviteProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useSend<typeof inviteMemberOperation>('POST', '/panel/members', ['/panel/members']);
  const submit = () =>
    invite.mutate({ body: { email, role } }, { onSuccess: ({ member }) => onInvited(member) });
  return (
    <Dialog title={texts.inviteTitle} isOpen onClose={onClose}>
      <DialogForm
        submit={texts.inviteAction}
        sending={{ isPending: invite.isPending, error: atAddress(invite.error) }}
        errorTitle={texts.notInvited}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextField
          name="email"
          type="email"
          label={texts.email}
          help={texts.emailHelp}
          value={email}
          onChange={setEmail}
          isRequired
          maxLength={254}
          autoComplete="off"
          autoFocus
        />
        <RoleChoice value={role} onChange={setRole} />
      </DialogForm>
    </Dialog>
  );
}

/** The service says only in words that the address is what is wrong. */
function atAddress(error: ApiError | null): ApiError | null {
  if (error?.code !== 'member_exists') return error;
  const problem = { param: 'email', code: error.code, message: texts.emailTaken };
  return new ApiError(error.message, { ...error, problems: [problem] });
}

function HowToJoin({ email }: { email: string }) {
  const { name } = useWorkspace();
  const url = location.origin;
  return (
    <Stack>
      <p>
        {texts.tell} <bdi className={classes.address}>{email}</bdi>
      </p>
      <CopyField label={texts.panelAddress} value={url} copyLabel={texts.copyPanelAddress} />
      <CodeBlock
        label={texts.message}
        code={texts.messageText(name, url, email)}
        copyLabel={texts.copyMessage}
      />
    </Stack>
  );
}

interface RoleDialogProps {
  member: Member;
  onClose: () => void;
}

/** Gives a member, or somebody who is invited, another role. */
export function RoleDialog({ member, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const queries = useQueryClient();
  const edit = useSend<typeof editMemberOperation>('PATCH', '/panel/members/{id}', ['/panel/members']);
  const who = nameOf(member);
  const save = () => {
    if (role === member.role) return onClose();
    edit.mutate(
      { path: { id: member.id }, body: { role } },
      {
        onSuccess: () => {
          toast({ text: texts.roleSaved(who, words.settingsPage.roles[role].name) });
          if (member.isYou) void queries.invalidateQueries({ queryKey: ['me'] });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={texts.roleTitle(who)} isOpen onClose={onClose}>
      <DialogForm
        submit={texts.roleSave}
        isDangerous={member.isYou}
        sending={edit}
        errorTitle={texts.roleNotSaved}
        onSubmit={save}
        onClose={onClose}
      >
        <RoleChoice value={role} onChange={setRole} />
        {member.isYou && role === 'member' ? (
          <Notice tone="warn" isLive>
            {texts.roleLoseYours}
          </Notice>
        ) : (
          <p>{texts.roleHolds}</p>
        )}
      </DialogForm>
    </Dialog>
  );
}

interface RemoveDialogProps {
  member: Member;
  onClose: () => void;
}

/** Removes a member, who may be the person; or withdraws an invitation. */
export function RemoveDialog({ member, onClose }: RemoveDialogProps) {
  const { name: workspace } = useWorkspace();
  const queries = useQueryClient();
  const remove = useSend<typeof removeMemberOperation>('DELETE', '/panel/members/{id}', ['/panel/members']);
  // After leaving, nothing of the workspace can be read.
  const leave = useSend<typeof leaveWorkspaceOperation>('DELETE', '/panel/membership');
  const { isPending, error } = member.isYou ? leave : remove;
  const words = wordsFor(member, workspace);
  const onSuccess = () => {
    toast({ text: words.done });
    // The shell then shows another workspace, or that there is none.
    if (member.isYou) void queries.invalidateQueries({ queryKey: ['me'] });
    onClose();
  };
  const confirm = () =>
    member.isYou
      ? leave.mutate({}, { onSuccess })
      : remove.mutate({ path: { id: member.id } }, { onSuccess });
  return (
    <ConfirmDialog
      title={words.title}
      action={words.action}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{words.text}</p>
    </ConfirmDialog>
  );
}

function wordsFor(member: Member, workspace: string) {
  const who = nameOf(member);
  if (member.status !== 'active')
    return {
      title: texts.withdrawTitle(who),
      text: texts.withdrawText,
      action: texts.withdraw,
      done: texts.withdrawn(who),
    };
  if (member.isYou)
    return {
      title: texts.leaveTitle(workspace),
      text: texts.leaveText,
      action: texts.leave,
      done: texts.left(workspace),
    };
  return {
    title: texts.removeTitle(who),
    text: texts.removeText,
    action: texts.remove,
    done: texts.removed(who),
  };
}

type Role = keyof typeof words.settingsPage.roles;

const roles = ['member', 'owner'] as const satisfies readonly Role[];

interface RoleChoiceProps {
  value: Role;
  onChange: (role: Role) => void;
}

/** The roles, each with what it allows. */
function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <RadioGroup
      name="role"
      label={words.settingsPage.members.role}
      value={value}
      onChange={(role) => onChange(role as Role)}
    >
      {roles.map((role) => (
        <Radio key={role} value={role} note={words.settingsPage.roles[role].note}>
          {words.settingsPage.roles[role].name}
        </Radio>
      ))}
    </RadioGroup>
  );
}
