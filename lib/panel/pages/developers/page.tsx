import { useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { Page } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';
import { OwnersOnly } from './owners-only.tsx';
import { strings } from './strings.ts';

const tabs = [
  {
    id: 'keys',
    title: strings.tabs.keys,
    href: '/developers',
    Content: lazy(() => import('./keys-tab.tsx')),
  },
  {
    id: 'endpoints',
    title: strings.tabs.endpoints,
    href: '/developers/endpoints',
    Content: lazy(() => import('./endpoints-tab.tsx')),
  },
  {
    id: 'deliveries',
    title: strings.tabs.deliveries,
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
    <Page title={strings.title} of={name} lead={strings.lead}>
      {isOwner ? <PageTabs label={strings.tabs.label} tabs={tabs} selected={tab} /> : <OwnersOnly />}
    </Page>
  );
}
