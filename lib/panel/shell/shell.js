import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { needsSignIn } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { workspaceChoice } from '../api/workspace-choice.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { strings } from '../strings.ts';
import { PlaceProvider } from '../workspace.tsx';
import { Frame, FrameSkeleton } from './frame.tsx';
import { Greeting } from './greeting.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';
const refetchMeEveryMs = 60000;
/** Finds out who is signed in, and shows the page in that person's workspace, or the greeting. */
export function Shell() {
    const { href } = useLocation();
    const { data: me, error, refetch, isFetching } = useMe();
    if (me !== undefined)
        return _jsx(InWorkspace, { me: me });
    if (error === null)
        return _jsx(FrameSkeleton, {});
    if (needsSignIn(error))
        return _jsx(Greeting, { title: strings.greeting.title, lead: strings.greeting.lead, returnTo: href });
    return (_jsxs("main", { className: classes['alone'], children: [_jsx("h1", { className: classes['title'], children: strings.greeting.loadFailed }), _jsx(ErrorState, { error: error, onRetry: () => void refetch(), isRetrying: isFetching })] }));
}
function useMe() {
    return useQuery({
        queryKey: ['me'],
        queryFn: async ({ signal }) => {
            const me = await call('GET', '/panel/me', undefined, {
                signal,
                isBackground: true,
            });
            session.begin(me);
            return me;
        },
        refetchInterval: () => (session.store.get().isEnded ? false : refetchMeEveryMs),
    });
}
function InWorkspace({ me }) {
    const chosen = useStore(workspaceChoice.store);
    const workspace = me.workspaces.find(({ id }) => id === chosen) ??
        me.workspaces.find(({ isSuspended }) => !isSuspended) ??
        me.workspaces[0];
    useEffect(() => {
        if (workspace !== undefined && workspace.id !== chosen)
            workspaceChoice.choose(workspace.id);
    }, [workspace, chosen]);
    if (workspace === undefined)
        return _jsx(NoWorkspace, { me: me });
    if (workspace.id !== chosen)
        return _jsx(FrameSkeleton, {});
    return (_jsx(PlaceProvider, { value: { me, workspace }, children: _jsx(Frame, { children: _jsx(Outlet, {}, workspace.id) }) }));
}
function NoWorkspace({ me }) {
    return (_jsxs("main", { className: classes['alone'], children: [_jsx("h1", { className: classes['title'], children: strings.product }), _jsx(EmptyState, { icon: "accounts", title: strings.workspaces.noneTitle, action: _jsx(UserMenu, { me: me }), children: _jsx("p", { children: strings.workspaces.noneText(me.person.email) }) })] }));
}
