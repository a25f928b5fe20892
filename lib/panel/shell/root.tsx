import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { loadable, useLoaded } from '../components/loaded.ts';
import { toastCode } from '../components/toast-list.ts';
import { listenToKeys } from '../shortcuts.ts';

const sessionDialog = loadable(() => import('./session-dialog.tsx'));

/** The root of every page: links go through the router, keys work, notices and the sign-in dialog have their place. */
export function Root() {
  useRoutedLinks();
  useEffect(listenToKeys, []);
  const toasts = useLoaded(toastCode, false);
  const { asks } = useStore(session.store);
  const dialog = useLoaded(sessionDialog, asks !== undefined);
  return (
    <>
      <Outlet />
      {toasts && <toasts.default />}
      {dialog && <dialog.SessionDialog />}
    </>
  );
}

/** The panel's host serves these itself. */
const otherPaths = /^\/(api|docs|v1)(\/|$)/;

/**
 * Lets the router open links that are not its own, such as those of tabs and menus. React Aria has a provider for this, but its
 * module imports all components.
 */
function useRoutedLinks(): void {
  const router = useRouter();
  useEffect(() => {
    const open = (event: MouseEvent) => {
      const href = hrefOf(event);
      if (href === undefined) return;
      event.preventDefault();
      void router.navigate({ href });
    };
    document.addEventListener('click', open);
    return () => document.removeEventListener('click', open);
  }, [router]);
}

/** The page of the panel that a click opens in this tab. */
function hrefOf({ target, button, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented }: MouseEvent) {
  if (defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.target === '_blank' || link.download !== '' || link.origin !== location.origin)
    return undefined;
  // A fragment is the browser's own business, and so is what is no page of the panel.
  if (link.pathname === location.pathname && link.hash !== '') return undefined;
  return otherPaths.test(link.pathname) ? undefined : link.href.slice(link.origin.length);
}
