import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { RouterProvider } from 'react-aria-components';
import { ToastRegion } from '../components/toast.tsx';
import { listenToKeys } from '../shortcuts.ts';
import { SessionDialog } from './session-dialog.tsx';

/** What every page has: links of components go through the router, keys work, notices and the sign-in dialog have their place. */
export function Root() {
  const router = useRouter();
  useEffect(listenToKeys, []);
  return (
    <RouterProvider navigate={(href) => void router.navigate({ href })}>
      <Outlet />
      <ToastRegion />
      <SessionDialog />
    </RouterProvider>
  );
}
