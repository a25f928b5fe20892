import { lazy, type ReactNode, Suspense } from 'react';
import classes from './dialog.module.css';
import type { DialogProps } from './dialog-modal.tsx';

export const loadDialog = () => import('./dialog-modal.tsx');
const DialogModal = lazy(loadDialog);

/**
 * A dialog over the page, whose code is loaded once it is needed. What it contains is a {@link DialogBody}, then {@link DialogActions}.
 * It rises from the bottom of small screens. Its content is mounted anew each time that it opens.
 */
export function Dialog({ isOpen, ...rest }: DialogProps & { isOpen: boolean }) {
  return isOpen ? (
    <Suspense>
      <DialogModal {...rest} />
    </Suspense>
  ) : null;
}

/** The content of a dialog, above its buttons. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>;
}

/** The buttons of a dialog, the one that goes on last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className={classes.actions}>{children}</footer>;
}
