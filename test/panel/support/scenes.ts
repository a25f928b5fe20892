import type { Page } from 'playwright-core';
import {
  finding,
  serveComposer,
  servePost as serveStoredPost,
  storedPost,
} from '../compose/support/serve.ts';
import {
  agents,
  auditPage,
  entryOf,
  invited,
  max,
  sessionOf,
  workspaceOf,
  you,
} from '../settings/support/data.ts';
import {
  inDays,
  instagram,
  linkedin,
  noConsequences,
  postFor,
  serveAccounts,
  some,
  threads,
  tiktok,
} from './accounts.ts';
import { gated, serveAutomations, troubled, troubledDetail, withoutAccess } from './automations.ts';
import { FakePosts } from './calendar.ts';
import { ago, attemptOf, days, deliveryOf, endpointOf, FakeDevelopers, keyOf } from './developers-data.ts';
import { ok, refusal } from './fake-api.ts';
import { invitationOf } from './invitations.ts';
import { serveLibrary } from './library.ts';
import { endpointOf as nowEndpointOf, serveNow } from './now.ts';
import type { Panel } from './panel.ts';
import { failedTargetOf, liveSteps, liveTargetOf, servePost } from './post-page.ts';
import { listedPostOf, targetOf } from './posts.ts';
import { FakePostList } from './posts-page.ts';
import { serveResults } from './results.ts';

/** A page in a state in which it shows much, without a need to find anything by its words. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  /** The time at which the clock stands still, for pages that show a month. ISO 8601 */
  readonly time?: string;
  serve(panel: Panel): void;
  /** Selector of an element that is in the page once it has loaded. */
  readonly ready: string;
  /** Opens what opens. */
  act?(page: Page): Promise<void>;
}

const minuteMs = 60_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const due = '2026-03-02T08:00:00.000Z';
const sentence =
  'Neu im Regal: Äthiopien Yirgacheffe, gewaschen, mit Noten von Jasmin und Zitrone. Nur bis Sonntag.';

const press =
  (selector: string, place = 0) =>
  async (page: Page) => {
    await page.locator(selector).nth(place).click();
  };

const statuses = ['scheduled', 'published', 'failed', 'publishing', 'partial'] as const;

/** Posts of November 2026, some a day. */
const month = Array.from({ length: 90 }, (_, number) => {
  const scheduledFor = new Date(Date.UTC(2026, 10, 1 + (number % 30), 7 + (number % 11), 30)).toISOString();
  const status = statuses[number % statuses.length] as (typeof statuses)[number];
  const account = some[number % some.length] as (typeof some)[number];
  return listedPostOf(number, {
    content: sentence,
    scheduledFor,
    status,
    platforms: [targetOf(account, { scheduledFor, status: status === 'partial' ? 'failed' : status })],
  });
});

const failedPost = (number: number, target: ReturnType<typeof targetOf>, status = 'failed' as const) =>
  listedPostOf(number, {
    content: sentence,
    status,
    scheduledFor: at(-90 * minuteMs),
    updatedAt: at(-80 * minuteMs),
    platforms: [target],
  });

const categories = ['retryable', 'reconnect', 'content', 'platform', 'unknown'] as const;

const calendar = (view: string): Scene => ({
  name: `calendar, ${view}`,
  path: `/calendar?view=${view}`,
  time: '2026-11-18T10:10:00.000Z',
  serve: ({ api }) => void new FakePosts(api, month),
  ready: '[data-entry]',
});

const developers = (panel: Panel) => {
  const has = new FakeDevelopers(panel.api);
  has.accounts = [];
  has.keys = [
    keyOf(1, { name: 'Continuous integration' }),
    keyOf(2, { name: 'Expired', status: 'expired', expiresAt: ago(60) }),
    keyOf(3, { name: 'Revoked', status: 'revoked', revokedAt: ago(60) }),
    keyOf(4, {
      permissions: ['read', 'publish'],
      lastUsedOn: ago(days(40)).slice(0, 10),
      previousUntil: ago(-60),
    }),
  ] as typeof has.keys;
  has.endpoints = [
    endpointOf(51, { url: 'https://shop.example/herald' }),
    endpointOf(52, { isActive: false, status: 'disabled', statusMessage: 'It responded 410.' }),
  ];
  has.deliveries = [
    deliveryOf(1, {
      status: 'pending',
      attempts: [],
      nextAttemptAt: ago(0),
      webhookId: has.endpoints[0]?.id as string,
    }),
    deliveryOf(2, {
      status: 'failed',
      attempts: [
        attemptOf({ statusCode: 502, latencyMs: 220, responseStart: 'Bad gateway', error: 'responded 502' }),
      ],
    }),
    deliveryOf(3),
  ];
};

const composer = (panel: Panel) =>
  void serveComposer(panel.api, {
    problems: () => [finding('content', 'Threads allows at most 500 characters; this text has 512', threads)],
    warnings: [finding('mediaItems[0].altText', 'is left out: TikTok takes none', tiktok)],
  });

const settings = ({ api }: Panel) =>
  void api
    .on('GET /v1/workspace', ok({ workspace: workspaceOf() }))
    .on('GET /panel/members', ok({ members: [you, max, invited] }))
    .on('GET /panel/keys', ok({ keys: [] }))
    .on(
      'GET /panel/sessions',
      ok({ sessions: [sessionOf(1, { isThis: true }), sessionOf(2, { browser: agents.safari })] }),
    )
    .on(
      'GET /v1/audit',
      auditPage([
        entryOf(1),
        entryOf(2, { outcome: 'refused', note: 'this needs the role "owner"' }),
        entryOf(3, { verb: 'account.connect' }),
      ]),
    );

const failing = ({ api }: Panel) => {
  for (const path of [
    'accounts',
    'posts',
    'comment-automations',
    'links',
    'metrics',
    'webhooks',
    'workspace',
    'punctuality',
    'audit',
    'deliveries',
  ])
    api.on(`GET /v1/${path}`, refusal(503, 'unavailable', 'try again in a minute'));
};

const pages = [
  '/',
  '/calendar',
  '/posts',
  '/compose',
  '/accounts',
  '/automations',
  '/links',
  '/results',
  '/developers',
  '/settings/members',
];

export const scenes: readonly Scene[] = [
  {
    name: 'now, all well',
    path: '/',
    serve: ({ api }) =>
      void serveNow(api, {
        endpoints: [nowEndpointOf(1)],
        posts: [
          listedPostOf(1, {
            content: sentence,
            scheduledFor: at(60 * minuteMs),
            platforms: [targetOf(instagram)],
          }),
        ],
      }),
    ready: '[role=meter]',
  },
  {
    name: 'now, trouble',
    path: '/',
    serve: ({ api }) =>
      void serveNow(api, {
        attention: categories.map((category, number) =>
          failedPost(number, failedTargetOf(instagram, category)),
        ),
        endpoints: [
          nowEndpointOf(1, { isActive: false, status: 'disabled', statusMessage: 'It responded 410.' }),
        ],
        usedBytes: 5.2e9,
      }),
    ready: 'main ul > li',
  },
  ...['month', 'week', 'day', 'agenda'].map(calendar),
  {
    ...calendar('agenda'),
    name: 'calendar, moving',
    act: async (page) => {
      await page.locator('[data-entry]').first().focus();
      await page.keyboard.press('m');
      await page.locator('[role=dialog]').waitFor();
    },
  },
  {
    name: 'composer, new',
    path: '/compose',
    serve: composer,
    ready: 'main input[type=checkbox]',
    act: async (page) => {
      for (const each of await page.locator('main [role=group] input[type=checkbox]:enabled').all())
        await each.check({ force: true });
      await page.locator('main textarea').first().fill(sentence);
      await page.locator('main [role=tab]').nth(1).waitFor();
    },
  },
  {
    name: 'composer, edit',
    path: `/posts/${storedPost().id}/edit`,
    serve: (panel) => {
      composer(panel);
      serveStoredPost(panel.api, storedPost);
    },
    ready: 'main textarea',
  },
  {
    name: 'posts',
    path: '/posts?q=the',
    serve: ({ api }) => void new FakePostList(api),
    ready: 'main tbody [role=row]',
    act: async (page) => {
      for (const box of await page.locator('main tbody [type=checkbox]').all())
        await box.check({ force: true });
      await page.locator('main section[aria-label] button').nth(2).waitFor();
    },
  },
  {
    name: 'posts, moving',
    path: '/posts',
    serve: ({ api }) => void new FakePostList(api),
    ready: 'main tbody [role=row]',
    act: async (page) => {
      await page.locator('main thead [type=checkbox]').check({ force: true });
      await page.locator('main section[aria-label] button').first().click();
      await page.locator('[role=dialog] form').waitFor();
    },
  },
  {
    name: 'post, live',
    path: `/posts/${listedPostOf(1).id}`,
    serve: ({ api }) =>
      void servePost(
        api,
        listedPostOf(1, {
          status: 'published',
          scheduledFor: due,
          content: sentence,
          platforms: [liveTargetOf(instagram, due, 31), liveTargetOf(linkedin, due, 1_905)],
        }),
        { timeline: [...liveSteps(instagram, due, 31), ...liveSteps(linkedin, due, 1_905)] },
      ),
    ready: 'main h3 > button[aria-expanded=false]',
    act: press('main h3 > button[aria-expanded=false]'),
  },
  {
    name: 'post, failed',
    path: `/posts/${listedPostOf(1).id}`,
    serve: ({ api }) =>
      void servePost(
        api,
        listedPostOf(1, {
          status: 'failed',
          scheduledFor: due,
          content: sentence,
          platforms: categories.map((category, number) =>
            failedTargetOf(some[number] as typeof instagram, category),
          ),
        }),
      ),
    ready: 'main h1',
  },
  {
    name: 'accounts',
    path: '/accounts',
    serve: ({ api }) => void serveAccounts(api, { posts: [postFor(1, instagram, inDays(2))] }),
    ready: 'main [role=row], main table',
  },
  {
    name: 'account',
    path: `/accounts/${tiktok.id}`,
    serve: ({ api }) =>
      void serveAccounts(api, { preview: { ...noConsequences, scheduledTargets: 12, activeAutomations: 2 } }),
    ready: 'main section',
  },
  {
    name: 'not connected',
    path: '/accounts/connected?error=access_denied',
    serve: ({ api }) => void serveAccounts(api),
    ready: 'main button',
  },
  {
    name: 'automations',
    path: '/automations',
    serve: ({ api }) => void serveAutomations(api),
    ready: 'main li, main [role=row]',
  },
  {
    name: 'automation',
    path: `/automations/${gated.id}`,
    serve: ({ api }) => void serveAutomations(api),
    ready: 'main figure',
  },
  {
    name: 'automations, with failures',
    path: '/automations',
    serve: ({ api }) =>
      void serveAutomations(api, {
        automations: [troubled],
        detailsOf: [troubledDetail],
        accounts: withoutAccess,
      }),
    ready: 'main dd:nth-of-type(1)',
  },
  {
    name: 'automation, with failures',
    path: `/automations/${troubled.id}`,
    serve: ({ api }) =>
      void serveAutomations(api, {
        automations: [troubled],
        detailsOf: [troubledDetail],
        accounts: withoutAccess,
      }),
    ready: 'main figure',
  },
  {
    name: 'automation, new',
    path: `/automations/new?account=${instagram.id}`,
    serve: ({ api }) => void serveAutomations(api),
    ready: 'main form',
  },
  {
    name: 'automation, edit',
    path: `/automations/${gated.id}/edit`,
    serve: ({ api }) => void serveAutomations(api),
    ready: 'main form',
  },
  { name: 'media', path: '/media', serve: (panel) => void serveLibrary(panel), ready: 'main [role=row]' },
  { name: 'links', path: '/links', serve: ({ api }) => void serveAutomations(api), ready: 'main figure' },
  {
    name: 'results',
    path: '/results',
    serve: ({ api }) => void serveResults(api),
    ready: 'main figure',
  },
  { name: 'keys', path: '/developers', serve: developers, ready: 'main [role=row]' },
  {
    name: 'endpoints',
    path: '/developers/endpoints',
    serve: developers,
    ready: 'main h3, main article, main li',
  },
  { name: 'deliveries', path: '/developers/deliveries', serve: developers, ready: 'main [role=row]' },
  { name: 'workspace', path: '/settings', serve: settings, ready: 'main form' },
  { name: 'members', path: '/settings/members', serve: settings, ready: 'main [role=row]' },
  { name: 'sessions', path: '/settings/sessions', serve: settings, ready: 'main [role=row]' },
  { name: 'audit', path: '/settings/audit', serve: settings, ready: 'main li, main [role=row]' },
  { name: 'preferences', path: '/settings/preferences', serve: settings, ready: 'main h2' },
  {
    name: 'invitations',
    path: '/invitations',
    serve: ({ api }) =>
      void api
        .on(
          'GET /panel/invitations',
          ok({
            invitations: [
              invitationOf(1),
              invitationOf(2, { role: 'owner', invitedBy: { kind: 'operator', name: null, email: null } }),
            ],
          }),
        )
        .on('POST /panel/invitations/{id}/accept', { status: 204 })
        .on('DELETE /panel/invitations/{id}', { status: 204 }),
    ready: 'main section',
  },
  ...pages.map(
    (path): Scene => ({ name: `failing ${path}`, path, serve: failing, ready: 'main [role=alert]' }),
  ),
  { name: 'nowhere', path: '/no/such/page', serve: () => undefined, ready: 'main h1' },
  { name: 'signed in again', path: '/signed-in', serve: () => undefined, ready: 'main h1' },
  {
    name: 'signed out',
    path: '/signed-out?error=sign_in_refused',
    serve: ({ api }) => void api.on('GET /panel/me', refusal(401, 'session_missing', 'sign in')),
    ready: '[role=alert]',
  },
];
