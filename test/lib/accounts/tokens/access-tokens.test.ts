import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '../../../../lib/accounts/disconnect.ts';
import type { Account } from '../../../../lib/accounts/schemas.ts';
import { findAccount, markAccount } from '../../../../lib/accounts/store.ts';
import { AccountTokens } from '../../../../lib/accounts/tokens/access-tokens.ts';
import { findTokens } from '../../../../lib/accounts/tokens/store.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { PlatformError, type Remedy } from '../../../../lib/platforms/contract/errors.ts';
import { connectable, tokenSet } from '../../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../../support/connecting.ts';
import { turns } from '../../../support/turns.ts';

let fixture: ConnectingFixture;
let account: Account;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('old', fixture.clock.time)];
  fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
  account = await fixture.connect();
  fixture.authorization.asked.length = 0;
});

/** Called when a worker begins to wait for another one. */
let onWait: () => void = () => undefined;

/** A separate instance for each call, as in separate functions: they share nothing but the table. */
const tokens = (changes: object = {}): AccountTokens =>
  new AccountTokens({
    ...fixture.context(),
    now: () => fixture.clock.time,
    uniqueId: randomUUID,
    sleep: async (milliseconds) => {
      const endMs = fixture.clock.time + milliseconds;
      onWait();
      await turns(1);
      fixture.clock.time = Math.max(fixture.clock.time, endMs);
    },
    ...changes,
  });

const stored = () => findTokens(fixture.context().table, account);
const current = () => findAccount(fixture.context().table, fixture.workspaceId, account.id);
const failing = (remedy: Remedy) => async () => {
  throw new PlatformError(remedy, `the platform says ${remedy}`);
};
/** Tokens last an hour from noon and are renewed in their last five minutes. */
const minutesBeforeTheEnd = (minutes: number) => {
  fixture.clock.time = noon + hourMs - minutes * minuteMs;
};

describe('asking for an access token', () => {
  it('returns the stored token while it is valid', async () => {
    minutesBeforeTheEnd(6);
    expect(await tokens().accessToken(account)).toBe('secret-access-old');
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('records the permissions that the platform still grants', async () => {
    expect(await current()).toMatchObject({ scopes: ['publish', 'read'] });
    minutesBeforeTheEnd(4);
    const scopes = ['publish'];
    fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time, { scopes });
    await tokens().accessToken(account);
    expect(await current()).toMatchObject({ scopes, status: 'ok' });
  });

  it('returns a token without an expiry at any time', async () => {
    fixture.authorization.answers.exchange = async () => {
      const { expiresAt: _, ...endless } = tokenSet('endless', fixture.clock.time);
      return [connectable('old', fixture.clock.time, { tokens: endless })];
    };
    await fixture.connect();
    fixture.clock.time += 10_000 * hourMs;
    expect(await tokens().accessToken(account)).toBe('secret-access-endless');
  });

  it.each([5, 1, 0, -600])(
    'renews the token %d minutes before it expires and stores the new one',
    async (minutes) => {
      minutesBeforeTheEnd(minutes);
      expect(await tokens().accessToken(account)).toBe('secret-access-new');
      expect(await tokens().accessToken(account)).toBe('secret-access-new');
      expect(fixture.authorization.asked).toEqual(['refresh secret-refresh-old']);
      expect(await stored()).toMatchObject({ version: 2 });
      expect(await stored()).not.toHaveProperty('refreshLeaseUntil');
      expect(await fixture.dump()).not.toContain('secret-');
    },
  );

  it('does not renew again what another worker has renewed, even if the item that was read is stale', async () => {
    const read = await stored();
    minutesBeforeTheEnd(1);
    await tokens().accessToken(account, read);
    expect(await tokens().accessToken(account, read)).toBe('secret-access-new');
    expect(fixture.authorization.asked).toHaveLength(1);
  });

  it.each([
    ['has expired', 0, 9, ['secret-access-new']],
    ['is about to expire', 1, 9, ['secret-access-new']],
    ['is still valid', 4, 0, ['secret-access-new', 'secret-access-old']],
  ])(
    'refreshes once if ten callers ask concurrently and the current token %s',
    async (_when, minutes, others, allowed) => {
      minutesBeforeTheEnd(minutes);
      let waits = 0;
      const othersWait = new Promise<void>((resolve) => {
        if (others === 0) resolve();
        onWait = () => ++waits === others && resolve();
      });
      fixture.authorization.answers.refresh = async () => {
        await othersWait;
        return tokenSet('new', fixture.clock.time);
      };
      const given = await Promise.all(Array.from({ length: 10 }, () => tokens().accessToken(account)));
      expect(fixture.authorization.asked).toEqual(['refresh secret-refresh-old']);
      expect([...new Set(given)].filter((token) => !allowed.includes(token))).toEqual([]);
      expect(await stored()).toMatchObject({ version: 2 });
    },
  );

  it.each<Remedy>(['retry', 'rejected'])(
    'changes nothing if the refresh fails with %s, and reports that a retry may help',
    async (remedy) => {
      minutesBeforeTheEnd(1);
      fixture.authorization.answers.refresh = failing(remedy);
      const before = await fixture.items();
      await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
      expect(await fixture.items()).toEqual(before);
      fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
      expect(await tokens().accessToken(account)).toBe('secret-access-new');
    },
  );

  it('notes nothing but the open outcome if the response to a refresh is lost, until one succeeds', async () => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = failing('unknown');
    const before = await fixture.items();
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    const refreshLeaseUntil = toTimestamp(fixture.clock.time);
    expect(await fixture.items()).toEqual(
      before.map((item) => (item['kind'] === 'tokens' ? { ...item, refreshLeaseUntil } : item)),
    );
    fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
    expect(await stored()).not.toHaveProperty('refreshLeaseUntil');
  });

  it('notes nothing if the key service fails before anything is sent', async () => {
    minutesBeforeTheEnd(1);
    const before = await fixture.items();
    const vault = {
      ...fixture.context().vault,
      open: () => Promise.reject(new Error('the key service fails')),
    };
    await expect(tokens({ vault }).accessToken(account)).rejects.toThrow('the key service fails');
    expect(await fixture.items()).toEqual(before);
  });

  it.each<Remedy>(['reauthorise', 'restricted'])('passes on the remedy %s', async (remedy) => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = failing(remedy);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy });
  });

  it.each<Remedy>(['retry', 'reauthorise'])(
    'returns a token that is still valid if its refresh fails with %s',
    async (remedy) => {
      minutesBeforeTheEnd(4);
      fixture.authorization.answers.refresh = failing(remedy);
      expect(await tokens().accessToken(account)).toBe('secret-access-old');
    },
  );

  it('takes over from a worker that crashed, once its lease has expired', async () => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = () => new Promise(() => {});
    void tokens().accessToken(account);
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    fixture.clock.time += minuteMs;
    fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
  });

  it('leaves the lease to the worker that took over, however late the first refresh fails', async () => {
    minutesBeforeTheEnd(1);
    const [first, second] = [Promise.withResolvers<never>(), Promise.withResolvers<void>()];
    fixture.authorization.answers.refresh = () => first.promise;
    const late = tokens().accessToken(account);
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    fixture.clock.time += minuteMs;
    fixture.authorization.answers.refresh = async () => {
      await second.promise;
      return tokenSet('new', fixture.clock.time);
    };
    const next = tokens().accessToken(account);
    await expect.poll(() => fixture.authorization.asked).toHaveLength(2);
    const held = await stored();
    first.reject(new PlatformError('retry', 'the platform is busy'));
    await expect(late).rejects.toMatchObject({ remedy: 'retry' });
    expect(await stored()).toEqual(held);
    second.resolve();
    expect(await next).toBe('secret-access-new');
    expect(fixture.authorization.asked).toHaveLength(2);
  });

  it('does not overwrite the tokens of an account that was connected again during the refresh', async () => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = async () => {
      fixture.authorization.answers.exchange = async () => [
        connectable('old', fixture.clock.time, { tokens: tokenSet('again', fixture.clock.time) }),
      ];
      await fixture.connect();
      return tokenSet('new', fixture.clock.time);
    };
    expect(await tokens().accessToken(account)).toBe('secret-access-again');
    expect(await tokens().accessToken(account)).toBe('secret-access-again');
  });

  it('asks to connect again if the account is disconnected', async () => {
    await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'reauthorise' });
    expect(await tokens().renewToken(account)).toBe(false);
  });
});

describe('renewing a token that the platform refused', () => {
  it('gets a new token although the current one has not expired', async () => {
    fixture.clock.time += 10 * minuteMs;
    expect(await tokens().renewToken(account)).toBe(true);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
  });

  it('is not tried within a minute of getting it', async () => {
    fixture.clock.time += minuteMs - secondMs;
    expect(await tokens().renewToken(account)).toBe(false);
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('is not tried before the platform’s minimum age', async () => {
    Object.assign(fixture.authorization.renewal, { minimumAgeSeconds: 86_400 });
    fixture.clock.time += 23 * hourMs;
    expect(await tokens().renewToken(account)).toBe(false);
    fixture.clock.time += hourMs;
    expect(await tokens().renewToken(account)).toBe(true);
  });

  it('is not needed if another worker has renewed it since it was read', async () => {
    const read = await stored();
    fixture.clock.time += 10 * minuteMs;
    await tokens().renewToken(account);
    expect(await tokens().renewToken(account, read)).toBe(true);
    expect(fixture.authorization.asked).toHaveLength(1);
  });

  it('returns false if only the owner can help', async () => {
    fixture.clock.time += 10 * minuteMs;
    fixture.authorization.answers.refresh = failing('reauthorise');
    expect(await tokens().renewToken(account)).toBe(false);
  });

  it('changes nothing if the refresh fails temporarily', async () => {
    fixture.clock.time += 10 * minuteMs;
    fixture.authorization.answers.refresh = failing('retry');
    const before = await fixture.items();
    await expect(tokens().renewToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    expect(await fixture.items()).toEqual(before);
  });
});

describe('an account’s status', () => {
  const mark = (status: 'expired' | 'error', reason: string, of = account) =>
    markAccount(fixture.context().table, of, status, reason, fixture.clock.time);

  it('changes once per status, with the first reason', async () => {
    expect(await mark('expired', 'first')).toBe(true);
    expect(await mark('expired', 'second')).toBe(false);
    expect(await current()).toMatchObject({ status: 'expired', statusMessage: 'first' });
  });

  it('changes once if several workers mark it concurrently', async () => {
    const changed = await Promise.all(Array.from({ length: 8 }, () => mark('expired', 'revoked')));
    expect(changed.filter(Boolean)).toHaveLength(1);
  });

  it('is ok again once the account is connected again, and an older refusal no longer counts', async () => {
    await mark('expired', 'revoked');
    fixture.clock.time += minuteMs;
    await fixture.connect();
    expect(await mark('expired', 'of the old token')).toBe(false);
    expect(await current()).toMatchObject({ status: 'ok', statusMessage: null });
  });

  it.each([
    ['expired', 'ok'],
    ['error', 'ok'],
  ] as const)('changes after a successful refresh from %s to %s', async (before, after) => {
    await mark(before, 'a reason');
    fixture.clock.time += 10 * minuteMs;
    const marked = await current();
    if (!marked) throw new Error('the account was not found');
    await tokens().renewToken(marked);
    expect(await current()).toMatchObject({ status: after });
  });

  it('does not change if the account is disconnected', async () => {
    await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
    expect(await mark('expired', 'revoked')).toBe(false);
  });
});
