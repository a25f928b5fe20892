import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useSyncExternalStore } from 'react';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { strings } from '../strings.ts';
import { useWorkspace } from '../workspace.tsx';
import classes from './notices.module.css';
/** What concerns the whole panel, above the page. */
export function Notices() {
    const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
    const { isEnded, asks } = useStore(session.store);
    const { isSuspended } = useWorkspace();
    return (_jsxs("div", { className: classes['notices'], role: "status", children: [!isOnline && _jsx(Notice, { tone: "warn", children: strings.offline }), isEnded && asks === undefined && (_jsx(Notice, { tone: "warn", actions: _jsx(Button, { size: "small", onPress: session.ask, children: strings.session.signIn }), children: strings.session.endedNotice })), isSuspended && _jsx(Notice, { tone: "bad", children: strings.workspaces.suspendedNotice })] }));
}
function subscribeToConnection(listener) {
    window.addEventListener('online', listener);
    window.addEventListener('offline', listener);
    return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
    };
}
