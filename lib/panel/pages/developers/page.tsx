import { useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { Page } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { words } from '../../words/words.ts';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';
import { OwnersOnly } from './owners-only.tsx';

const tabs = [
  {
    id: 'keys',
    title: words.developersPage.tabs.keys,
    href: '/developers',
    Content: lazy(() => import('./keys-tab.tsx')),
  },
  {
    id: 'endpoints',
    title: words.developersPage.tabs.endpoints,
    href: '/developers/endpoints',
    Content: lazy(() => import('./endpoints-tab.tsx')),
  },
  {
    id: 'deliveries',
    title: words.developersPage.tabs.deliveries,
    href: '/developers/deliveries',
    Content: lazy(() => import('./deliveries-tab.tsx')),
  },
];

/** Keys for programs, endpoints that receive events, and what was delivered to them. */
export function DevelopersPage() {
  const { name } = useWorkspace();
  const isOwner = useIsOwner();
  const { tab } = useParams({ from: '/shell/developers/{-$tab}' });
  return (
    <Page title={words.developersPage.title} of={name} lead={words.developersPage.lead}>
      {isOwner ? (
        <PageTabs label={words.developersPage.tabs.label} tabs={tabs} selected={tab} />
      ) : (
        <OwnersOnly />
      )}
    </Page>
  );
}
