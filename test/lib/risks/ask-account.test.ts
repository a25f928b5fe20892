import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { AccountCheck } from '../../../lib/platforms/contract/account-check.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { type Answer, askAccount, rememberedMs } from '../../../lib/risks/ask-account.ts';
import type { RiskPorts } from '../../../lib/risks/ports.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { putItem } from '../../../lib/table/items.ts';
import { tokensKey } from '../../../lib/table/keys.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { createMemoryTable } from '../../support/table.ts';

let account: Account;
let ports: RiskPorts;
let now: number;
beforeEach(async () => {
  now = startMs;
  const table = await createMemoryTable();
  account = await storeAccount(table, newId(startMs), { platform: 'threads' });
  ports = {
    table,
    now: () => now,
    chance: () => 0.5,
    toolsFor: async () => ({}),
    accessToken: async () => 'token',
    renewToken: async () => false,
    markAccount: async () => {},
    report: () => {},
  } as unknown as RiskPorts;
});

const ask = (answer: () => ReturnType<AccountCheck['ask']>, of = account, askAgainMs = rememberedMs) =>
  askAccount(ports, { ask: answer, judge: () => [] }, of, askAgainMs);
const refused = (...details: ConstructorParameters<typeof PlatformError>) =>
  ask(() => Promise.reject(new PlatformError(...details)));

describe('a refused question', () => {
  it.each([
    ['a limit of posts', { isDailyLimit: true, concerns: 'feature' } as const, 'quota_exhausted'],
    ['a limit of requests of a day', { isDailyLimit: true } as const, undefined],
    ['a limit of the whole app', { isDailyLimit: true, concerns: 'app' } as const, undefined],
    ['a short limit', {}, undefined],
  ])('because of %s', async (_name, details, code) => {
    expect((await refused('retry', 'Too many', details))?.failure?.code).toBe(code);
  });
});

it('a token that another worker has replaced in the meantime does not mark the account', async () => {
  const tokens = { ...tokensKey(account.workspaceId, account.id), kind: 'tokens', version: 1 };
  await putItem(ports.table, tokens, unconditionally);
  const seen: unknown[] = [];
  const marked: unknown[] = [];
  ports = {
    ...ports,
    accessToken: async (_account, tokensItem) => {
      seen.push(tokensItem);
      return 'token';
    },
    // Compares the set that was used with the one that is stored.
    renewToken: async (_account, tokensItem) => seen.push(tokensItem) > 0,
    markAccount: async (...given) => void marked.push(given),
  } as RiskPorts;
  expect(await refused('reauthorise', 'The token is invalid')).toBeUndefined();
  expect(seen).toEqual([tokens, tokens]);
  expect(marked).toEqual([]);
});

describe('while a question is under way, and after a worker was ended in the middle of it,', () => {
  /** Asks half an hour later, and returns what another worker reads in the meantime. */
  async function readMeanwhile(of: Account): Promise<Answer> {
    now += 31 * minuteMs;
    let meanwhile: Answer;
    await ask(async () => {
      meanwhile = await askAccount(ports, { ask: async () => ({}), judge: () => [] }, of, undefined);
      throw new PlatformError('unknown', 'no answer');
    }, of);
    return meanwhile;
  }

  it('an earlier refusal is no answer', async () => {
    const first = await refused('restricted', 'Forbidden', { concerns: 'feature' });
    expect(first?.failure).toBeDefined();
    expect(await readMeanwhile(account)).toBeUndefined();
  });

  it('the answer to a former authorization is none', async () => {
    await ask(async () => ({ mayPublish: false }));
    const again = { ...account, connectedAt: '2027-01-01T00:00:00.000Z' };
    expect(await readMeanwhile(again)).toBeUndefined();
  });
});
