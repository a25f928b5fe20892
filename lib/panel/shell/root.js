import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ToastRegion } from '../components/toast.tsx';
import { listenToKeys } from '../shortcuts.ts';
import { SessionDialog } from './session-dialog.tsx';
import { useRoutedLinks } from './use-routed-links.ts';
/** What every page has: links go through the router, keys work, notices and the sign-in dialog have their place. */
export function Root() {
    useRoutedLinks();
    useEffect(listenToKeys, []);
    return (_jsxs(_Fragment, { children: [_jsx(Outlet, {}), _jsx(ToastRegion, {}), _jsx(SessionDialog, {})] }));
}
