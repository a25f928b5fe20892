import { jsx as _jsx } from "react/jsx-runtime";
import { useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { Page } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';
import { strings } from './strings.ts';
const tabs = [
    {
        id: 'members',
        title: strings.tabs.members,
        href: '/settings',
        Content: lazy(() => import('./members-tab.tsx')),
    },
    {
        id: 'sessions',
        title: strings.tabs.sessions,
        href: '/settings/sessions',
        Content: lazy(() => import('./sessions-tab.tsx')),
    },
    {
        id: 'workspace',
        title: strings.tabs.workspace,
        href: '/settings/workspace',
        Content: lazy(() => import('./workspace-tab.tsx')),
    },
];
/** Only owners may read it. */
const audit = {
    id: 'audit',
    title: strings.tabs.audit,
    href: '/settings/audit',
    Content: lazy(() => import('./audit-tab.tsx')),
};
/** Who works here, where one is signed in, what was changed, and the workspace itself. */
export function SettingsPage() {
    const { name } = useWorkspace();
    const isOwner = useIsOwner();
    const { tab } = useParams({ from: '/shell/settings/{-$tab}' });
    return (_jsx(Page, { title: strings.title, of: name, children: _jsx(PageTabs, { label: strings.tabs.label, tabs: isOwner ? [...tabs, audit] : tabs, selected: tab }) }));
}
