import type { ReactNode } from 'react';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  action: string;
  isOpen: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. The way back has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, isOpen, isPending, error, onConfirm, onClose } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} role="alertdialog">
      <DialogBody>
        {children}
        {error && <ErrorNotice error={error} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {words.shared.actions.cancel}
        </Button>
        <Button variant="danger" isPending={isPending} onPress={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
