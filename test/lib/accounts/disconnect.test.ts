import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import { listAccounts, readAccount } from '../../../lib/accounts/read.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { connectable } from '../../support/authorization.ts';
import { storePost } from '../../support/builders.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../support/connecting.ts';

let fixture: ConnectingFixture;
let account: Account;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('a', fixture.clock.time)];
  account = await fixture.connect();
  fixture.authorization.asked.length = 0;
});

const never = () => new Promise<void>(() => {});
const disconnect = (id = account.id, { workspaceId = fixture.workspaceId, sleep = never } = {}) =>
  disconnectAccount({ ...fixture.context(workspaceId), sleep }, id);

describe('disconnecting an account', () => {
  it('hides it from the API, deletes its tokens, erases its profile and keeps its record', async () => {
    expect(await disconnect()).toEqual({ scheduledTargets: 0, waitingChainSteps: 0 });
    await expect(readAccount(fixture.context(), account.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listAccounts(fixture.context(), {})).toMatchObject({ accounts: [] });
    const stored = await fixture.dump();
    expect(stored).toContain(`ACCOUNT#${account.id}`);
    expect(stored).not.toContain(`TOKENS#${account.id}`);
    expect(stored).not.toContain(account.displayName);
    expect(stored).not.toContain(account.avatarUrl);
  });

  it('succeeds only once', async () => {
    await disconnect();
    await expect(disconnect()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('succeeds once if requested several times concurrently', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => disconnect()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(fixture.authorization.asked).toEqual(['revoke secret-access-a']);
  });

  it.each([
    ['an unknown id', () => disconnect(randomUUID())],
    ['a malformed id', () => disconnect('accounts')],
    ['another workspace’s account', () => disconnect(account.id, { workspaceId: randomUUID() })],
  ])('is not found for %s', async (_what, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    expect(await readAccount(fixture.context(), account.id)).toMatchObject({ id: account.id });
  });

  it('counts the targets scheduled to it from now on', async () => {
    const { table } = fixture.context();
    for (const dueMs of [noon - minuteMs, noon, noon + minuteMs, noon + 24 * hourMs]) {
      const scheduledFor = toTimestamp(dueMs);
      await storePost(table, fixture.workspaceId, [{ accountId: account.id, scheduledFor }], {
        id: newId(noon),
      });
    }
    expect(await disconnect()).toEqual({ scheduledTargets: 3, waitingChainSteps: 0 });
  });

  it('keeps its id for when it is connected again', async () => {
    await disconnect();
    fixture.clock.time += minuteMs;
    expect(await fixture.connect()).toMatchObject({ id: account.id });
    expect(await readAccount(fixture.context(), account.id)).toMatchObject({ status: 'ok' });
  });
});

describe('the authorization at the platform', () => {
  it('is revoked', async () => {
    await disconnect();
    expect(fixture.authorization.asked).toEqual(['revoke secret-access-a']);
  });

  it('is revoked only with the last connection, because revoking would end those of other workspaces', async () => {
    const other = await fixture.addWorkspace('Other');
    const there = await fixture.connect(other);
    fixture.authorization.asked.length = 0;
    await disconnect();
    expect(fixture.authorization.asked).toEqual([]);
    await disconnect(there.id, { workspaceId: other });
    expect(fixture.authorization.asked).toEqual(['revoke secret-access-a']);
  });

  describe('of a login that carries several accounts', () => {
    const connectPage = async (name: string, loginId: string, workspaceId?: string) => {
      fixture.authorization.answers.exchange = async () => [
        connectable(name, fixture.clock.time, { loginId }),
      ];
      const connected = await fixture.connect(workspaceId);
      fixture.authorization.asked.length = 0;
      return connected;
    };

    it('is revoked with the last of them, in any workspace', async () => {
      const other = await fixture.addWorkspace('Other');
      const first = await connectPage('page-1', 'person');
      const second = await connectPage('page-2', 'person', other);
      await disconnect(first.id);
      expect(fixture.authorization.asked).toEqual([]);
      await disconnect(second.id, { workspaceId: other });
      expect(fixture.authorization.asked).toEqual(['revoke secret-access-page-2']);
    });

    it('is revoked even if another login holds the same account', async () => {
      const other = await fixture.addWorkspace('Other');
      const first = await connectPage('page-1', 'person');
      await connectPage('page-1', 'colleague', other);
      await disconnect(first.id);
      expect(fixture.authorization.asked).toEqual(['revoke secret-access-page-1']);
    });

    it('is revoked if the remaining accounts were later connected through another login', async () => {
      const first = await connectPage('page-1', 'person');
      await connectPage('page-2', 'person');
      await connectPage('page-2', 'colleague');
      await disconnect(first.id);
      expect(fixture.authorization.asked).toEqual(['revoke secret-access-page-1']);
    });
  });

  it.each([
    ['refuses', async () => Promise.reject(new Error('no')), never],
    ['hangs', never, async () => {}],
  ])(
    'is not revoked if the platform %s: the failure is reported and the account is disconnected',
    async (_how, revoke, sleep) => {
      fixture.authorization.answers.revoke = revoke;
      expect(await disconnect(account.id, { sleep })).toEqual({ scheduledTargets: 0, waitingChainSteps: 0 });
      expect(fixture.reported).toEqual(['the authorization was not revoked']);
      await expect(readAccount(fixture.context(), account.id)).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});
