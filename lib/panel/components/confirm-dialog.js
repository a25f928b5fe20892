import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
/** Asks before something that cannot be undone. The way back has the focus. */
export function ConfirmDialog(props) {
    const { title, children, action, isOpen, isPending, error, onConfirm, onClose } = props;
    return (_jsxs(Dialog, { title: title, isOpen: isOpen, onClose: onClose, role: "alertdialog", children: [_jsxs(DialogBody, { children: [children, error && _jsx(ErrorNotice, { error: error })] }), _jsxs(DialogActions, { children: [_jsx(Button, { onPress: onClose, autoFocus: true, children: strings.actions.cancel }), _jsx(Button, { variant: "danger", isPending: isPending, onPress: onConfirm, children: action })] })] }));
}
