import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Stack } from '../../components/layout.tsx';
import { ExternalLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';

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

/** The address to which clients send people who are to give them access. It is no tab. */
const AuthorizePage = lazy(async () => ({ default: (await import('./keys-tab.tsx')).AuthorizePage }));

/** Keys for programs, endpoints that receive events, and what was delivered to them. */
export function DevelopersPage() {
  const { name } = useWorkspace();
  const isOwner = useIsOwner();
  const { tab } = useParams({ from: '/shell/developers/{-$tab}' });
  if (tab === 'authorize')
    return (
      <Suspense fallback={<Skeleton rows={4} />}>
        <AuthorizePage />
      </Suspense>
    );
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

/** Tells members why there is nothing here for them, and whom to ask. */
function OwnersOnly() {
  const { data } = useGet<typeof listMembersOperation>('/panel/members');
  const owners = data?.members.filter(({ role, status }) => role === 'owner' && status === 'active') ?? [];
  const texts = words.developersPage.ownersOnly;
  return (
    <EmptyState
      icon="key"
      title={texts.title}
      action={<ExternalLink href="/docs">{texts.documentation}</ExternalLink>}
    >
      <p>{texts.text}</p>
      {owners.length > 0 && (
        <>
          <p>{texts.ask}</p>
          <Stack as="ul" gap={1}>
            {owners.map(({ id, name, email }) => (
              <li key={id}>
                <bdi>{name ?? email}</bdi>
                {name !== null && (
                  <>
                    {' '}
                    <a href={`mailto:${email}`}>{email}</a>
                  </>
                )}
              </li>
            ))}
          </Stack>
        </>
      )}
    </EmptyState>
  );
}
