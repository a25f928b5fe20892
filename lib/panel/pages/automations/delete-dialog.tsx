import type { readAutomationOperation, removeAutomationOperation } from '../../../automations/operations.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import { automationPaths } from './use-automations.ts';

const path = '/v1/comment-automations/{id}';
const texts = words.automationsPage.remove;

interface DeleteDialogProps {
  automation: { id: string; title: string } | undefined;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before an automation is deleted, and says what stops. */
export function DeleteDialog({ automation, onClose, onDeleted }: DeleteDialogProps) {
  return automation && <Question automation={automation} onClose={onClose} onDeleted={onDeleted} />;
}

interface QuestionProps {
  automation: { id: string; title: string };
  onClose: () => void;
  onDeleted: (() => void) | undefined;
}

function Question({ automation: { id, title }, onClose, onDeleted }: QuestionProps) {
  const read = useGet<typeof readAutomationOperation>(path, { path: { id } });
  // The page of a deleted automation is not read again.
  const remove = useSend<typeof removeAutomationOperation>(
    'DELETE',
    path,
    automationPaths.filter((each) => each !== path),
  );
  const waiting = read.data?.automation.waiting.count ?? 0;
  const confirm = () =>
    remove.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          toast({ text: texts.done(title) });
          onClose();
          onDeleted?.();
        },
      },
    );
  return (
    <ConfirmDialog
      title={texts.title(title)}
      action={texts.action}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {texts.stops} {waiting > 0 && <strong>{texts.waiting(waiting)}</strong>}
      </p>
      <p>{texts.keeps}</p>
    </ConfirmDialog>
  );
}
