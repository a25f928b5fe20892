import { toTimestamp } from '../../lib/kernel/clock.ts';
import { type KeyWithUse, listKeysWithUse } from '../../lib/workspaces/key-use.ts';
import { createKey, revokeKeyById, rotateKey } from '../../lib/workspaces/manage-keys.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import type { CommandOption, Commands } from './command.ts';
import { readRate } from './rate-limits.ts';
import { readDurationMs, readMoment } from './times.ts';

const keepIt = 'Store the key now: it is not shown again.';

const expiryOption: CommandOption = {
  value: 'day or duration',
  summary:
    'time at which it stops working: 2027-01-01 (0:00 UTC), 2027-01-01T08:00:00Z or 90d; at most 5 years ahead',
};

export const keyCommands: Commands = {
  'key create': {
    verb: 'key.create',
    words: ['workspace id'],
    optional: ['name'],
    options: {
      permissions: {
        value: 'list',
        summary: 'its permissions, separated by commas: read,publish,connect,automate,webhooks; default: all',
      },
      accounts: {
        value: 'ids',
        summary: 'ids of the accounts that it may use, separated by commas; default: all',
      },
      expires: { ...expiryOption, summary: `${expiryOption.summary}; default: never` },
      'rate-limit': {
        value: 'number',
        summary: 'requests per minute, at most 60,000; default: the limit of the stage',
      },
    },
    summary: 'issue an API key, which is shown only once',
    detail:
      'Limits cannot be changed later, except the expiry (key rotate) and the requests per minute (key rate-limit).',
    run: async (operator, workspaceId = '', name = 'API key') => {
      const { permissions, accounts, expires, 'rate-limit': rate } = operator.options;
      const { key, apiKey } = await createKey(operator, {
        workspaceId,
        name,
        permissions: listed(permissions),
        accountIds: listed(accounts),
        expiresAt: expires && readMoment('expires', expires, operator.now),
        ratePerMinute: rate === undefined ? undefined : readRate(rate),
      });
      operator.out.one({ id: key.id, name: key.name, apiKey });
      operator.out.note(keepIt);
    },
  },
  'key list': {
    verb: 'key.read',
    words: ['workspace id'],
    summary:
      'list the API keys of a workspace with their limits, including revoked ones, without their values',
    run: async ({ table, now, out }, workspaceId = '') => {
      const { id } = await getWorkspace(table, workspaceId);
      out.list((await listKeysWithUse(table, id)).map((key) => describe(key, now)));
    },
  },
  'key rotate': {
    verb: 'key.rotate',
    words: ['workspace id', 'key id'],
    options: {
      overlap: {
        value: 'duration',
        summary: 'time for which the old key keeps working: 30m, 24h, at most 7d; default: none',
      },
      expires: { ...expiryOption, summary: `${expiryOption.summary}; default: unchanged` },
    },
    summary: 'replace an API key with a new one; its id, limits and rhythms stay',
    detail:
      'Without --overlap the old key is rejected within 30 seconds, which is right for a key that leaked. ' +
      'Use an overlap to rotate without an interruption. A key that has expired needs a new expiry.',
    run: async (operator, workspaceId = '', keyId = '') => {
      const { overlap, expires } = operator.options;
      const { key, apiKey } = await rotateKey(operator, {
        workspaceId,
        keyId,
        overlapMs: overlap === undefined ? undefined : readDurationMs('overlap', overlap),
        expiresAt: expires && readMoment('expires', expires, operator.now),
      });
      operator.out.one({ id: key.id, name: key.name, apiKey });
      const end =
        key.previousUntil === undefined
          ? 'Warm functions may accept the old one for up to 30 seconds more.'
          : `The old one works until ${key.previousUntil}.`;
      operator.out.note(`${keepIt} ${end}`);
    },
  },
  'key revoke': {
    verb: 'key.revoke',
    words: ['workspace id', 'key id'],
    summary: 'revoke an API key permanently',
    detail: 'It is rejected within 30 seconds, and so is an old key that a rotation left valid.',
    run: async (operator, workspaceId = '', keyId = '') => {
      const { revokedAt, isRepeated } = await revokeKeyById(operator, { workspaceId, keyId });
      operator.out.result({ id: keyId, revokedAt, isRepeated }, [
        isRepeated ? `It was revoked before, at ${revokedAt}.` : 'Revoked.',
      ]);
      if (!isRepeated) operator.out.note('Warm functions may accept the key for up to 30 seconds.');
    },
  },
};

/** Splits an option such as `read,publish`; returns `undefined` if the option is not given. */
function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function describe(key: KeyWithUse, now: number) {
  const { id, name, createdAt, createdBy, permissions, accountIds, expiresAt, previousUntil } = key;
  const isOldValid = previousUntil !== undefined && previousUntil > toTimestamp(now);
  return {
    id,
    name,
    createdAt,
    createdBy: createdBy ? `${createdBy.kind}:${createdBy.id}` : '',
    lastFour: key.lastFour ?? '',
    permissions: permissions?.join(',') ?? 'all',
    accounts: accountIds?.join(',') ?? 'all',
    expiresAt: expiresAt ?? 'never',
    ratePerMinute: key.ratePerMinute ?? 'default',
    lastUsedAt: key.lastUsedAt ?? 'never',
    ...(isOldValid && !key.revokedAt && { oldValueUntil: previousUntil }),
    revokedAt: key.revokedAt ?? '',
  };
}
