import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from '@tanstack/react-router';
import { countNavigation } from './components/navigated.ts';
import { keepAnswer } from './pages/accounts/connection-answer.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { PagePending } from './shell/page-pending.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

/** Pages for people who are signed in, in a workspace. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: () => <Navigate to="/accounts" replace />,
});

const accounts = createRoute({
  getParentRoute: () => shell,
  path: '/accounts',
  validateSearch: (search) => textsOf(search, ['q', 'platform', 'status']),
  component: lazyRouteComponent(() => import('./pages/accounts/page.tsx'), 'AccountsPage'),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/accounts/$id',
  component: lazyRouteComponent(() => import('./pages/accounts/account-page.tsx'), 'AccountPage'),
});

/** Where the browser returns from a platform. */
const connected = createRoute({
  getParentRoute: () => shell,
  path: '/accounts/connected',
  component: lazyRouteComponent(() => import('./pages/accounts/connected-page.tsx'), 'ConnectedPage'),
});

const developers = createRoute({
  getParentRoute: () => shell,
  path: '/developers/{-$tab}',
  component: lazyRouteComponent(() => import('./pages/developers/page.tsx'), 'DevelopersPage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings/{-$tab}',
  component: lazyRouteComponent(() => import('./pages/settings/page.tsx'), 'SettingsPage'),
});

/** Unknown paths are shown inside of the shell, so that the navigation stays. */
const other = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  component: lazyRouteComponent(() => import('./pages/signed-in/page.tsx'), 'SignedInPage'),
});

const signedOut = createRoute({
  getParentRoute: () => root,
  path: '/signed-out',
  validateSearch: ({ error }): { readonly error?: string } =>
    typeof error === 'string' && /^\w{1,60}$/.test(error) ? { error } : {},
  component: lazyRouteComponent(() => import('./pages/signed-out/page.tsx'), 'SignedOutPage'),
});

const routes = root.addChildren([
  shell.addChildren([start, accounts, account, connected, developers, settings, other]),
  signedIn,
  signedOut,
]);

/** The filters of a list that are in the URL. The router reads `q=12` as a number. */
function textsOf<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const given = names.filter((name) => search[name] !== undefined && search[name] !== '');
  return Object.fromEntries(given.map((name) => [name, String(search[name])])) as Partial<
    Record<Name, string>
  >;
}

/** The addresses of all pages. A page's code is loaded when somebody goes there, or is about to. */
export function newRouter() {
  keepAnswer();
  const router = createRouter({
    routeTree: routes,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 150,
    scrollRestoration: true,
  });
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (fromLocation !== undefined && pathChanged) countNavigation();
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
