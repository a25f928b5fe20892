import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router';
import { keepAnswer } from './accounts/connection-answer.ts';
import { countNavigation } from './components/navigated.ts';
import { NotFound, PageFailure, PagePending } from './shell/failures.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

/** Pages for people who are signed in, in a workspace. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const now = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/now/page.tsx'), 'NowPage'),
});

const calendar = createRoute({
  getParentRoute: () => shell,
  path: '/calendar',
  validateSearch: (search) => textsOf(search, ['view', 'day', 'account', 'platform', 'status', 'tag']),
  component: lazyRouteComponent(() => import('./pages/calendar/page.tsx'), 'CalendarPage'),
});

/** A new post; `at` is a wall-clock time (`2026-03-14T09:30`), `draft` the id of one that this browser keeps. */
const compose = createRoute({
  getParentRoute: () => shell,
  path: '/compose',
  validateSearch: (search) => textsOf(search, ['draft', 'at', 'account']),
  component: lazyRouteComponent(() => import('./pages/compose/page.tsx'), 'ComposePage'),
});

const posts = createRoute({
  getParentRoute: () => shell,
  path: '/posts',
  validateSearch: (search) =>
    textsOf(search, ['q', 'account', 'platform', 'status', 'tag', 'period', 'from', 'to', 'sort']),
  component: lazyRouteComponent(() => import('./pages/posts/page.tsx'), 'PostsPage'),
});

const post = createRoute({
  getParentRoute: () => shell,
  path: '/posts/$id',
  component: lazyRouteComponent(() => import('./pages/post/page.tsx'), 'PostPage'),
});

const editPost = createRoute({
  getParentRoute: () => shell,
  path: '/posts/$id/edit',
  component: lazyRouteComponent(() => import('./pages/compose/edit-page.tsx'), 'EditPostPage'),
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

/** The page to which the browser returns from a platform. */
const connected = createRoute({
  getParentRoute: () => shell,
  path: '/accounts/connected',
  component: lazyRouteComponent(() => import('./pages/accounts/connected-page.tsx'), 'ConnectedPage'),
});

const automations = createRoute({
  getParentRoute: () => shell,
  path: '/automations',
  validateSearch: (search) => textsOf(search, ['account', 'state']),
  component: lazyRouteComponent(() => import('./pages/automations/page.tsx'), 'AutomationsPage'),
});

/** A new automation; `account` and `post` (the platform's id) choose what it answers on. */
const newAutomation = createRoute({
  getParentRoute: () => shell,
  path: '/automations/new',
  validateSearch: (search) => textsOf(search, ['account', 'post']),
  component: lazyRouteComponent(() => import('./pages/automations/edit/new-page.tsx'), 'NewAutomationPage'),
});

const automation = createRoute({
  getParentRoute: () => shell,
  path: '/automations/$id',
  component: lazyRouteComponent(() => import('./pages/automations/automation-page.tsx'), 'AutomationPage'),
});

const editAutomation = createRoute({
  getParentRoute: () => shell,
  path: '/automations/$id/edit',
  component: lazyRouteComponent(() => import('./pages/automations/edit/edit-page.tsx'), 'EditAutomationPage'),
});

const links = createRoute({
  getParentRoute: () => shell,
  path: '/links',
  validateSearch: (search) => textsOf(search, ['last', 'from', 'to', 'automation']),
  component: lazyRouteComponent(() => import('./pages/links/page.tsx'), 'LinksPage'),
});

const media = createRoute({
  getParentRoute: () => shell,
  path: '/media',
  validateSearch: (search) => textsOf(search, ['q', 'kind']),
  component: lazyRouteComponent(() => import('./pages/media/page.tsx'), 'MediaPage'),
});

const results = createRoute({
  getParentRoute: () => shell,
  path: '/results',
  validateSearch: (search) => textsOf(search, ['last', 'from', 'to', 'account', 'platform', 'number']),
  component: lazyRouteComponent(() => import('./pages/results/page.tsx'), 'ResultsPage'),
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

/** The invitations of the person; `next` is the page that the person wanted when signing in. */
const invitations = createRoute({
  getParentRoute: () => root,
  path: '/invitations',
  validateSearch: (search) => textsOf(search, ['next']),
  component: lazyRouteComponent(() => import('./pages/invitations/page.tsx'), 'InvitationsPage'),
});

const signedOut = createRoute({
  getParentRoute: () => root,
  path: '/signed-out',
  validateSearch: (search) => textsOf(search, ['error']),
  component: lazyRouteComponent(() => import('./pages/signed-out/page.tsx'), 'SignedOutPage'),
});

const routes = root.addChildren([
  shell.addChildren([
    now,
    calendar,
    compose,
    posts,
    post,
    editPost,
    accounts,
    account,
    connected,
    automations,
    newAutomation,
    automation,
    editAutomation,
    links,
    media,
    results,
    developers,
    settings,
    other,
  ]),
  signedIn,
  invitations,
  signedOut,
]);

/**
 * The texts of these names in the URL. The router reads `q=12` as a number. It lays the result over what the URL has: an empty
 * text must be undefined here, or it would stay.
 */
function textsOf<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const texts = names.map((name) => {
    const text = search[name] === undefined ? '' : String(search[name]);
    return [name, text === '' ? undefined : text];
  });
  return Object.fromEntries(texts) as Partial<Record<Name, string>>;
}

/** The addresses of all pages. A page's code is loaded when somebody goes there, or is about to. */
export function newRouter() {
  keepAnswer();
  const router = createRouter({
    routeTree: routes,
    // All values are texts. The default reads them as JSON, which rounds ids of more than 15 digits, and writes `12` in quotation marks.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(JSON.stringify),
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
