import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CreatorInfoContext, readCreatorInfo } from '../../../lib/accounts/ask-platform.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { CreatorInfo } from '../../../lib/platforms/contract/creator-info.ts';
import { PlatformError, type Remedy } from '../../../lib/platforms/contract/errors.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

const info: CreatorInfo = {
  nickname: 'Harbour',
  username: 'harbour.coffee',
  avatarUrl: null,
  privacyLevels: ['SELF_ONLY'],
  commentDisabled: false,
  duetDisabled: true,
  stitchDisabled: false,
  maxVideoSeconds: 600,
};

let table: Table;
let account: Account;
let context: CreatorInfoContext;
let asked: string[];
let answer: () => Promise<CreatorInfo>;
beforeAll(async () => {
  table = await createTestTable();
  const { context: base } = await openWorkspace(table);
  account = await storeAccount(table, base.workspaceId, { platform: 'tiktok' });
  context = {
    ...base,
    accessToken: async ({ id }) => `token of ${id}`,
    toolsFor: async () => ({}) as PlatformTools,
    creatorInfoReaderFor: (platform) =>
      platform === 'tiktok'
        ? (token) => {
            asked.push(token);
            return answer();
          }
        : undefined,
  };
});
beforeEach(() => {
  asked = [];
  answer = async () => info;
});

describe('the creator info of an account', () => {
  it('is read from the platform each time, with the account’s token', async () => {
    expect(await readCreatorInfo(context, account.id)).toEqual(info);
    await readCreatorInfo(context, account.id);
    expect(asked).toEqual([`token of ${account.id}`, `token of ${account.id}`]);
  });

  it('is not found for an unknown, malformed, foreign or disconnected account', async () => {
    const { context: other } = await openWorkspace(table);
    const gone = await storeAccount(table, context.workspaceId, {
      platform: 'tiktok',
      disconnectedAt: toTimestamp(startMs),
    });
    for (const [from, accountId] of [
      [context, 'accounts'],
      [context, context.workspaceId],
      [{ ...context, ...other }, account.id],
      [context, gone.id],
    ] as const) {
      await expect(readCreatorInfo(from, accountId)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(asked).toEqual([]);
  });

  it('is refused for a platform that has none, naming the field', async () => {
    const threads = await storeAccount(table, context.workspaceId, { platform: 'threads' });
    await expect(readCreatorInfo(context, threads.id)).rejects.toMatchObject({
      code: 'account_platform',
      message: 'id: must be a TikTok account: Threads has no creator info',
    });
  });

  it.each<[Remedy, string, object]>([
    ['reauthorise', 'account_expired', { message: 'connect the account again: TikTok says no' }],
    ['restricted', 'account_refused', { message: 'TikTok says no' }],
    ['rejected', 'account_refused', { message: 'TikTok says no' }],
    [
      'retry',
      'platform_unavailable',
      { message: 'TikTok says no; try again later', retryAfterSeconds: 3_600 },
    ],
    ['unknown', 'platform_unavailable', { retryAfterSeconds: 3_600 }],
  ])('is refused after the error %s: %s', async (remedy, code, details) => {
    answer = async () => {
      throw new PlatformError(remedy, 'TikTok says no', { retryAfterSeconds: 3_600 });
    };
    await expect(readCreatorInfo(context, account.id)).rejects.toMatchObject({ code, ...details });
  });

  it('is refused if the token cannot be renewed', async () => {
    const accessToken = async () => {
      throw new PlatformError('reauthorise', 'The account is disconnected: connect it again.');
    };
    await expect(readCreatorInfo({ ...context, accessToken }, account.id)).rejects.toMatchObject({
      code: 'account_expired',
    });
    expect(asked).toEqual([]);
  });

  it('leaves an error of ours as it is', async () => {
    answer = async () => {
      throw new TypeError('a bug');
    };
    await expect(readCreatorInfo(context, account.id)).rejects.toThrow(TypeError);
  });
});
