import type { ReactNode } from 'react';
import { Dialog as Base, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import classes from './dialog.module.css';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** The person closed it: with Escape, the close button or the backdrop. */
  readonly onClose: () => void;
  /** Whether only its own buttons close it: such as one that shows a secret once. */
  readonly mustDecide?: boolean | undefined;
  readonly role?: 'dialog' | 'alertdialog' | undefined;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  readonly children: ReactNode;
}

/** A dialog over the page. What it contains ends with {@link DialogActions}. It fills small screens. */
export function Dialog({ title, isOpen, onClose, mustDecide, role, size = 'small', children }: DialogProps) {
  return (
    <ModalOverlay
      className={classes['backdrop'] as string}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!mustDecide && role !== 'alertdialog'}
      isKeyboardDismissDisabled={mustDecide === true}
    >
      <Modal className={join(classes['modal'], classes[size])}>
        <Base className={classes['dialog'] as string} {...(role && { role })}>
          <header className={classes['head']}>
            <Heading slot="title" level={2} className={classes['title'] as string}>
              {title}
            </Heading>
            {!mustDecide && (
              <IconButton
                icon="cross"
                label={strings.actions.close}
                size="small"
                hasTooltip={false}
                onPress={onClose}
              />
            )}
          </header>
          {children}
        </Base>
      </Modal>
    </ModalOverlay>
  );
}

/** What a dialog says and asks. */
export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className={classes['body']}>{children}</div>;
}

/** The buttons of a dialog, the one that goes on last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <footer className={classes['actions']}>{children}</footer>;
}
