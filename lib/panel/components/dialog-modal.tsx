import { type ReactNode, useEffect, useState } from 'react';
import { Dialog as Base, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { flushSync } from 'react-dom';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import classes from './dialog.module.css';
import { FocusKeeper } from './focus-keeper.tsx';
import { IconButton } from './icon-button.tsx';

export interface DialogProps {
  title: string;
  onClose: () => void;
  mustDecide?: boolean | undefined;
  role?: 'dialog' | 'alertdialog' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  children: ReactNode;
}

/**
 * The open dialog of {@link DialogProps}. Dialogs that React would show together, because their code arrived together, open one after
 * the other. Otherwise, each would make the others inert, and nothing in the page could be pressed.
 */
export default function DialogModal(props: DialogProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    queueMicrotask(() => flushSync(() => setOpen(true)));
  }, []);
  return isOpen ? <OpenModal {...props} /> : null;
}

function OpenModal({ title, onClose, mustDecide, role, size = 'small', children }: DialogProps) {
  return (
    <ModalOverlay
      className={classes.backdrop}
      isOpen
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!mustDecide && role !== 'alertdialog'}
      isKeyboardDismissDisabled={mustDecide === true}
    >
      <Modal className={join(classes.modal, classes[size])}>
        <Base className={classes.dialog} {...(role && { role })}>
          <header className={classes.head}>
            <Heading slot="title" level={2} className={classes.title}>
              {title}
            </Heading>
            {!mustDecide && (
              <IconButton icon="cross" label={words.shared.actions.close} size="small" onPress={onClose} />
            )}
          </header>
          <FocusKeeper>{children}</FocusKeeper>
        </Base>
      </Modal>
    </ModalOverlay>
  );
}
