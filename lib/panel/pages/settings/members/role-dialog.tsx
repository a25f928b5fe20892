import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { editMemberOperation } from '../../../../people/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { type Member, nameOf } from './member.ts';
import { RoleChoice } from './role-choice.tsx';

const texts = words.settingsPage.members;

interface RoleDialogProps {
  member: Member;
  onClose: () => void;
}

/** Gives a member, or somebody who is invited, another role. */
export function RoleDialog({ member, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const queries = useQueryClient();
  const edit = useSend<typeof editMemberOperation>('PATCH', '/panel/members/{id}', ['/panel/members']);
  const formId = useId();
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
      <DialogBody>
        <Form id={formId} onSubmit={save} error={edit.error} errorTitle={texts.roleNotSaved}>
          <RoleChoice value={role} onChange={setRole} />
          {member.isYou && role === 'member' ? (
            <Notice tone="warn" isLive>
              {texts.roleLoseYours}
            </Notice>
          ) : (
            <p>{texts.roleHolds}</p>
          )}
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          type="submit"
          form={formId}
          variant={member.isYou ? 'danger' : 'primary'}
          isPending={edit.isPending}
        >
          {texts.roleSave}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
