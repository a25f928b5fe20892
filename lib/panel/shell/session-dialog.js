import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useEffect, useState } from 'react';
import { openSignIn, session, signInUrl } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Spinner } from '../components/spinner.tsx';
import { strings } from '../strings.ts';
import classes from './session-dialog.module.css';
/** Asks the person to sign in while the page stays as it is. Then the requests that failed are sent again. */
export function SessionDialog() {
    const { asks } = useStore(session.store);
    return asks === undefined ? null : _jsx(Question, { reason: asks }, asks);
}
function Question({ reason }) {
    const [state, setState] = useState('asks');
    useEffect(() => {
        const check = () => void session.check();
        window.addEventListener('focus', check);
        return () => window.removeEventListener('focus', check);
    }, []);
    const texts = strings.session;
    const url = signInUrl('/signed-in', reason === 'again');
    const open = () => setState(openSignIn(url) ? 'waits' : 'blocked');
    return (_jsxs(Dialog, { title: reason === 'ended' ? texts.endedTitle : texts.againTitle, isOpen: true, onClose: session.dismiss, children: [_jsxs(DialogBody, { children: [_jsx("p", { children: reason === 'ended' ? texts.endedText : texts.againText }), _jsxs("p", { role: "status", className: classes['waiting'], children: [state === 'waits' && (_jsxs(_Fragment, { children: [_jsx(Spinner, {}), " ", texts.waiting] })), state === 'blocked' && (_jsx("a", { href: url, target: "_blank", rel: "noreferrer", children: texts.blocked }))] })] }), _jsxs(DialogActions, { children: [_jsx(Button, { onPress: session.dismiss, children: texts.notNow }), _jsx(Button, { variant: "primary", onPress: open, autoFocus: true, children: texts.signIn })] })] }));
}
