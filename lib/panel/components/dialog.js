import { jsx as _jsx } from "react/jsx-runtime";
import { lazy, Suspense } from 'react';
import classes from './dialog.module.css';
export const loadDialog = () => import('./dialog-modal.tsx');
const DialogModal = lazy(loadDialog);
/**
 * A dialog over the page, whose code is loaded once it is needed. What it contains is a {@link DialogBody}, then {@link DialogActions}.
 * It rises from the bottom of small screens. Its content is mounted anew each time that it opens.
 */
export function Dialog({ isOpen, ...rest }) {
    return isOpen ? (_jsx(Suspense, { children: _jsx(DialogModal, { ...rest }) })) : null;
}
/** What a dialog says and asks. */
export function DialogBody({ children }) {
    return _jsx("div", { className: classes['body'], children: children });
}
/** The buttons of a dialog, the one that goes on last. */
export function DialogActions({ children }) {
    return _jsx("footer", { className: classes['actions'], children: children });
}
