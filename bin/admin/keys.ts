import { toTimestamp } from '../../lib/kernel/clock.ts';
import { type KeyWithUse, listKeysWithUse } from '../../lib/workspaces/key-use.ts';
import { createKey, revokeKeyById, rotateKey } from '../../lib/workspaces/manage-keys.ts';
import { permissionsOf } from '../../lib/workspaces/schemas.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import { type Commands, operatorCommand } from './command.ts';
import { readRate } from './rate-limits.ts';
import { readDurationMs, readList, readMoment } from './values.ts';

const keepIt = 'Store the key now: it is not shown again.';

const expiryOption = {
  value: 'day or duration',
  read: readMoment,
  summary:
    'time at which it stops working: 2027-01-01 (0:00 UTC), 2027-01-01T08:00:00Z or 90d; at most 5 years ahead',
} as const;

export const keyCommands: Commands = {
  'key create': operatorCommand({
    verb: 'key.create',
    words: { workspaceId: {}, name: { default: 'API key' } },
    options: {
      permissions: {
        value: 'list',
        read: readList,
        summary:
          'its permissions, separated by commas: read,draft,publish,connect,automate,webhooks; default: all',
      },
      accounts: {
        value: 'ids',
        read: readList,
        summary: 'ids of the accounts that it may use, separated by commas; default: all',
      },
      expires: { ...expiryOption, summary: `${expiryOption.summary}; default: never` },
      'rate-limit': {
        value: 'number',
        read: readRate,
        summary: 'requests per minute, at most 60,000; default: the limit of the stage',
      },
    },
    summary: 'issue an API key, which is shown only once',
    detail:
      'Limits cannot be changed later, except the expiry (key rotate) and the requests per minute (key rate-limit).',
    run: async (operator, { workspaceId, name }, options) => {
      const { permissions, accounts, expires, 'rate-limit': ratePerMinute } = options;
      const { key, apiKey } = await createKey(operator, {
        workspaceId,
        name,
        permissions,
        accountIds: accounts,
        expiresAt: expires?.(operator.now),
        ratePerMinute,
      });
      operator.out.one({ id: key.id, name: key.name, apiKey });
      operator.out.note(keepIt);
    },
  }),
  'key list': operatorCommand({
    verb: 'key.read',
    words: { workspaceId: {} },
    summary:
      'list the API keys of a workspace with their limits, including revoked ones, without their values',
    run: async ({ table, now, out }, { workspaceId }) => {
      const { id } = await getWorkspace(table, workspaceId);
      out.list((await listKeysWithUse(table, id)).map((key) => describe(key, now)));
    },
  }),
  'key rotate': operatorCommand({
    verb: 'key.rotate',
    words: { workspaceId: {}, keyId: {} },
    options: {
      overlap: {
        value: 'duration',
        read: readDurationMs,
        summary: 'time for which the old key keeps working: 30m, 24h, at most 7d; default: none',
      },
      expires: { ...expiryOption, summary: `${expiryOption.summary}; default: unchanged` },
    },
    summary: 'replace an API key with a new one; its id, limits and rhythms stay',
    detail:
      'Without --overlap the old key is rejected within 30 seconds, which is right for a key that leaked. ' +
      'Use an overlap to rotate without an interruption. A key that has expired needs a new expiry.',
    run: async (operator, { workspaceId, keyId }, { overlap, expires }) => {
      const { key, apiKey } = await rotateKey(operator, {
        workspaceId,
        keyId,
        overlapMs: overlap,
        expiresAt: expires?.(operator.now),
      });
      operator.out.one({ id: key.id, name: key.name, apiKey });
      const end =
        key.previousUntil === undefined
          ? 'Warm functions may accept the old one for up to 30 seconds more.'
          : `The old one works until ${key.previousUntil}.`;
      operator.out.note(`${keepIt} ${end}`);
    },
  }),
  'key revoke': operatorCommand({
    verb: 'key.revoke',
    words: { workspaceId: {}, keyId: {} },
    summary: 'revoke an API key permanently',
    detail: 'It is rejected within 30 seconds, and so is an old key that a rotation left valid.',
    run: async (operator, { workspaceId, keyId }) => {
      const { revokedAt, isRepeated } = await revokeKeyById(operator, { workspaceId, keyId });
      operator.out.result({ id: keyId, revokedAt, isRepeated }, [
        isRepeated ? `It was revoked before, at ${revokedAt}.` : 'Revoked.',
      ]);
      if (!isRepeated) operator.out.note('Warm functions may accept the key for up to 30 seconds.');
    },
  }),
};

function describe(key: KeyWithUse, now: number) {
  const { id, name, createdAt, createdBy, accountIds, expiresAt, previousUntil } = key;
  const isOldValid = previousUntil !== undefined && previousUntil > toTimestamp(now);
  return {
    id,
    name,
    createdAt,
    createdBy: createdBy ? `${createdBy.kind}:${createdBy.id}` : '',
    lastFour: key.lastFour ?? '',
    permissions: permissionsOf(key)?.join(',') ?? 'all',
    accounts: accountIds?.join(',') ?? 'all',
    expiresAt: expiresAt ?? 'never',
    ratePerMinute: key.ratePerMinute ?? 'default',
    lastUsedAt: key.lastUsedAt ?? 'never',
    ...(isOldValid && !key.revokedAt && { oldValueUntil: previousUntil }),
    revokedAt: key.revokedAt ?? '',
    ...(key.grant && { client: key.grant.clientId }),
  };
}
