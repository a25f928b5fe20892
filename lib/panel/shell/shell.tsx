import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { readMeOperation } from '../../people/operations.ts';
import { type ApiError, needsSignIn } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { type Me, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { workspaceChoice } from '../api/workspace-choice.ts';
import { ErrorState } from '../components/error-state.tsx';
import { words } from '../words/words.ts';
import { PlaceProvider } from '../workspace.tsx';
import { Frame, FrameSkeleton } from './frame.tsx';
import classes from './shell.module.css';

const NoWorkspace = lazy(async () => ({ default: (await import('./no-workspace.tsx')).NoWorkspace }));
const Greeting = lazy(async () => ({ default: (await import('./greeting.tsx')).Greeting }));

const refetchMeEveryMs = 60_000;

/** Finds out who is signed in, and shows the page in that person's workspace, or the greeting. */
export function Shell() {
  const { href } = useLocation();
  const { data: me, error, refetch, isFetching } = useMe();
  if (me !== undefined) return <InWorkspace me={me} />;
  if (error === null) return <FrameSkeleton />;
  if (needsSignIn(error))
    return (
      <Suspense>
        <Greeting returnTo={href} />
      </Suspense>
    );
  return (
    <main className={classes.alone}>
      <h1 className={classes.title}>{words.shared.loadFailed}</h1>
      <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    </main>
  );
}

function useMe() {
  return useQuery<Me, ApiError>({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const me = await call<typeof readMeOperation>('GET', '/panel/me', undefined, {
        signal,
        isBackground: true,
      });
      session.begin(me);
      return me;
    },
    refetchInterval: () => (session.store.get().isEnded ? false : refetchMeEveryMs),
  });
}

function InWorkspace({ me }: { me: Me }) {
  const chosen = useStore(workspaceChoice.store);
  const workspace =
    me.workspaces.find(({ id }) => id === chosen) ??
    me.workspaces.find(({ isSuspended }) => !isSuspended) ??
    me.workspaces[0];
  useEffect(() => {
    if (workspace !== undefined && workspace.id !== chosen) workspaceChoice.choose(workspace.id);
  }, [workspace, chosen]);
  if (workspace === undefined)
    return (
      <Suspense>
        <NoWorkspace me={me} />
      </Suspense>
    );
  if (workspace.id !== chosen) return <FrameSkeleton />;
  return (
    <PlaceProvider value={{ me, workspace }}>
      <Frame>
        <Outlet key={workspace.id} />
      </Frame>
    </PlaceProvider>
  );
}
