import { useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { Page } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { words } from '../../words/words.ts';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';

const tabs = [
  {
    id: 'workspace',
    title: words.settingsPage.tabs.workspace,
    href: '/settings',
    Content: lazy(() => import('./workspace-tab.tsx')),
  },
  {
    id: 'members',
    title: words.settingsPage.tabs.members,
    href: '/settings/members',
    Content: lazy(() => import('./members-tab.tsx')),
  },
  {
    id: 'sessions',
    title: words.settingsPage.tabs.sessions,
    href: '/settings/sessions',
    Content: lazy(() => import('./sessions-tab.tsx')),
  },
  {
    id: 'audit',
    title: words.settingsPage.tabs.audit,
    href: '/settings/audit',
    /** Only owners may read it. */
    isForOwners: true,
    Content: lazy(() => import('./audit-tab.tsx')),
  },
  {
    id: 'preferences',
    title: words.settingsPage.tabs.preferences,
    href: '/settings/preferences',
    Content: lazy(() => import('./preferences-tab.tsx')),
  },
];

/** The workspace, who works here, where one is signed in, what was changed, and what this browser does. */
export function SettingsPage() {
  const { name } = useWorkspace();
  const isOwner = useIsOwner();
  const { tab } = useParams({ from: '/shell/settings/{-$tab}' });
  return (
    <Page title={words.settingsPage.title} of={name}>
      <PageTabs
        label={words.settingsPage.tabs.label}
        tabs={tabs.filter(({ isForOwners }) => isOwner || !isForOwners)}
        selected={tab}
      />
    </Page>
  );
}
