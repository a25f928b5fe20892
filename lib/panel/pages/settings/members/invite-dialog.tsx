import { useId, useState } from 'react';
import type { inviteMemberOperation } from '../../../../people/operations.ts';
import { ApiError } from '../../../api/api-error.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import type { Member } from './member.ts';
import classes from './members.module.css';
import { type Role, RoleChoice } from './role-choice.tsx';

const texts = words.settingsPage.members;

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
  const error = atAddress(invite.error);
  const formId = useId();
  const submit = () =>
    invite.mutate({ body: { email, role } }, { onSuccess: ({ member }) => onInvited(member) });
  return (
    <Dialog title={texts.inviteTitle} isOpen onClose={onClose}>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={error} errorTitle={texts.notInvited}>
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
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button type="submit" form={formId} variant="primary" isPending={invite.isPending}>
          {texts.inviteAction}
        </Button>
      </DialogActions>
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
    <div className={classes.how}>
      <p>
        {texts.tell} <bdi className={classes.email}>{email}</bdi>
      </p>
      <CopyField label={texts.panelAddress} value={url} copyLabel={texts.copyPanelAddress} />
      <CodeBlock
        label={texts.message}
        code={texts.messageText(name, url, email)}
        copyLabel={texts.copyMessage}
      />
    </div>
  );
}
