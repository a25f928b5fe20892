import { account } from './things.ts';

const board = {
  id: '549755885175',
  name: 'Sweet breads',
  description: 'Everything with cinnamon',
  privacy: 'PUBLIC',
} as const;
const section = { id: '5193704120', name: 'Rolls' } as const;

const rhythm = {
  gapMinutes: 180,
  dailyCap: 2,
  dayWindow: { from: '07:00', to: '18:00' },
  collisionBufferMinutes: 20,
  timezone: 'Europe/Berlin',
} as const;

const state = 'kR3nT0xWq8vLz5uYp1sJd7hGb2fMc9aE';
const attempt = {
  state,
  platform: 'instagram',
  status: 'connected',
  accounts: [account],
  externalId: 'customer-4711',
} as const;

/** Examples of accounts, their data at the platforms, and connecting them. */
export const examples = {
  listAccounts: { responses: { 200: { accounts: [account], nextCursor: null } } },
  getAccount: { responses: { 200: { account } } },
  updateAccount: {
    request: { defaultOptions: account.defaultOptions },
    responses: { 200: { account, warnings: [] } },
  },
  disconnectAccount: { responses: { 200: { ok: true, scheduledTargets: 3, waitingChainSteps: 1 } } },
  getCreatorInfo: {
    responses: {
      200: {
        creatorInfo: {
          nickname: 'North Street Bakery',
          username: 'northstreetbakery',
          avatarUrl: 'https://p16-sign-va.tiktokcdn.com/north-street-bakery.jpeg',
          privacyLevels: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
          commentDisabled: false,
          duetDisabled: false,
          stitchDisabled: true,
          maxVideoSeconds: 600,
        },
      },
    },
  },
  listPlaylists: {
    responses: {
      200: {
        playlists: [
          {
            id: 'PLx0sYbCqOb8TBPRdmBHs5Iftvv9TPboYG',
            title: 'From the bakery',
            privacy: 'public',
            itemCount: 14,
          },
        ],
      },
    },
  },
  findMentions: {
    responses: {
      200: {
        mentions: [
          {
            kind: 'organization',
            name: 'Harbour Coffee',
            description: 'harbour-coffee',
            text: '@[Harbour Coffee](urn:li:organization:79988552)',
          },
        ],
      },
    },
  },
  listBoards: { responses: { 200: { boards: [board] } } },
  createBoard: {
    request: { name: board.name, description: board.description },
    responses: { 201: { board, warnings: [] } },
  },
  listBoardSections: { responses: { 200: { sections: [section] } } },
  createBoardSection: { request: { name: section.name }, responses: { 201: { section, warnings: [] } } },
  getRhythm: { responses: { 200: { rhythm } } },
  setRhythm: { request: rhythm, responses: { 200: { rhythm, warnings: [] } } },
  listSlots: {
    responses: {
      200: {
        timezone: rhythm.timezone,
        slots: [
          { at: '2026-02-06T06:14:00.000Z', local: '2026-02-06T07:14:00+01:00' },
          { at: '2026-02-06T10:41:00.000Z', local: '2026-02-06T11:41:00+01:00' },
        ],
      },
    },
  },
  previewDisconnect: {
    responses: {
      200: {
        scheduledTargets: 3,
        waitingChainSteps: 1,
        activeAutomations: 1,
        revokesAccess: false,
        accountsOfSameLogin: [
          {
            id: '01987a45-90c3-7d12-a6f8-2e7b51d4c083',
            platform: 'instagram',
            username: 'north.street.cafe',
            displayName: 'North Street Café',
          },
        ],
      },
    },
  },
  startConnection: {
    request: {
      redirectUrl: 'https://bakery.example.com/settings/social',
      externalId: attempt.externalId,
    },
    responses: {
      201: {
        authUrl: `https://api.example.com/oauth/instagram/begin?state=${state}`,
        state,
        expiresAt: '2026-01-12T09:38:00.000Z',
        warnings: [],
      },
    },
  },
  getConnectionAttempt: { responses: { 200: { attempt } } },
  claimConnectionAttempt: {
    request: { code: 'm4Xw7Pz2Qn9Rt6Vb1Ck8Hs5Lf3Jd0Gy' },
    responses: { 200: { attempt, warnings: [] } },
  },
} as const;
