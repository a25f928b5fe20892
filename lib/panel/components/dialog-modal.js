import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Dialog as Base, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import classes from './dialog.module.css';
import { IconButton } from './icon-button.tsx';
/** The open dialog of {@link DialogProps}. */
export default function DialogModal({ title, onClose, mustDecide, role, size = 'small', children, }) {
    return (_jsx(ModalOverlay, { className: classes['backdrop'], isOpen: true, onOpenChange: (open) => {
            if (!open)
                onClose();
        }, isDismissable: !mustDecide && role !== 'alertdialog', isKeyboardDismissDisabled: mustDecide === true, children: _jsx(Modal, { className: join(classes['modal'], classes[size]), children: _jsxs(Base, { className: classes['dialog'], ...(role && { role }), children: [_jsxs("header", { className: classes['head'], children: [_jsx(Heading, { slot: "title", level: 2, className: classes['title'], children: title }), !mustDecide && (_jsx(IconButton, { icon: "cross", label: strings.actions.close, size: "small", onPress: onClose }))] }), children] }) }) }));
}
