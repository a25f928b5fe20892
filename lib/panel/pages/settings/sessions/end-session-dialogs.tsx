import type { endOtherSessionsOperation, endSessionOperation } from '../../../../people/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';

const texts = words.settingsPage.sessions;
const changed = ['/panel/sessions'];

interface EndSessionProps {
  id: string;
  browser: string;
  onClose: () => void;
}

/** Ends another session of the person. */
export function EndSessionDialog({ id, browser, onClose }: EndSessionProps) {
  const end = useSend<typeof endSessionOperation>('DELETE', '/panel/sessions/{id}', changed);
  const confirm = () =>
    end.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          toast({ text: texts.ended });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={texts.endTitle}
      action={texts.end}
      isOpen
      isPending={end.isPending}
      error={end.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.endText(browser)}</p>
      <p>{texts.notYours}</p>
    </ConfirmDialog>
  );
}

interface EndOthersProps {
  others: number;
  onClose: () => void;
}

/** Ends all sessions of the person but this one. */
export function EndOthersDialog({ others, onClose }: EndOthersProps) {
  const end = useSend<typeof endOtherSessionsOperation>('DELETE', '/panel/sessions', changed);
  const confirm = () =>
    end.mutate(undefined as never, {
      onSuccess: () => {
        toast({ text: texts.othersEnded });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={texts.endOthersTitle(others)}
      action={texts.endOthers}
      isOpen
      isPending={end.isPending}
      error={end.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.endOthersText}</p>
    </ConfirmDialog>
  );
}
