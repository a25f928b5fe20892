import type * as z from 'zod';
import { AccountPostView } from '../../../lib/automations/account-posts.ts';
import { ConversationView } from '../../../lib/automations/conversation-views.ts';
import { type FailureCode, failureCodes } from '../../../lib/automations/failure-codes.ts';
import {
  createAutomationOperation,
  editAutomationOperation,
  listAccountPostsOperation,
  listAutomationsOperation,
  listConversationsOperation,
  listLinksOperation,
  readAutomationOperation,
  readPostPictureOperation,
  removeAutomationOperation,
  tryAutomationOperation,
} from '../../../lib/automations/operations.ts';
import {
  CreateAutomationBody,
  EditAutomationBody,
  TryAutomationBody,
} from '../../../lib/automations/request-schemas.ts';
import { AutomationDetail, AutomationView, LinkClicksView } from '../../../lib/automations/views.ts';
import { listPostsOperation } from '../../../lib/posts/operations.ts';
import { smallJpeg } from '../../support/small-jpeg.ts';
import { type accountOf, dayMs, instagram, replyOf, serveAccounts, some } from './accounts.ts';
import { type FakeApi, refusal } from './fake-api.ts';
import { idOf } from './ids.ts';
import { listedPostOf, targetOf } from './posts.ts';

type View = z.infer<typeof AutomationView>;
type Detail = z.infer<typeof AutomationDetail>;
type Link = Detail['links'][number];

/** The day in UTC so many days ago. */
export const dayAgo = (days: number): string =>
  new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** Clicks that grow towards today, none on Sundays. */
const risingDays = (most: number) =>
  Array.from({ length: 60 }, (_, place) => ({
    day: dayAgo(59 - place),
    clicks:
      new Date(dayAgo(59 - place)).getUTCDay() === 0
        ? 0
        : Math.round((most * (place + (place % 5) * 4)) / 75),
  })).filter(({ clicks }) => clicks > 0);

export function linkOf(number: number, changes: Partial<Link> = {}): Link {
  const days = changes.days ?? risingDays(40 - 3 * number);
  return {
    url: `https://nordlicht.example/angebot/${number}`,
    address: `https://api.test/r/Ab3dEf9hJ${String(number).padStart(3, '0')}`,
    isSent: true,
    clicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
    days,
    ...changes,
  };
}

/** An automation as lists have it. */
export function automationOf(number: number, changes: Partial<View> = {}): View {
  return AutomationView.parse({
    id: idOf(7_000 + number),
    accountId: instagram.id,
    platformPostId: `1799000000000${String(number).padStart(4, '0')}`,
    postId: null,
    appliesTo: 'post',
    start: { state: 'started', message: null },
    name: 'Spring offer',
    isActive: true,
    keywords: ['link', 'price'],
    matchMode: 'word',
    typoTolerance: true,
    commentReply: 'I sent you a message 👋',
    dmMessage: 'Here is the offer: https://nordlicht.example/angebot/1',
    buttons: [{ type: 'url', title: 'Open the offer', url: 'https://nordlicht.example/angebot/2' }],
    followGate: null,
    trackLinks: true,
    createdAt: '2026-02-01T09:30:00.000Z',
    updatedAt: '2026-02-01T09:30:00.000Z',
    ...changes,
  });
}

/** The same as it is read alone. */
export function detailOf(automation: View, changes: Partial<Detail> = {}): Detail {
  const links = changes.links ?? [linkOf(1), linkOf(2)];
  const clicks = links.reduce((sum, link) => sum + link.clicks, 0);
  return AutomationDetail.parse({
    ...automation,
    counts: { matched: 5_284, replied: 5_260, messaged: 4_197, clicks, failed: 0 },
    failures: [],
    waiting: { count: 0, until: null, reasons: [] },
    ...changes,
    links,
  });
}

export const gate = {
  message: 'Follow us, then tap the button to get the link.',
  buttonLabel: 'I follow you',
  notFollowingMessage: 'Almost! Follow us first, then tap again.',
};

export const spring = automationOf(1);
export const gated = automationOf(2, {
  name: 'Giveaway',
  keywords: ['win', 'giveaway', 'gewinnen', 'me', 'bitte', 'please'],
  followGate: gate,
});
export const everything = automationOf(3, {
  name: null,
  isActive: false,
  keywords: [],
  dmMessage: null,
  buttons: [],
  commentReply: 'Thank you! 💛',
});
export const onlyMessage = automationOf(4, {
  name: null,
  commentReply: null,
  buttons: [],
  keywords: ['menu'],
});

/** The accounts, without access to the one of the automations. */
export const withoutAccess = some.map((each) =>
  each.id === instagram.id ? { ...each, status: 'expired' as const } : each,
);

/** One that waits for several reasons, and has failed for several. */
export const troubled = automationOf(5, { name: 'Autumn menu' });

/** The messages of failures are the API's. `solar_storm` and `eclipse` stand for codes of a later release. */
export const troubledDetail = detailOf(troubled, {
  counts: { matched: 1_640, replied: 1_204, messaged: 1_188, clicks: 310, failed: 1_268 },
  failures: [
    failureOf('platform_rejected', 1_204),
    failureOf('account_expired', 41),
    failureOf('window_closed', 12),
    failureOf('app_refused', 5),
    failureOf('outcome_unknown', 3),
    {
      code: 'solar_storm',
      count: 2,
      message: 'A storm on the sun. Wait for its end.',
      whoCanAct: 'nobody',
    },
    failureOf('other', 1),
  ],
  waiting: {
    count: 24,
    until: new Date(Date.now() + dayMs / 12).toISOString(),
    reasons: [
      { reason: 'account_expired', count: 12 },
      { reason: 'hourly_limit', count: 8 },
      { reason: 'automation_off', count: 3 },
      { reason: 'eclipse', count: 1 },
    ],
  },
});

function failureOf(code: FailureCode, count: number): Detail['failures'][number] {
  const { message, whoCanAct } = failureCodes[code];
  return { code, count, message, whoCanAct };
}

/** Details by id, with figures that differ. */
const details = [
  detailOf(spring),
  detailOf(gated, {
    counts: { matched: 2_912, replied: 2_905, messaged: 3_630, clicks: 1_798, failed: 0 },
    waiting: {
      count: 37,
      until: new Date(Date.now() + dayMs / 12).toISOString(),
      reasons: [{ reason: 'hourly_limit', count: 37 }],
    },
  }),
  detailOf(everything, {
    counts: { matched: 58, replied: 58, messaged: 0, clicks: 0, failed: 0 },
    links: [],
  }),
  detailOf(onlyMessage, {
    counts: { matched: 0, replied: 0, messaged: 0, clicks: 0, failed: 0 },
    links: [linkOf(4, { days: [] })],
  }),
];

/** Live posts of the account, the first ones with automations. */
export const livePosts = [
  'Menü der Woche 🍽️',
  'Danke für 10.000 Follower!',
  'Gewinnt einen Jahresvorrat Kaffee ☕️ Kommentiert „win“ und markiert, mit wem ihr ihn trinkt.',
  'Frühlingsangebot: zwei Pfund zum Preis von einem',
  'So rösten wir: ein Blick hinter die Kulissen',
  'Neu im Regal: Äthiopien Yirgacheffe',
].map((content, place) =>
  listedPostOf(700 + place, {
    content,
    status: 'published',
    scheduledFor: new Date(Date.UTC(2026, 1, 20 - place, 9)).toISOString(),
    platforms: [
      targetOf(instagram, {
        status: 'published',
        platformPostId: `1799000000000${String(4 - place + (place > 3 ? 100 : 0)).padStart(4, '0')}`,
        permalink: `https://www.instagram.com/p/post${place}/`,
        publishedAt: new Date(Date.UTC(2026, 1, 20 - place, 9)).toISOString(),
      }),
    ],
  }),
);

/** Posts that were made elsewhere. */
export const elsewhere = AccountPostView.parse({
  platformPostId: '17990000000090001',
  postId: null,
  automationId: null,
  kind: 'image',
  text: 'Vom Handy: der neue Laden',
  permalink: 'https://www.instagram.com/p/phone/',
  pictureUrl: 'https://scontent.cdninstagram.com/v/phone.jpg',
  publishedAt: '2026-02-21T09:00:00.000Z',
});
const oldElsewhere = {
  ...elsewhere,
  platformPostId: '17990000000090002',
  text: 'Unser erster Post',
  permalink: 'https://www.instagram.com/p/old/',
  pictureUrl: null,
};

/** Replies and messages, one in each state. */
const conversations = (['waiting', 'awaiting_answer', 'done', 'failed', 'unknown'] as const).map(
  (state, place) =>
    ConversationView.parse({
      kind: place === 2 ? 'public_reply' : 'private_message',
      commentId: `1801${place}`,
      messageId: null,
      personId: `26512${place}`,
      username: place === 4 ? null : `ada.${state}`,
      text: place === 4 ? null : 'Wo gibt es das? Den Link bitte!',
      commentedAt: new Date(Date.now() - place * 3_600_000).toISOString(),
      state,
      reason:
        state === 'failed' || state === 'waiting'
          ? {
              code: state === 'failed' ? 'comment_unavailable' : 'automation_off',
              message: 'See the code.',
              whoCanAct: 'commenter',
            }
          : null,
      sent: state === 'done' ? 'reply' : state === 'awaiting_answer' ? 'question' : null,
      sentAt: null,
    }),
);

/** A post that is not live. */
export const comingPost = listedPostOf(190, {
  content: 'Morgen gibt es Kaffee aus Huila',
  status: 'scheduled',
  scheduledFor: '2099-03-01T09:00:00.000Z',
  platforms: [targetOf(instagram, { status: 'scheduled' })],
});

interface Given {
  readonly automations?: readonly View[];
  readonly detailsOf?: readonly Detail[];
  readonly accounts?: readonly ReturnType<typeof accountOf>[];
  /** The most in a page of automations. */
  readonly perPage?: number;
}

const listed = [onlyMessage, everything, gated, spring];

/** Answers everything that the pages of automations read, and keeps what they change. */
export function serveAutomations(
  api: FakeApi,
  { automations = listed, detailsOf = details, accounts = some, perPage = 200 }: Given = {},
): FakeApi {
  const stored = new Map(
    automations.map((each) => [each.id, detailsOf.find(({ id }) => id === each.id) ?? detailOf(each)]),
  );
  const idIn = (path: string) => path.split('/')[3] ?? '';
  const unknown = refusal(404, 'not_found', 'automation not found');
  return serveAccounts(api, { accounts })
    .on('GET /v1/posts', ({ query }) => {
      const of = query.get('accountId');
      const states = query.get('status')?.split(',');
      const posts = [...livePosts, comingPost].filter(
        ({ status, platforms }) =>
          (states === undefined || states.includes(status)) &&
          (of === null || platforms.some((each) => each.accountId === of)),
      );
      return replyOf(listPostsOperation, { posts, nextCursor: null });
    })
    .on('GET /v1/accounts/{id}/posts', ({ query }) => {
      const permalink = query.get('permalink');
      return replyOf(listAccountPostsOperation, {
        posts: permalink === null ? [elsewhere] : permalink.includes('/old/') ? [oldElsewhere] : [],
        nextCursor: null,
      });
    })
    .on('GET /v1/accounts/{id}/posts/{platformPostId}/picture', () =>
      replyOf(readPostPictureOperation, { picture: { contentType: 'image/jpeg', data: smallJpeg } }),
    )
    .on('GET /v1/comment-automations', ({ query }) => {
      const of = query.get('accountId');
      const all = [...stored.values()].filter(({ accountId }) => of === null || accountId === of);
      const from = Number(query.get('cursor') ?? 0);
      const end = from + perPage;
      return replyOf(listAutomationsOperation, {
        automations: all.slice(from, end).map((each) => AutomationView.strip().parse(each)),
        nextCursor: end < all.length ? String(end) : null,
      });
    })
    .on('POST /v1/comment-automations', ({ body }) => {
      const wanted = CreateAutomationBody.parse(body);
      const { platformPostId = null, postId = null } = wanted;
      const existing = [...stored.values()].find(
        (each) =>
          each.appliesTo === wanted.appliesTo &&
          each.platformPostId === platformPostId &&
          each.postId === postId,
      );
      if (existing)
        return replyOf(createAutomationOperation, {
          ok: true,
          existing: true,
          automation: existing,
          warnings: [],
        });
      const isWaiting = platformPostId === null && ['post', 'next_post'].includes(wanted.appliesTo);
      const start = { state: isWaiting ? 'awaiting_post' : 'started', message: null } as const;
      const automation = automationOf(50, { ...wanted, platformPostId, postId, start });
      stored.set(
        automation.id,
        detailOf(automation, {
          counts: { matched: 0, replied: 0, messaged: 0, clicks: 0, failed: 0 },
          links: [],
        }),
      );
      return replyOf(createAutomationOperation, { ok: true, automation, warnings: [] }, 201);
    })
    .on('GET /v1/comment-automations/{id}', ({ path }) => {
      const automation = stored.get(idIn(path));
      return automation === undefined ? unknown : replyOf(readAutomationOperation, { automation });
    })
    .on('GET /v1/comment-automations/{id}/conversations', ({ query }) => {
      const [state, kind] = [query.get('state'), query.get('kind')];
      return replyOf(listConversationsOperation, {
        conversations: conversations.filter(
          (each) => (state === null || each.state === state) && (kind === null || each.kind === kind),
        ),
        nextCursor: null,
      });
    })
    .on('PATCH /v1/comment-automations/{id}', ({ path, body }) => {
      const before = stored.get(idIn(path));
      if (before === undefined) return unknown;
      const changes = EditAutomationBody.parse(body);
      const automation = AutomationDetail.parse({ ...before, ...changes });
      stored.set(automation.id, automation);
      return replyOf(editAutomationOperation, { automation, warnings: [] });
    })
    .on('DELETE /v1/comment-automations/{id}', ({ path }) =>
      stored.delete(idIn(path)) ? replyOf(removeAutomationOperation, { ok: true, warnings: [] }) : unknown,
    )
    .on('POST /v1/comment-automations/{id}/try', ({ path, body }) => {
      const { text } = TryAutomationBody.parse(body);
      const automation = stored.get(idIn(path));
      if (automation === undefined) return unknown;
      const keyword = automation.keywords.find((each) => text.toLowerCase().includes(each)) ?? null;
      const matches = keyword !== null || automation.keywords.length === 0;
      return replyOf(tryAutomationOperation, {
        warnings: [],
        result: {
          matches,
          keyword,
          isActive: automation.isActive,
          commentReply: matches ? automation.commentReply : null,
          dmMessage: matches ? (automation.followGate?.message ?? automation.dmMessage) : null,
        },
      });
    })
    .on('GET /v1/links', ({ query }) => {
      const of = query.get('automationId');
      if (of !== null && !stored.has(of)) return unknown;
      const { from = '', to = '' } = Object.fromEntries(query);
      const links = [...stored.values()]
        .filter(({ id }) => of === null || id === of)
        .flatMap((automation) =>
          automation.links.map((link) => clicksIn(link, automation, { from, to, isOfOne: of !== null })),
        );
      const begin = Number(query.get('cursor') ?? 0);
      const end = begin + perPage;
      return replyOf(listLinksOperation, {
        links: links.slice(begin, end),
        nextCursor: end < links.length ? String(end) : null,
      });
    });
}

function clicksIn(
  link: Link,
  { id, name, accountId, platformPostId }: View,
  { from, to, isOfOne }: { readonly from: string; readonly to: string; readonly isOfOne: boolean },
) {
  const days = link.days.filter(({ day }) => day >= from && day <= to);
  return LinkClicksView.parse({
    ...link,
    // Each automation has links of its own.
    address: isOfOne ? link.address : `${link.address}${id.slice(-2)}`,
    days,
    clicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
    automation: { id, name, accountId, platformPostId },
  });
}
