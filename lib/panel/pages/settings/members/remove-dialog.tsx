import { useQueryClient } from '@tanstack/react-query';
import type { removeMemberOperation } from '../../../../people/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { type Member, nameOf } from './member.ts';

const texts = words.settingsPage.members;

interface RemoveDialogProps {
  member: Member;
  onClose: () => void;
}

/** Removes a member, who may be the person; or withdraws an invitation. */
export function RemoveDialog({ member, onClose }: RemoveDialogProps) {
  const { name: workspace } = useWorkspace();
  const queries = useQueryClient();
  const remove = useSend<typeof removeMemberOperation>(
    'DELETE',
    '/panel/members/{id}',
    // After leaving, nothing of the workspace can be read.
    member.isYou ? [] : ['/panel/members'],
  );
  const words = wordsFor(member, workspace);
  const confirm = () =>
    remove.mutate(
      { path: { id: member.id } },
      {
        onSuccess: () => {
          toast({ text: words.done });
          // The shell then shows another workspace, or that there is none.
          if (member.isYou) void queries.invalidateQueries({ queryKey: ['me'] });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={words.title}
      action={words.action}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{words.text}</p>
    </ConfirmDialog>
  );
}

function wordsFor(member: Member, workspace: string) {
  const who = nameOf(member);
  if (member.status === 'invited')
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
