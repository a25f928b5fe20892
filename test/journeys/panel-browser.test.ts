import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { inviteDemoPeople } from '../../bin/dev/demo-people.ts';
import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../bin/dev/platforms.ts';
import { secondMs } from '../../lib/kernel/clock.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { type Receiver, startReceiver } from '../lib/webhooks/receiver.ts';
import { browserTest } from '../support/browser.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { type Client, clientOf, settled, until } from './support/client.ts';
import { complaintsOf } from './support/complaints.ts';
import { type PanelClient, signIn } from './support/panel-client.ts';
import { takeSession } from './support/panel-page.ts';
import { platformOf } from './support/platforms.ts';

let cloud: CloudVisit;
let client: Client;
let owner: PanelClient;
let receiver: Receiver;
/** The statuses of the next responses of the receiver; then it answers 200. */
const statuses: number[] = [];
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(visit, visit.demo);
  await inviteDemoPeople(openTableAsAdministrator(visit), visit.clock.now(), visit.demo.id);
  owner = await signIn(visit, 'Owner', { workspaceId: visit.demo.id, again: true });
  receiver = await startReceiver((response) => {
    const status = statuses.shift() ?? 200;
    response.statusCode = status;
    response.end(`status ${status}`);
  });
});
afterAll(() => receiver?.close());

interface OwnersPanel {
  readonly page: Page;
  /** What the browser has complained about. */
  readonly complaints: readonly string[];
}

/** A test with a browser in which the owner is signed in. */
const ownerTest = browserTest.extend('panel', async ({ page }): Promise<OwnersPanel> => {
  const complaints = await complaintsOf(page);
  await takeSession(page, cloud, owner, cloud.demo.id);
  return { page, complaints };
});
const options = { timeout: 60_000 };

const open = (page: Page, path: string) => page.goto(cloud.panelUrl + path);
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe('in a browser, a person', () => {
  browserTest('signs in and issues a key, which the API takes', options, async ({ page }) => {
    const complaints = await complaintsOf(page);
    await open(page, '/developers');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Continue as Owner' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
    // Other files that share the cloud have invited the same people.
    await page.evaluate((id) => sessionStorage.setItem('workspace', id), cloud.demo.id);
    await page.reload();
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('From the browser');
    await page.getByRole('button', { name: 'Create key' }).click();
    const apiKey = await page.getByLabel('Your new key').inputValue();
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${cloud.apiUrl}/v1/accounts`, { headers })).status).toBe(200);

    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('From the browser').first().waitFor();
    expect(await page.content()).not.toContain(apiKey);
    // That nobody was signed in yet is said by a 401, which browsers report.
    expect(complaints.filter((each) => !each.includes('401 (Unauthorized)'))).toEqual([]);
  });
});

const login = 'panel.walk';

interface Connecting {
  readonly platform: Platform;
  readonly title: string;
  /** What the simulator is told of the login, besides its name. */
  readonly user?: object;
  /** What to choose in the panel's dialog, besides the platform. */
  readonly as?: RegExp;
  /** What to choose from the accounts of the login. */
  readonly choose?: string;
  /** What is connected then. */
  readonly connected: string;
  /** What the account's page has, read from the platform. */
  readonly has?: string;
}

const places = [{ name: 'Harbour Coffee' }, { name: 'Harbour Bakery' }];
const companies = places.map(({ name }, number) => ({ name, vanityName: `harbour-${number}` }));

describe('in a browser, an owner', () => {
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
    {
      platform: 'linkedin',
      title: 'LinkedIn',
      user: { organizations: companies },
      as: /^Organization/,
      choose: 'Harbour Coffee',
      connected: 'Harbour Coffee',
    },
    { platform: 'pinterest', title: 'Pinterest', connected: login, has: 'Recipes' },
  ])('connects an account of $platform', options, async (connecting, { panel: { page, complaints } }) => {
    const { platform, title, user, as, choose, connected, has } = connecting;
    await platformOf(cloud, platform).addUser(login, user);
    await open(page, '/accounts');
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(title, { exact: true }).click();
    if (as !== undefined) await dialog.locator('label').filter({ hasText: as }).click();
    await dialog.getByRole('button', { name: `Continue to ${title}` }).click();
    await page.getByRole('button', { name: `Continue to ${title}` }).click();
    await page.getByRole('button', { name: `Allow as ${login}` }).click();
    if (choose !== undefined) await page.locator('label').filter({ hasText: choose }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.waitForURL(`${cloud.panelUrl}/accounts/connected`);
    await page.getByText('You can plan posts for it now.').waitFor();
    await page.getByRole('link', { name: 'Open account' }).click();
    await page.getByRole('heading', { level: 1, name: connected }).waitFor();
    if (has !== undefined) await page.getByText(has, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  ownerTest('connects an expired account again', options, async ({ panel: { page, complaints } }) => {
    const username = demoUsername('demo');
    await platformOf(cloud, 'threads').revoke(username);
    const accountId = client.accountId('threads');
    const { id } = await client.createPost({
      content: 'Without access',
      platforms: [{ accountId }],
      publishNow: true,
    });
    expect((await settled(client, id)).status).toBe('failed');

    await open(page, '/accounts?status=expired');
    await row(page, username)
      .getByRole('button', { name: /^Reconnect/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: `Allow as ${username}` }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('link', { name: 'Open account' }).click();
    await page.waitForURL(`${cloud.panelUrl}/accounts/${accountId}`);
    await page.getByText('Works', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  ownerTest('disconnects an account, knowing what that stops', options, async ({ panel }) => {
    const { page, complaints } = panel;
    const accountId = client.accountId('facebook');
    await client.createPost({
      content: 'Never',
      platforms: [{ accountId }],
      scheduledFor: new Date(cloud.clock.now() + 3_600 * secondMs).toISOString(),
    });

    await open(page, `/accounts/${accountId}`);
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

  ownerTest('creates an endpoint, and follows what is sent to it', options, async ({ panel }) => {
    const { page, complaints } = panel;
    await open(page, '/developers/endpoints');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    const secret = await page.getByLabel('Your signing secret').inputValue();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event has arrived').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(receiver.received).toHaveLength(1);
    expect(isSigned(receiver, secret)).toBe(true);
    await page.getByRole('link', { name: 'Show the delivery' }).click();
    await page.getByRole('dialog').getByText('Succeeded').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    statuses.push(500);
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The attempt has failed').waitFor();
    await page.getByText('Failing', { exact: true }).waitFor();
    cloud.clock.advance(10 * secondMs);
    await until(
      () => receiver.received,
      ({ length }) => length === 3,
    );
    await page.getByRole('link', { name: 'Show the delivery' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Attempt 2').waitFor();
    await dialog.getByText('status 500', { exact: true }).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click();
    await dialog.getByText('Attempt 3').waitFor();
    expect(receiver.received).toHaveLength(4);
    expect(isSigned(receiver, secret)).toBe(true);
    expect(complaints).toEqual([]);
  });

  ownerTest('invites a member, who signs in', options, async ({ panel: { page, complaints }, browser }) => {
    const email = 'colleague@herald.example';
    await open(page, '/settings/members');
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText(`${email} is invited`).waitFor();
    const address = await page.getByRole('textbox', { name: 'Address of the panel' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await row(page, email).getByText('Invited').waitFor();

    const other = await browser?.newContext();
    const colleague = await other?.newPage();
    await colleague?.goto(address);
    await colleague?.getByRole('link', { name: 'Sign in' }).click();
    await colleague?.getByLabel('Email').fill(email);
    await colleague?.getByLabel('Name').fill('Cora Colleague');
    await colleague?.getByRole('button', { name: 'Continue', exact: true }).click();
    await colleague?.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
    await other?.close();

    await page.reload();
    await row(page, 'Cora Colleague').getByText('Active').waitFor();
    expect(complaints).toEqual([]);
  });

  ownerTest('signs out everywhere else', options, async ({ panel: { page, complaints } }) => {
    const elsewhere = await signIn(cloud, 'Owner', { workspaceId: cloud.demo.id });
    await open(page, '/settings/sessions');
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByText('You are signed in only here.').waitFor();
    expect((await elsewhere.request('GET', '/v1/accounts')).status).toBe(401);
    expect((await owner.request('GET', '/v1/accounts')).status).toBe(200);
    expect(complaints).toEqual([]);
  });
});

/** Whether the newest request has the signature of the secret. */
function isSigned({ received }: Receiver, secret: string): boolean {
  const newest = received.at(-1);
  const signature = String(newest?.headers['x-service-signature']);
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(signature) ?? [];
  const signed = createHmac('sha256', secret)
    .update(`${t}.`)
    .update(newest?.body ?? '');
  return v1 === signed.digest('hex');
}
