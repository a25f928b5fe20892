import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { loadToasts } from '../components/toast-list.ts';
import { listenToKeys } from '../shortcuts.ts';
import { SessionDialog } from './session-dialog.tsx';
import { useRoutedLinks } from './use-routed-links.ts';

const ToastRegion = lazy(loadToasts);

/** What every page has: links go through the router, keys work, notices and the sign-in dialog have their place. */
export function Root() {
  useRoutedLinks();
  useEffect(listenToKeys, []);
  return (
    <>
      <Outlet />
      <Suspense>
        <ToastRegion />
      </Suspense>
      <SessionDialog />
    </>
  );
}
