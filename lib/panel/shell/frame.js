import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { loadDialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { ExternalLink } from '../components/link.tsx';
import { loadMenu } from '../components/menu.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { keyCaps } from '../shortcuts.ts';
import { strings } from '../strings.ts';
import { useMe } from '../workspace.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { useShellCommands } from './use-shell-commands.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';
const CommandPalette = lazy(() => import('./command-palette.tsx'));
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx'));
/** What opens over the page must open without a connection too, such as the question to sign in again. */
const loadOverlays = () => Promise.allSettled([loadMenu(), loadDialog()]);
/** What surrounds every page: workspace, navigation, the person's menu. */
export function Frame({ children }) {
    const me = useMe();
    const [overlay, setOverlay] = useState();
    const close = () => setOverlay(undefined);
    useEffect(() => {
        const timer = setTimeout(() => void loadOverlays(), 1500);
        return () => clearTimeout(timer);
    }, []);
    useShellCommands({
        openCommands: () => setOverlay('commands'),
        openKeyboard: () => setOverlay('keyboard'),
    });
    return (_jsxs("div", { className: classes['frame'], children: [_jsx("a", { className: classes['skip'], href: "#content", children: strings.skipToContent }), _jsxs("header", { className: classes['side'], children: [_jsxs("div", { className: classes['top'], children: [_jsx(WorkspaceSwitcher, {}), _jsxs(BaseButton, { className: classes['commands'], onPress: () => setOverlay('commands'), children: [_jsx(Icon, { name: "search" }), _jsx("span", { className: classes['commandsWord'], children: strings.commands.open }), _jsx("kbd", { className: classes['keys'], children: keyCaps('mod+k').join(' ') })] })] }), _jsx(Navigation, {}), _jsxs("div", { className: classes['foot'], children: [_jsx("p", { className: classes['documentation'], children: _jsx(ExternalLink, { href: "/docs", children: strings.user.documentation }) }), _jsx(UserMenu, { me: me, onKeyboard: () => setOverlay('keyboard') })] })] }), _jsxs("main", { className: classes['main'], id: "content", tabIndex: -1, children: [_jsx(Notices, {}), children] }), _jsxs(Suspense, { children: [overlay === 'commands' && _jsx(CommandPalette, { onClose: close }), overlay === 'keyboard' && _jsx(KeyboardHelp, { onClose: close })] })] }));
}
/** The same shape, until it is known who is signed in. */
export function FrameSkeleton() {
    return (_jsxs("div", { className: classes['frame'], children: [_jsx("div", { className: classes['side'] }), _jsx("main", { className: classes['main'], children: _jsx(Skeleton, { rows: 5 }) })] }));
}
