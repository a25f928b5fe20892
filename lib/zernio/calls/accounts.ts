import { createBoardOperation, listBoardsOperation } from '../../accounts/boards/operations.ts';
import {
  disconnectAccountOperation,
  findMentionsOperation,
  listAccountsOperation,
  listPlaylistsOperation,
  readAccountOperation,
  readCreatorInfoOperation,
} from '../../accounts/operations.ts';
import type { AccountView } from '../../accounts/schemas.ts';
import { listAccountPostsOperation } from '../../automations/operations.ts';
import { beginConnectionOperation } from '../../connections/operations.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../../kernel/errors.ts';
import { Platform } from '../../platforms/contract/names.ts';
import {
  fieldsOf,
  notInHerald,
  ok,
  refuseParameters,
  requireProfile,
  wholeNumber,
  type ZernioCall,
  type ZernioPorts,
  type ZernioRequest,
} from '../call.ts';
import { inTheirFields, renamedBy } from '../fields.ts';
import { accountNames, toTheirs } from '../names.ts';

/** Returns the account in Zernio's form. */
export function toAccount(account: AccountView) {
  return {
    ...toTheirs(accountNames, account),
    profilePicture: account.avatarUrl,
    needsReconnection: account.status === 'expired',
  };
}

/** Returns the health of the account. */
export function toHealth({ id, status, statusMessage, username, displayName, ...account }: AccountView) {
  const { reconnectBy } = account.meta;
  return {
    accountId: id,
    platform: account.platform,
    ...(username !== null && { username }),
    ...(displayName !== null && { displayName }),
    profileId: account.profileId._id,
    status: status === 'ok' ? 'healthy' : 'error',
    canPost: account.isActive,
    canFetchAnalytics: account.isActive && account.capabilities.includes('insights'),
    tokenValid: status !== 'expired',
    ...(typeof reconnectBy === 'string' && { tokenExpiresAt: reconnectBy }),
    needsReconnect: status === 'expired',
    issues: statusMessage === null ? [] : [statusMessage],
  };
}

/** Returns the accounts that a request asks for: all of them, or those of a platform. */
async function accountsOf(ports: ZernioPorts, request: ZernioRequest): Promise<readonly AccountView[]> {
  const { profileId, platform } = request.query;
  requireProfile(ports, profileId);
  const { accounts } = await ports.call(listAccountsOperation, {
    query: { platform: platform ? requirePlatform(platform) : undefined },
  });
  return accounts;
}

/** @throws HeraldError `not_in_herald` for a platform of Zernio's that Herald does not publish to */
export function requirePlatform(platform: string): Platform {
  const { success, data } = Platform.safeParse(platform);
  if (success) return data;
  throw notInHerald(`the platform ${platform.slice(0, 30)}`);
}

const listAccounts: ZernioCall = {
  name: 'listAccounts',
  route: 'GET /v1/accounts',
  operations: [listAccountsOperation],
  run: async (ports, request) => {
    const found = (await accountsOf(ports, request)).filter(hasStatus(request.query['status']));
    const accounts = found.map(toAccount);
    const { page, limit } = request.query;
    if (page === undefined && limit === undefined) return ok({ accounts, hasAnalyticsAccess: true });
    const size = wholeNumber(request, 'limit', { least: 1, most: 500, fallback: 100 });
    const number = wholeNumber(request, 'page', { least: 1, most: 1_000_000, fallback: 1 });
    const pagination = {
      page: number,
      limit: size,
      total: accounts.length,
      pages: Math.ceil(accounts.length / size),
    };
    const shown = accounts.slice((number - 1) * size, number * size);
    return ok({ accounts: shown, hasAnalyticsAccess: true, pagination });
  },
};

function hasStatus(status: string | undefined): (account: AccountView) => boolean {
  switch (status) {
    case undefined:
    case '':
      return () => true;
    case 'connected':
      return (account) => account.status !== 'expired';
    case 'disconnected':
      return (account) => account.status === 'expired';
    default:
      throw invalidField('status', 'must be connected or disconnected', 'field_unknown_value');
  }
}

const listHealth: ZernioCall = {
  name: 'getAllAccountsHealth',
  route: 'GET /v1/accounts/health',
  operations: [listAccountsOperation],
  run: async (ports, request) => {
    const accounts = (await accountsOf(ports, request)).map(toHealth);
    const count = (test: (health: ReturnType<typeof toHealth>) => boolean) => accounts.filter(test).length;
    return ok({
      summary: {
        total: accounts.length,
        healthy: count(({ status }) => status === 'healthy'),
        warning: 0,
        error: count(({ status }) => status === 'error'),
        needsReconnect: count(({ needsReconnect }) => needsReconnect),
      },
      accounts,
    });
  },
};

const readHealth: ZernioCall = {
  name: 'getAccountHealth',
  route: 'GET /v1/accounts/{accountId}/health',
  operations: [readAccountOperation],
  run: async ({ call }, { path }) => {
    const { account } = await call(readAccountOperation, { path: { id: path['accountId'] ?? '' } });
    const { accountId, platform, username, displayName, status, ...health } = toHealth(account);
    return ok({
      ...{ accountId, platform, username, displayName, status },
      tokenStatus: {
        valid: health.tokenValid,
        ...('tokenExpiresAt' in health && { expiresAt: health.tokenExpiresAt }),
        needsRefresh: false,
      },
      permissions: {
        posting: [],
        analytics: [],
        optional: [],
        canPost: health.canPost,
        canFetchAnalytics: health.canFetchAnalytics,
        missingRequired: [],
      },
      issues: health.issues,
      recommendations: health.needsReconnect ? ['Connect the account again.'] : [],
    });
  },
};

const disconnect: ZernioCall = {
  name: 'deleteAccount',
  route: 'DELETE /v1/accounts/{accountId}',
  operations: [disconnectAccountOperation],
  run: async ({ call }, { path }) => {
    await call(disconnectAccountOperation, { path: { id: path['accountId'] ?? '' } });
    return ok({ message: 'Account disconnected' });
  },
};

const connect: ZernioCall = {
  name: 'getConnectUrl',
  route: 'GET /v1/connect/{platform}',
  operations: [beginConnectionOperation],
  run: async (ports, request) => {
    const { profileId, redirect_url: redirectUrl } = request.query;
    requireProfile(ports, profileId);
    if (request.query['headless'] === 'true') throw notInHerald('getConnectUrl with headless');
    refuseParameters('getConnectUrl', request, ['loginMethod', 'onboarding', 'signup']);
    const platform = requirePlatform(request.path['platform'] ?? '');
    const beginning = ports.call(beginConnectionOperation, {
      path: { platform },
      body: { ...(redirectUrl && { redirectUrl }) },
    });
    const name = renamedBy({ redirectUrl: 'redirect_url' });
    const { authUrl, state } = await inTheirFields(beginning, name);
    return ok({ authUrl, state });
  },
};

const ofAccount = ({ path }: ZernioRequest) => ({ id: path['accountId'] ?? '' });

const listBoards: ZernioCall = {
  name: 'getPinterestBoards',
  route: 'GET /v1/accounts/{accountId}/pinterest-boards',
  operations: [listBoardsOperation],
  run: async ({ call }, request) => {
    const { boards } = await call(listBoardsOperation, { path: ofAccount(request) });
    return ok({ boards });
  },
};

const createBoard: ZernioCall = {
  name: 'createPinterestBoard',
  route: 'POST /v1/accounts/{accountId}/pinterest-boards',
  operations: [createBoardOperation],
  run: async ({ call }, request) => {
    const reply = await call(createBoardOperation, { path: ofAccount(request), body: fieldsOf(request) });
    return { status: 201, body: { success: true, ...reply } };
  },
};

const listPlaylists: ZernioCall = {
  name: 'getYoutubePlaylists',
  route: 'GET /v1/accounts/{accountId}/youtube-playlists',
  operations: [listPlaylistsOperation],
  run: async ({ call }, request) => {
    const { playlists } = await call(listPlaylistsOperation, { path: ofAccount(request) });
    return ok({ playlists });
  },
};

const creatorInfo: ZernioCall = {
  name: 'getTikTokCreatorInfo',
  route: 'GET /v1/accounts/{accountId}/tiktok/creator-info',
  operations: [readCreatorInfoOperation],
  run: async ({ call }, request) => {
    const { creatorInfo: info } = await call(readCreatorInfoOperation, { path: ofAccount(request) });
    const interaction = (isDisabled: boolean, label: string) => ({
      enabled: !isDisabled,
      required: false,
      default: false,
      label,
    });
    return ok({
      creator: {
        ...(info.nickname !== null && { nickname: info.nickname }),
        ...(info.avatarUrl !== null && { avatarUrl: info.avatarUrl }),
        canPostMore: true,
      },
      privacyLevels: info.privacyLevels.map((value) => ({ value, label: value })),
      postingLimits: {
        ...(info.maxVideoSeconds !== null && { maxVideoDurationSec: info.maxVideoSeconds }),
        interactionSettings: {
          allow_comment: interaction(info.commentDisabled, 'Allow comments'),
          allow_duet: interaction(info.duetDisabled, 'Allow duets'),
          allow_stitch: interaction(info.stitchDisabled, 'Allow stitches'),
        },
      },
    });
  },
};

const listAccountPosts: ZernioCall = {
  name: 'getAccountPosts',
  route: 'GET /v1/accounts/{accountId}/posts',
  operations: [listAccountPostsOperation],
  run: async ({ call, now }, request) => {
    const { posts } = await call(listAccountPostsOperation, { path: ofAccount(request) });
    return ok({
      status: 'success',
      posts: posts.map(({ platformPostId, text, publishedAt, permalink, pictureUrl, kind }) => ({
        id: platformPostId,
        platform: 'instagram',
        ...(text !== null && { message: text }),
        ...(publishedAt !== null && { createdTime: publishedAt }),
        ...(permalink !== null && { permalink }),
        ...(pictureUrl !== null && { picture: pictureUrl }),
        mediaType: kind,
      })),
      lastUpdated: toTimestamp(now),
    });
  },
};

const findMention: ZernioCall = {
  name: 'getLinkedInMentions',
  route: 'GET /v1/accounts/{accountId}/linkedin-mentions',
  operations: [findMentionsOperation],
  run: async ({ call }, request) => {
    const { url } = request.query;
    if (!url) throw invalidField('url', 'is required', 'field_required');
    const finding = call(findMentionsOperation, { path: ofAccount(request), query: { query: url } });
    const { mentions } = await inTheirFields(finding, renamedBy({ query: 'url' }));
    const [found] = mentions;
    if (!found) throw notFound('mention');
    const [, urn] = /\((urn:[^)]+)\)/.exec(found.text) ?? [];
    return ok({
      ...(urn !== undefined && { urn }),
      type: found.kind,
      displayName: found.name,
      mentionFormat: found.text,
      ...(found.kind === 'organization' && found.description !== null && { vanityName: found.description }),
    });
  },
};

/** A workspace is one profile, and stays it. */
export const oneProfile = (): never => {
  throw new HeraldError(
    'permission_missing',
    'a workspace is one profile; ask the operator of this service for another workspace',
  );
};

const moveAccount: ZernioCall = {
  name: 'moveAccountToProfile',
  route: 'PATCH /v1/accounts/{accountId}',
  operations: [],
  run: oneProfile,
};

export const accountCalls: readonly ZernioCall[] = [
  ...[listAccounts, listHealth, readHealth, disconnect, moveAccount, connect],
  ...[listBoards, createBoard, listPlaylists, creatorInfo, listAccountPosts, findMention],
];
