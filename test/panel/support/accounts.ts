import type * as z from 'zod';
import { listBoardsOperation } from '../../../lib/accounts/boards/operations.ts';
import {
  listAccountsOperation,
  listPlaylistsOperation,
  previewDisconnectOperation,
  readAccountOperation,
} from '../../../lib/accounts/operations.ts';
import { AccountView } from '../../../lib/accounts/schemas.ts';
import {
  beginConnectionOperation,
  claimAttemptOperation,
  readAttemptOperation,
} from '../../../lib/connections/operations.ts';
import type { AttemptView } from '../../../lib/connections/schemas.ts';
import { listPostsOperation } from '../../../lib/posts/operations.ts';
import type { ListedPostView } from '../../../lib/posts/view/schemas.ts';
import {
  listSlotsOperation,
  readRhythmOperation,
  setRhythmOperation,
} from '../../../lib/rhythm/operations.ts';
import type { Rhythm } from '../../../lib/rhythm/schemas.ts';
import type { FakeApi, FakeReply } from './fake-api.ts';
import { idOf } from './ids.ts';
import { berlin } from './me.ts';
import { listedPostOf, targetOf } from './posts.ts';

type Account = z.infer<typeof AccountView>;

export const dayMs = 86_400_000;
/** The panel compares times with the browser's own clock. */
export const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

/** An account as the service shows it. */
export function accountOf(number: number, changes: Partial<Account> = {}): Account {
  const id = idOf(number);
  return AccountView.parse({
    _id: id,
    id,
    platform: 'instagram',
    username: 'nordlicht.kaffee',
    displayName: 'Nordlicht Kaffee',
    avatarUrl: 'https://cdn.instagram.test/nordlicht.jpg',
    isActive: (changes.status ?? 'ok') === 'ok',
    status: 'ok',
    statusMessage: null,
    statusSince: null,
    defaultOptions: {},
    capabilities: ['publish', 'comments', 'messages'],
    externalId: null,
    connectedAt: '2026-01-12T09:30:00.000Z',
    profileId: { _id: berlin },
    meta: {},
    ...changes,
  });
}

export const instagram = accountOf(31);
export const linkedin = accountOf(32, {
  platform: 'linkedin',
  username: null,
  displayName: 'Nordlicht GmbH',
  capabilities: ['publish', 'comments'],
  externalId: 'customer-4711',
  meta: { as: 'organization', reconnectBy: inDays(5) },
});
export const tiktok = accountOf(33, {
  platform: 'tiktok',
  username: 'nordlicht',
  displayName: 'Nordlicht TikTok',
  status: 'expired',
  statusMessage: 'The refresh token is invalid (invalid_grant), while refreshing the access token',
  statusSince: '2026-03-01T23:15:00.000Z',
  capabilities: ['publish', 'drafts', 'profile'],
});
export const threads = accountOf(34, {
  platform: 'threads',
  username: 'nordlicht.threads',
  displayName: null,
  status: 'error',
  statusMessage: 'The account is restricted (368), while publishing a post',
  statusSince: '2026-02-27T08:00:00.000Z',
  capabilities: ['publish'],
});
export const pinterest = accountOf(35, {
  platform: 'pinterest',
  username: 'nordlicht_pins',
  displayName: 'Nordlicht Pins',
  capabilities: ['publish', 'boards'],
  meta: { boards: [{ id: '71', name: 'Rezepte' }], reconnectBy: inDays(40) },
});
export const youtube = accountOf(36, {
  platform: 'youtube',
  username: '@nordlicht',
  displayName: 'Nordlicht TV',
  capabilities: ['publish', 'comments', 'playlists', 'captions'],
  meta: { uploadsPlaylistId: 'UUnordlicht', longUploadsStatus: 'allowed' },
});
export const some = [instagram, linkedin, tiktok, threads, pinterest, youtube];

/** Names as people, or their enemies, may choose them. */
export const hostile = [
  accountOf(51, {
    displayName: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3),
  }),
  accountOf(52, { platform: 'facebook', username: null, displayName: 'مقهى الشمال للقهوة المختصة' }),
  accountOf(53, {
    platform: 'threads',
    username: '<b>bold</b>',
    displayName: '<img src=x onerror=alert(1)>',
  }),
  accountOf(54, { platform: 'tiktok', username: '🚀'.repeat(40), displayName: '👩‍👩‍👧‍👦 Familie ☕️' }),
  accountOf(55, { platform: 'youtube', displayName: '\u202Egnp.exe', username: 'W'.repeat(255) }),
  accountOf(56, {
    displayName: null,
    username: null,
    status: 'expired',
    statusMessage: `no spaces ${'A'.repeat(500)}`,
    externalId: 'x'.repeat(255),
  }),
];

/** The most accounts that a workspace may have. */
export const many = Array.from({ length: 2_000 }, (_, number) =>
  accountOf(1_000 + number, {
    platform: (['instagram', 'facebook', 'threads', 'tiktok'] as const)[number % 4] ?? 'instagram',
    username: `store.${number}`,
    displayName: `Store ${number} ${['Berlin', 'Köln', 'Łódź'][number % 3]}`,
    ...(number % 100 === 7 && { status: 'expired', statusMessage: 'expired (190)' }),
  }),
);

/** A post that is scheduled to an account. */
export const postFor = (number: number, account: Account, at: string) =>
  listedPostOf(number, { scheduledFor: at, platforms: [targetOf(account, { scheduledFor: at })] });

type AnyOperation = { readonly replies: Readonly<Record<number, { readonly body?: z.ZodType }>> };

/** A reply of an operation. It has passed the schema by which the service checks its own. */
export function replyOf(operation: AnyOperation, body: unknown, status = 200): FakeReply {
  return { status, body: operation.replies[status]?.body?.parse(body) };
}

export const rhythm: z.infer<typeof Rhythm> = {
  gapMinutes: 120,
  dailyCap: 3,
  dayWindow: { from: '09:00', to: '21:00' },
  collisionBufferMinutes: 15,
  timezone: 'UTC',
};

interface Given {
  readonly accounts?: readonly Account[];
  readonly posts?: readonly z.infer<typeof ListedPostView>[];
  readonly preview?: unknown;
}

export const noConsequences = {
  scheduledTargets: 0,
  waitingChainSteps: 0,
  activeAutomations: 0,
  revokesAccess: true,
  accountsOfSameLogin: [],
};

/** Answers everything that the pages of accounts read. */
export function serveAccounts(
  api: FakeApi,
  { accounts = some, posts = [], preview = noConsequences }: Given = {},
): FakeApi {
  const one = (path: string) => accounts.find(({ id }) => path.includes(id));
  return api
    .on('GET /v1/accounts', () => replyOf(listAccountsOperation, { accounts, nextCursor: null }))
    .on('GET /v1/posts', ({ query }) => {
      const of = query.get('accountId');
      const found = posts.filter(
        ({ platforms }) => of === null || platforms.some(({ accountId }) => accountId === of),
      );
      return replyOf(listPostsOperation, { posts: found, nextCursor: null });
    })
    .on('GET /v1/accounts/{id}', ({ path }) => {
      const account = one(path);
      return account === undefined
        ? {
            status: 404,
            body: { error: 'account: not found', code: 'not_found', docUrl: 'https://api.test' },
          }
        : replyOf(readAccountOperation, { account });
    })
    .on('GET /v1/accounts/{id}/disconnect-preview', () => replyOf(previewDisconnectOperation, preview))
    .on('GET /v1/accounts/{id}/rhythm', () => replyOf(readRhythmOperation, { rhythm }))
    .on('GET /v1/accounts/{id}/slots', () =>
      replyOf(listSlotsOperation, {
        timezone: 'UTC',
        slots: [
          { at: '2026-07-01T07:00:00.000Z', local: '2026-07-01T07:00:00+00:00' },
          { at: '2026-07-01T09:00:00.000Z', local: '2026-07-01T09:00:00+00:00' },
        ],
      }),
    )
    .on('GET /v1/accounts/{id}/boards', () =>
      replyOf(listBoardsOperation, {
        boards: Array.from({ length: 150 }, (_, number) => ({
          id: String(number),
          name: number === 149 ? 'Winter' : `Board ${number}`,
          description: null,
          privacy: 'PUBLIC',
        })),
      }),
    )
    .on('GET /v1/accounts/{id}/playlists', () =>
      replyOf(listPlaylistsOperation, {
        playlists: [{ id: 'PL1', title: 'Röstereien', privacy: 'public', itemCount: 12 }],
      }),
    );
}

/** The service's response to a new rhythm, and to a request for it. */
export const savedRhythm = (saved: unknown): FakeReply =>
  replyOf(setRhythmOperation, { rhythm: saved, warnings: [] });
export const rhythmReply = (saved: unknown): FakeReply => replyOf(readRhythmOperation, { rhythm: saved });

/** Lets the service begin connections, whose pages are at `authUrl`. */
export function serveBegin(api: FakeApi, authUrl: string, state = 'state-1'): FakeApi {
  return api.on('POST /v1/connect/{platform}', () =>
    replyOf(beginConnectionOperation, { authUrl, state, expiresAt: inDays(0.01), warnings: [] }, 201),
  );
}

type Attempt = z.infer<typeof AttemptView>;

export const attemptReply = (changes: Partial<Attempt> = {}): FakeReply =>
  replyOf(claimAttemptOperation, { attempt: attemptOf(changes), warnings: [] });
export const readAttemptReply = (changes: Partial<Attempt> = {}): FakeReply =>
  replyOf(readAttemptOperation, { attempt: attemptOf(changes) });

const attemptOf = (changes: Partial<Attempt>) => ({
  state: 'state-1',
  platform: 'instagram',
  status: 'connected',
  accounts: [instagram],
  externalId: null,
  ...changes,
});
