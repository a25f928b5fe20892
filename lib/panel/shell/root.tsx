import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useLoaded } from '../components/loaded.ts';
import { toastCode } from '../components/toast-list.ts';
import { listenToKeys } from '../shortcuts.ts';
import { SessionDialog } from './session-dialog.tsx';
import { useRoutedLinks } from './use-routed-links.ts';

/** What every page has: links go through the router, keys work, notices and the sign-in dialog have their place. */
export function Root() {
  useRoutedLinks();
  useEffect(listenToKeys, []);
  const toasts = useLoaded(toastCode, false);
  return (
    <>
      <Outlet />
      {toasts && <toasts.default />}
      <SessionDialog />
    </>
  );
}
