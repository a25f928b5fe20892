import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../lib/access/actor.ts';
import { disconnectAccount, previewDisconnect } from '../../../lib/accounts/disconnect.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { countActiveAutomations } from '../../../lib/automations/store.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { StoredChainStep } from '../../../lib/posts/stored/chain-schemas.ts';
import { connectable } from '../../support/authorization.ts';
import { storeAutomation } from '../../support/automations.ts';
import { storePost } from '../../support/builders.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../support/connecting.ts';

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
});

const connect = async (name: string, login: { loginId?: string } = {}, workspaceId?: string) => {
  fixture.authorization.answers.exchange = async () => [connectable(name, fixture.clock.time, login)];
  const account = await fixture.connect(workspaceId);
  fixture.authorization.asked.length = 0;
  return account;
};
const contextOf = (workspaceId?: string) => ({
  ...fixture.context(workspaceId),
  countAutomations: countActiveAutomations,
});
const preview = ({ id, workspaceId }: Account) => previewDisconnect(contextOf(workspaceId), id);
const disconnect = ({ id, workspaceId }: Account) =>
  disconnectAccount({ ...fixture.context(workspaceId), sleep: () => new Promise<void>(() => {}) }, id);
/** Disconnects the account. @returns whether that revoked the authorization */
const revokes = async (account: Account) => {
  fixture.authorization.asked.length = 0;
  await disconnect(account);
  return fixture.authorization.asked.length > 0;
};

describe('the preview of a disconnection', () => {
  it('counts what is scheduled from now on, as the disconnection does', async () => {
    const account = await connect('a');
    for (const dueMs of [noon - minuteMs, noon, noon + minuteMs])
      await storePost(
        fixture.context().table,
        fixture.workspaceId,
        [{ accountId: account.id, scheduledFor: toTimestamp(dueMs) }],
        { id: newId(noon) },
      );
    expect(await preview(account)).toMatchObject({ scheduledTargets: 2 });
    expect(await disconnect(account)).toEqual({ scheduledTargets: 2, waitingChainSteps: 0 });
  });

  it('counts the steps of chains that wait for the account, as the disconnection does', async () => {
    const [account, other] = [await connect('a'), await connect('b')];
    const step = (accountIds: string[], status: StoredChainStep['status'] = 'waiting') => ({
      kind: 'followUp' as const,
      accountIds,
      afterMinutes: 0,
      content: 'More',
      options: '{}',
      status,
    });
    const withChain = (chain: StoredChainStep[], status: 'draft' | 'scheduled' | 'failed' = 'scheduled') =>
      storePost(fixture.context().table, fixture.workspaceId, [{ accountId: other.id, status }], {
        id: newId(noon),
        status,
        chain,
        ...(status === 'scheduled' && { chainWakeAt: toTimestamp(noon + minuteMs) }),
      });
    await withChain([step([account.id]), step([other.id]), step([other.id, account.id])]);
    await withChain([step([account.id], 'fired'), step([account.id])]);
    await withChain([step([other.id])]);
    await withChain([step([account.id])], 'draft');
    await withChain([step([account.id])], 'failed');
    expect(await preview(account)).toMatchObject({ scheduledTargets: 0, waitingChainSteps: 3 });
    expect(await disconnect(account)).toEqual({ scheduledTargets: 0, waitingChainSteps: 3 });
  });

  it('counts the active automations of the account only', async () => {
    const account = await connect('a');
    const automation = (accountId: string, isActive: boolean) =>
      storeAutomation(fixture.context().table, fixture.workspaceId, {
        accountId,
        isActive,
        platformPostId: randomUUID(),
      });
    await automation(account.id, true);
    await automation(account.id, true);
    await automation(account.id, false);
    await automation(newId(noon), true);
    expect(await preview(account)).toMatchObject({ activeAutomations: 2 });
  });

  it('changes nothing', async () => {
    const account = await connect('a');
    const before = await fixture.items();
    await preview(account);
    expect(await fixture.items()).toEqual(before);
    expect(fixture.authorization.asked).toEqual([]);
  });

  it.each([
    ['an unknown id', () => previewDisconnect(contextOf(), randomUUID())],
    ['a malformed id', () => previewDisconnect(contextOf(), 'accounts')],
  ])('is not found for %s', async (_what, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not found for an account of another workspace, or one that is disconnected', async () => {
    const account = await connect('a');
    const other = await fixture.addWorkspace('Other');
    await expect(previewDisconnect(contextOf(other), account.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await disconnect(account);
    await expect(preview(account)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('whether access is revoked', () => {
  /** Cases in which the disconnection decides, and which the preview must foretell. */
  const cases: Readonly<Record<string, () => Promise<{ account: Account; same: readonly string[] }>>> = {
    'the only connection': async () => ({ account: await connect('a'), same: [] }),
    'the same account in another workspace': async () => {
      const account = await connect('a');
      await connect('a', {}, await fixture.addWorkspace('Other'));
      return { account, same: [] };
    },
    'the only account of its login': async () => ({
      account: await connect('page-1', { loginId: 'person' }),
      same: [],
    }),
    'another account of the login in the workspace': async () => {
      const account = await connect('page-1', { loginId: 'person' });
      return { account, same: [(await connect('page-2', { loginId: 'person' })).id] };
    },
    'another account of the login in another workspace': async () => {
      const account = await connect('page-1', { loginId: 'person' });
      await connect('page-2', { loginId: 'person' }, await fixture.addWorkspace('Other'));
      return { account, same: [] };
    },
    'another account of the login that was disconnected': async () => {
      const account = await connect('page-1', { loginId: 'person' });
      await disconnect(await connect('page-2', { loginId: 'person' }));
      return { account, same: [] };
    },
    'another account that was later connected through another login': async () => {
      const account = await connect('page-1', { loginId: 'person' });
      await connect('page-2', { loginId: 'person' });
      await connect('page-2', { loginId: 'colleague' });
      return { account, same: [] };
    },
  };

  it.each(Object.entries(cases))('is foretold for %s', async (_name, prepare) => {
    const { account, same } = await prepare();
    const { revokesAccess, accountsOfSameLogin } = await preview(account);
    expect(accountsOfSameLogin.map(({ id }) => id)).toEqual(same);
    expect(revokesAccess).toBe(await revokes(account));
  });

  it('is false if the platform has no such request', async () => {
    const account = await connect('a');
    const context = { ...contextOf(), authorizationFor: () => undefined };
    expect(await previewDisconnect(context, account.id)).toMatchObject({ revokesAccess: false });
  });

  it('does not name accounts that the key may not use, but takes them into account', async () => {
    const account = await connect('page-1', { loginId: 'person' });
    await connect('page-2', { loginId: 'person' });
    const context = contextOf();
    const actor: Actor = { kind: 'key', id: context.actor.id, accountIds: [account.id] };
    expect(await previewDisconnect({ ...context, actor }, account.id)).toMatchObject({
      revokesAccess: false,
      accountsOfSameLogin: [],
    });
  });
});
