import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { demoUsername } from '../../../../bin/dev/platforms.ts';
import { secondMs } from '../../../../lib/kernel/clock.ts';
import { type Client, clientOf, settled } from '../../../journeys/support/client.ts';
import {
  type Connecting,
  connectInPanel,
  login,
  openPanelVisit,
  ownerTestOf,
  type PanelVisit,
  row,
} from '../../../journeys/support/owners-panel.ts';
import { signIn } from '../../../journeys/support/panel-client.ts';
import { platformOf } from '../../../journeys/support/platforms.ts';
import { visitSharedCloud } from '../../../support/shared-cloud.ts';

let visit: PanelVisit;
let client: Client;
visitSharedCloud(async (cloud) => {
  visit = await openPanelVisit(cloud);
  client = clientOf(cloud, cloud.demo);
});

const ownerTest = ownerTestOf(() => visit);

const places = [{ name: 'Harbour Coffee' }, { name: 'Harbour Bakery' }];

describe('in a browser, an owner', () => {
  // The daily journey connects LinkedIn.
  ownerTest.for<Connecting>([
    { platform: 'instagram', title: 'Instagram', connected: login },
    {
      platform: 'facebook',
      title: 'Facebook',
      user: { pages: places },
      choose: 'Harbour Bakery',
      connected: 'Harbour Bakery',
    },
    { platform: 'threads', title: 'Threads', connected: login },
    { platform: 'tiktok', title: 'TikTok', connected: login },
    { platform: 'youtube', title: 'YouTube', connected: login, has: 'Mornings' },
    { platform: 'pinterest', title: 'Pinterest', connected: login, has: 'Recipes' },
  ])('connects an account of $platform', async (connecting, { panel }) => {
    await connectInPanel(visit, panel, connecting);
  });

  ownerTest('connects an expired account again', async ({ panel: { page, complaints, open } }) => {
    const username = demoUsername('demo');
    await platformOf(visit.cloud, 'threads').revoke(username);
    const accountId = client.accountId('threads');
    const { id } = await client.createPost({
      content: 'Without access',
      platforms: [{ accountId }],
      publishNow: true,
    });
    expect((await settled(client, id)).status).toBe('failed');

    await open('/accounts?status=expired');
    await row(page, username)
      .getByRole('button', { name: /^Reconnect/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: `Allow as ${username}` }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('link', { name: 'Open account' }).click();
    await page.waitForURL(`${visit.cloud.panelUrl}/accounts/${accountId}`);
    await page.getByText('Connected', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  ownerTest('disconnects an account, knowing what that stops', async ({ panel }) => {
    const { page, complaints, open } = panel;
    const accountId = client.accountId('facebook');
    await client.createPost({
      content: 'Never',
      platforms: [{ accountId }],
      scheduledFor: new Date(visit.cloud.clock.now() + 3_600 * secondMs).toISOString(),
    });

    await open(`/accounts/${accountId}`);
    await page.getByRole('button', { name: 'Disconnect…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText(/^1 scheduled post: it fails at its time/).waitFor();
    await dialog.getByText(/^Yes, disconnect/).click();
    await dialog.getByRole('button', { name: 'Disconnect account' }).click();
    await page.getByText(/is disconnected$/).waitFor();
    await page.getByRole('table', { name: 'Connected accounts' }).waitFor();
    expect(await page.locator(`a[href="/accounts/${accountId}"]`).count()).toBe(0);
    expect((await client.request('GET', `/v1/accounts/${accountId}`)).status).toBe(404);
    expect(complaints).toEqual([]);
  });

  ownerTest(
    'invites a member, who signs in and accepts',
    async ({ panel: { page, complaints, open }, newPage }) => {
      // A second try invites somebody else.
      const email = `${randomUUID()}@herald.example`;
      await open('/settings/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByText(`${email} is invited`).waitFor();
      const address = await page.getByRole('textbox', { name: 'Address of the panel' }).inputValue();
      await page.getByRole('button', { name: 'Done' }).click();
      await row(page, email).getByText('Invited').waitFor();

      const colleague = await newPage();
      await colleague.goto(address);
      await colleague.getByRole('link', { name: 'Sign in' }).click();
      await colleague.getByLabel('Email').fill(email);
      await colleague.getByLabel('Name').fill('Cora Colleague');
      await colleague.getByRole('button', { name: 'Continue', exact: true }).click();
      await colleague.getByRole('button', { name: /^Accept/ }).click();
      await colleague.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();

      await page.reload();
      await row(page, email).filter({ hasText: 'Cora Colleague' }).getByText('Active').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  ownerTest('signs out everywhere else', async ({ panel: { page, complaints, open } }) => {
    const elsewhere = await signIn(visit.cloud, 'Owner', { workspaceId: visit.cloud.demo.id });
    await open('/settings/sessions');
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByText('You are signed in only here.').waitFor();
    expect((await elsewhere.request('GET', '/v1/accounts')).status).toBe(401);
    expect((await visit.owner.request('GET', '/v1/accounts')).status).toBe(200);
    expect(complaints).toEqual([]);
  });
});
