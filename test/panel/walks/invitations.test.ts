import { describe, expect } from 'vitest';
import { serveAccounts } from '../support/accounts.ts';
import { ok, refusal } from '../support/fake-api.ts';
import { invitationOf } from '../support/invitations.ts';
import { meOf } from '../support/me.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

describe('the invitations of a person', () => {
  walk('/invitations', 'name who invites to what, and lead on once answered', async (panel) => {
    const { page, api, open, inspect } = panel;
    serveAccounts(api);
    let waiting = [
      invitationOf(1),
      invitationOf(2, { role: 'owner', invitedBy: { kind: 'operator', name: null, email: null } }),
    ];
    const answer = (id: string | undefined) => {
      waiting = waiting.filter((each) => each.id !== id);
      return { status: 204 };
    };
    api
      .on('GET /panel/invitations', () => ok({ invitations: waiting }))
      .on('POST /panel/invitations/{id}/accept', ({ path }) => answer(path.split('/')[3]))
      .on('DELETE /panel/invitations/{id}', ({ path }) => answer(path.split('/')[3]));
    await open('/invitations?next=%2Faccounts');
    const [first, second] = [page.getByRole('region').nth(0), page.getByRole('region').nth(1)];
    await first.getByText('Invited by Olga Owner (olga@herald.example)').waitFor();
    await first.getByText('00000000-0000-4000-8000-000000000201').waitFor();
    await second.getByText('Invited by whoever runs this service').waitFor();
    await second.getByText(/^You would be owner:/).waitFor();
    await inspect();

    await second.getByRole('button', { name: /^Decline: Südlicht/ }).click();
    await second.waitFor({ state: 'detached' });
    expect(api.to('DELETE /panel/invitations/{id}').map(({ path }) => path)).toEqual([
      '/panel/invitations/00000000-0000-4000-8000-000000000102',
    ]);

    await first.getByRole('button', { name: /^Accept: Südlicht/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(api.to('POST /panel/invitations/{id}/accept')).toMatchObject([{ body: { role: 'member' } }]);
  });

  panelTest('can wait', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    api.on('GET /panel/invitations', ok({ invitations: [invitationOf(1)] }));
    await open('/invitations?next=%2Faccounts');
    await page.getByRole('button', { name: 'Decide later' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });

  panelTest('lead to no other host', async ({ panel: { page, api, open, elsewhere } }) => {
    api.on('GET /panel/invitations', ok({ invitations: [] }));
    await open(`/invitations?next=${encodeURIComponent(elsewhere)}`);
    await page.getByText('No invitation is waiting for you').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  panelTest('say why an answer was not recorded', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/invitations', ok({ invitations: [invitationOf(1)] }))
      .on(
        'POST /panel/invitations/{id}/accept',
        refusal(409, 'changed_concurrently', 'it has another role now'),
      );
    await open('/invitations');
    await page.getByRole('button', { name: /^Accept: Südlicht/ }).click();
    await page.getByRole('alert').getByText('Your answer was not recorded').waitFor();
  });

  panelTest('ask a person who is not signed in to sign in', async ({ panel: { page, api, open } }) => {
    const missing = refusal(401, 'session_missing', 'sign in');
    api.on('GET /panel/me', missing).on('GET /panel/invitations', missing);
    await open('/invitations');
    const link = page.getByRole('link', { name: 'Sign in', exact: true });
    expect(await link.getAttribute('href')).toBe('/api/panel/sign-in?returnTo=%2Finvitations');
  });

  panelTest('are found by a person who is in no workspace', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/me', ok(meOf({ workspaces: [] })))
      .on('GET /panel/invitations', ok({ invitations: [invitationOf(1)] }));
    await open('/');
    await page.getByRole('link', { name: 'Invitations' }).click();
    await page.getByRole('button', { name: /^Accept: Südlicht/ }).waitFor();
  });
});
