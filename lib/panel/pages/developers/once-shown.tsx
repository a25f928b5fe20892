import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { DialogActions, DialogBody } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';

interface OnceShownProps {
  title: string;
  text: string;
  confirm: string;
  children: ReactNode;
  onClose: () => void;
}

/**
 * The content of a dialog with a secret that is shown once. It is in the state of the component above, and nowhere else, so leaving the
 * page would lose it: links do nothing meanwhile, and the browser asks before it closes the tab.
 */
export function OnceShown({ title, text, confirm, children, onClose }: OnceShownProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <>
      <DialogBody>
        <Notice tone="warn" title={title}>
          {text}
        </Notice>
        {children}
      </DialogBody>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          {confirm}
        </Button>
      </DialogActions>
    </>
  );
}
