import { beforeEach, describe, expect, it } from 'vitest';
import { listAccounts } from '../../../lib/accounts/read.ts';
import { findAccount } from '../../../lib/accounts/store.ts';
import { showChoice } from '../../../lib/connections/choose.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, openConnectingFixture } from '../../support/connecting.ts';

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
});

/** The person `one` logs in and allows these accounts. */
const allow = (ids: readonly string[], loginId = 'one') => {
  fixture.authorization.answers.exchange = async () =>
    ids.map((id) => connectable(id, fixture.clock.time, { loginId }));
};
/** The platform refuses the tokens of these accounts. */
const refuse = (...ids: readonly string[]) => {
  fixture.authorization.answers.check = async ({ accessToken }) => {
    if (ids.some((id) => accessToken === `secret-access-${id}`)) {
      throw new PlatformError('reauthorise', 'Facebook: the session has been invalidated (190/492)');
    }
  };
};
const connectAll = async (ids: readonly string[], workspaceId?: string, loginId?: string) => {
  allow(ids, loginId);
  await fixture.choose(await fixture.arrive({ workspaceId }), ids);
};
const checked = () => fixture.authorization.asked.filter((call) => call.startsWith('check'));
const statuses = async (workspaceId?: string) => {
  const { accounts } = await listAccounts(fixture.context(workspaceId), {});
  return Object.fromEntries(accounts.map(({ username, status }) => [username, status]));
};
const pageOf = async (state: string) => {
  const answer = answerTo(await showChoice(fixture.context(), fixture.visit(state)));
  return 'html' in answer ? answer.html : '';
};

describe('a login that allows fewer accounts than the person has connected', () => {
  beforeEach(() => connectAll(['a', 'b', 'c']));

  it('marks those that the platform refuses at once, with the reason, and no other', async () => {
    allow(['b']);
    refuse('a');
    await fixture.arrive();
    expect(checked().sort()).toEqual(['check secret-access-a', 'check secret-access-c']);
    expect(await statuses()).toEqual({ a: 'expired', b: 'ok', c: 'ok' });
    const { accounts } = await listAccounts(fixture.context(), {});
    expect(accounts.find(({ username }) => username === 'a')?.statusMessage).toBe(
      'Facebook: the session has been invalidated (190/492) [after a login that does not include this account]',
    );
  });

  it('names them where the person confirms, and where the accounts are connected', async () => {
    allow(['b']);
    refuse('a');
    const state = await fixture.arrive();
    expect(await pageOf(state)).toMatch(/does not include accounts.*<li><bdi>The a<\/bdi><\/li>/s);
    expect(await pageOf(state)).not.toContain('The c');
    const connected = answerTo(await fixture.choose(state, ['b']));
    expect('html' in connected && connected.html).toMatch(
      /can now publish as.*The b.*does not include.*The a/s,
    );
  });

  it('marks nothing for an account that the login lists, even if the person does not choose it', async () => {
    allow(['a', 'b', 'c']);
    refuse('a', 'b', 'c');
    const state = await fixture.arrive();
    await fixture.choose(state, ['b']);
    expect(checked()).toEqual([]);
    expect(await statuses()).toEqual({ a: 'ok', b: 'ok', c: 'ok' });
    expect(await pageOf(await fixture.arrive())).not.toContain('does not include');
  });

  it('changes nothing more the second time, and still names them', async () => {
    allow(['b']);
    refuse('a');
    await fixture.arrive();
    const before = await fixture.items();
    fixture.clock.time += 60_000;
    const state = await fixture.arrive();
    expect(checked().filter((call) => call.endsWith('-a'))).toHaveLength(1);
    const ofAccount = (items: readonly Record<string, unknown>[]) =>
      items.filter(({ kind, username }) => kind === 'account' && username === 'a');
    expect(ofAccount(await fixture.items())).toEqual(ofAccount(before));
    expect(await pageOf(state)).toContain('The a');
  });

  it('gives them back when a later login allows them and the person connects them', async () => {
    allow(['b']);
    refuse('a');
    await fixture.arrive();
    refuse();
    await connectAll(['a', 'b', 'c']);
    expect(await statuses()).toEqual({ a: 'ok', b: 'ok', c: 'ok' });
  });

  it('leaves them as they are if the platform does not answer, and goes on', async () => {
    allow(['b']);
    fixture.authorization.answers.check = async () => {
      throw new PlatformError('unknown', 'Facebook did not answer');
    };
    const state = await fixture.arrive();
    expect(await fixture.choose(state, ['b'])).toMatchObject({ kind: 'connected', lost: [] });
    expect(await statuses()).toEqual({ a: 'ok', b: 'ok', c: 'ok' });
    expect(fixture.reported).toEqual([
      expect.stringContaining('was not checked after a login'),
      expect.stringContaining('was not checked after a login'),
    ]);
  });
});

it('touches no other person’s accounts, and no other workspace’s', async () => {
  const other = await fixture.addWorkspace('Another team');
  await connectAll(['a', 'b']);
  await connectAll(['a'], other);
  await connectAll(['d'], undefined, 'two');
  allow(['b']);
  refuse('a', 'd');
  const state = await fixture.arrive();
  expect(await statuses()).toEqual({ a: 'expired', b: 'ok', d: 'ok' });
  expect(await statuses(other)).toEqual({ a: 'ok' });
  expect(checked()).toEqual(['check secret-access-a']);
  expect(await pageOf(state)).not.toContain('The d');
});

it('checks no account that is now connected by another person', async () => {
  await connectAll(['a', 'b']);
  await connectAll(['a'], undefined, 'two');
  allow(['b']);
  refuse('a');
  await fixture.arrive();
  expect(checked()).toEqual([]);
  const { accounts } = await listAccounts(fixture.context(), {});
  const [a] = accounts.filter(({ username }) => username === 'a');
  expect(await findAccount(fixture.context().table, fixture.workspaceId, a?.id ?? '')).toMatchObject({
    status: 'ok',
    loginId: 'two',
  });
});
