import { listAccountsOperation } from '../../accounts/operations.ts';
import type { ReplyOf } from '../../api-contract/operation-request.ts';
import { listAuditOperation } from '../../audit/operations.ts';
import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, notFound } from '../../kernel/errors.ts';
import { readWorkspaceOperation } from '../../workspaces/operations.ts';
import {
  ok,
  refuseParameters,
  requireProfile,
  wholeNumber,
  type ZernioCall,
  type ZernioPorts,
} from '../call.ts';
import { inTheirFields, renamedBy } from '../fields.ts';
import { readOwnKeyOperation } from '../own-key.ts';
import { oneProfile } from './accounts.ts';

const ownKey = async ({ call }: ZernioPorts) => (await call(readOwnKeyOperation, {})).key;
const workspaceOf = async ({ call }: ZernioPorts) => (await call(readWorkspaceOperation, {})).workspace;

const verifyCredential: ZernioCall = {
  name: 'verifyCredential',
  route: 'GET /v1/auth/verify',
  operations: [readOwnKeyOperation],
  run: async (ports) => {
    const { name } = await ownKey(ports);
    return ok({ valid: true, userId: ports.workspaceId, name, authType: 'api_key' });
  },
};

const listKeys: ZernioCall = {
  name: 'listApiKeys',
  route: 'GET /v1/api-keys',
  operations: [readOwnKeyOperation],
  run: async (ports) => {
    const { id, name, lastFour, createdAt, expiresAt } = await ownKey(ports);
    const keyPreview = `yay_…${lastFour ?? ''}`;
    return ok({ apiKeys: [{ id, name, keyPreview, createdAt, ...(expiresAt !== null && { expiresAt }) }] });
  },
};

/** A key that leaks must not be able to make others that outlive its revocation. */
const keysMakeNoKeys = (): never => {
  throw new HeraldError(
    'permission_missing',
    'a key cannot make, change or revoke keys; an owner does that in the panel',
  );
};

const createKey: ZernioCall = {
  name: 'createApiKey',
  route: 'POST /v1/api-keys',
  operations: [],
  run: keysMakeNoKeys,
};

const deleteKey: ZernioCall = {
  name: 'deleteApiKey',
  route: 'DELETE /v1/api-keys/{keyId}',
  operations: [],
  run: keysMakeNoKeys,
};

function toProfile({ id, name, createdAt }: ReplyOf<typeof readWorkspaceOperation>['workspace']) {
  return { _id: id, name, isDefault: true, createdAt };
}

const listProfiles: ZernioCall = {
  name: 'listProfiles',
  route: 'GET /v1/profiles',
  operations: [readWorkspaceOperation],
  run: async (ports) => ok({ profiles: [toProfile(await workspaceOf(ports))], total: 1 }),
};

const readProfile: ZernioCall = {
  name: 'getProfile',
  route: 'GET /v1/profiles/{profileId}',
  operations: [readWorkspaceOperation],
  run: async (ports, { path }) => {
    requireProfile(ports, path['profileId']);
    return ok({ profile: toProfile(await workspaceOf(ports)) });
  },
};

const profileWrites = [
  ['createProfile', 'POST /v1/profiles'],
  ['updateProfile', 'PUT /v1/profiles/{profileId}'],
  ['deleteProfile', 'DELETE /v1/profiles/{profileId}'],
].map(([name = '', route = '']): ZernioCall => ({ name, route, operations: [], run: oneProfile }));

/** The key stands for the one user: members of a workspace are not shown to keys. */
const userOf = ({ id, name, createdAt }: Awaited<ReturnType<typeof ownKey>>) => ({
  _id: id,
  name,
  role: 'api_key',
  isRoot: false,
  createdAt,
});

const listUsers: ZernioCall = {
  name: 'listUsers',
  route: 'GET /v1/users',
  operations: [readOwnKeyOperation],
  run: async (ports) => {
    const user = userOf(await ownKey(ports));
    return ok({ currentUserId: user._id, users: [user] });
  },
};

const readUser: ZernioCall = {
  name: 'getUser',
  route: 'GET /v1/users/{userId}',
  operations: [readOwnKeyOperation],
  run: async (ports, { path }) => {
    const { createdAt: _, ...user } = userOf(await ownKey(ports));
    if (path['userId'] !== user._id) throw notFound('user');
    return ok({ user });
  },
};

const usageStats: ZernioCall = {
  name: 'getUsageStats',
  route: 'GET /v1/usage-stats',
  operations: [readWorkspaceOperation, listAccountsOperation],
  run: async (ports) => {
    const { counts, createdAt } = await workspaceOf(ports);
    return ok({
      planName: 'Herald',
      hasAccess: true,
      signupDate: createdAt,
      limits: { profiles: 1 },
      usage: { profiles: 1, connectedAccounts: counts.accounts },
    });
  },
};

const longestLogDays = 90;

const listLogs: ZernioCall = {
  name: 'listLogs',
  route: 'GET /v1/logs',
  operations: [listAuditOperation],
  run: async (ports, request) => {
    const { query } = request;
    refuseParameters('listLogs', request, ['accountId', 'event', 'search', 'requestId', 'statusCode']);
    const limit = wholeNumber(request, 'limit', { least: 1, most: 100, fallback: 50 });
    const skip = wholeNumber(request, 'skip', { least: 0, most: 400, fallback: 0 });
    const days = wholeNumber(request, 'days', { least: 1, most: longestLogDays, fallback: 7 });
    const listing = ports.call(listAuditOperation, {
      query: {
        from: query['from'] || toTimestamp(ports.now - days * dayMs),
        to: query['to'] || undefined,
        verb: query['action'] || undefined,
        actor: query['apiKeyId'] || undefined,
        limit: String(Math.min(500, skip + limit + 1)),
      },
    });
    const name = renamedBy({ verb: 'action', actor: 'apiKeyId' });
    const { entries, nextCursor } = await inTheirFields(listing, name);
    const logs = entries.slice(skip, skip + limit).map(toLog);
    const hasMore = nextCursor !== null || entries.length > skip + limit;
    const total = hasMore ? skip + limit + 1 : entries.length;
    return ok({ logs, pagination: { total, limit, skip, pages: Math.ceil(total / limit), hasMore } });
  },
};

type AuditEntry = ReplyOf<typeof listAuditOperation>['entries'][number];

/** An entry of the audit log in Zernio's form. */
function toLog(entry: AuditEntry) {
  const { at, verb, actor, requestId, outcome } = entry;
  return {
    type: 'api_request',
    action: verb,
    status: outcome === 'refused' ? 'failed' : 'success',
    created_at: at,
    ...(actor.kind === 'key' ? { api_key_id: actor.id } : { user_id: actor.id }),
    request_id: requestId,
  };
}

export const workspaceCalls: readonly ZernioCall[] = [
  ...[verifyCredential, listKeys, createKey, deleteKey],
  ...[listProfiles, readProfile, ...profileWrites],
  ...[listUsers, readUser, usageStats, listLogs],
];
