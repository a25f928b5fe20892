import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inviteDemoPeople } from '../../bin/dev/demo-people.ts';
import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../bin/dev/platforms.ts';
import { browserTest } from '../support/browser.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { readFixture } from './support/client.ts';
import { complaintsOf } from './support/complaints.ts';

let cloud: CloudVisit;
visitSharedCloud(async (visit) => {
  cloud = visit;
  await inviteDemoPeople(openTableAsAdministrator(visit), visit.clock.now(), visit.demo.id);
});

/** That nobody is signed in yet is said by a 401, which browsers report. */
const withoutGreeting = (complaints: readonly string[]) =>
  complaints.filter((each) => !each.includes('401 (Unauthorized)'));

async function signInAs(page: Page, label: 'Owner' | 'Member'): Promise<void> {
  await page.goto(cloud.panelUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Continue as ${label}` }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
  await openWorkspace(page);
}

/** Other files that share the cloud have invited the same people. */
async function openWorkspace(page: Page): Promise<void> {
  await page.evaluate((id) => {
    sessionStorage.setItem('workspace', id);
    localStorage.setItem('workspace', id);
  }, cloud.demo.id);
  await page.reload();
}

/** What a page of the panel does to upload a file. A text, because the types of browsers are unknown here. */
const uploadInPage = `async ({ workspaceId, bytes }) => {
  const headers = { 'content-type': 'application/json', 'x-workspace': workspaceId };
  const file = new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
  const body = JSON.stringify({ filename: 'a.jpg', contentType: file.type, size: file.size });
  const granted = await fetch('/api/v1/media/presign', { method: 'POST', headers, body });
  const { mediaId, uploadUrl, publicUrl } = await granted.json();
  let sentBytes = 0;
  const status = await new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded }) => (sentBytes = loaded);
    request.onloadend = () => resolve(request.status);
    request.open('PUT', uploadUrl);
    request.setRequestHeader('content-type', file.type);
    request.send(file);
  });
  for (;;) {
    const read = await fetch('/api/v1/media/' + mediaId, { headers });
    if ((await read.json()).media.status !== 'pending') break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const image = new Image();
  image.src = publicUrl;
  await image.decode();
  return { status, sentBytes, width: image.naturalWidth, height: image.naturalHeight };
}`;

describe('in a browser, a person', () => {
  browserTest(
    'uploads a file straight to the storage, and sees it',
    { timeout: 60_000 },
    async ({ page }) => {
      const complaints = await complaintsOf(page);
      await signInAs(page, 'Member');
      const { bytes } = readFixture('image.jpg');
      const shown = await page.evaluate(
        `(${uploadInPage})(${JSON.stringify({ workspaceId: cloud.demo.id, bytes: [...bytes] })})`,
      );
      expect(shown).toEqual({ status: 200, sentBytes: bytes.length, width: 1_080, height: 1_350 });
      expect(withoutGreeting(complaints)).toEqual([]);
    },
  );

  browserTest('connects an account through the platform', { timeout: 60_000 }, async ({ page }) => {
    const complaints = await complaintsOf(page);
    await signInAs(page, 'Owner');

    await page.getByRole('button', { name: 'Connect account' }).first().click();
    await page.getByRole('dialog').getByText('Threads', { exact: true }).click();
    await page.getByRole('button', { name: /Continue to Threads/ }).click();
    await page.getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: `Allow as ${demoUsername('demo')}` }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.waitForURL(`${cloud.panelUrl}/accounts/connected`);
    await page.getByText(demoUsername('demo')).first().waitFor();

    expect(page.url()).toBe(`${cloud.panelUrl}/accounts/connected`);
    expect(withoutGreeting(complaints)).toEqual([]);
  });

  browserTest('issues a key, which the API takes', { timeout: 60_000 }, async ({ page }) => {
    const complaints = await complaintsOf(page);
    await signInAs(page, 'Owner');

    await page.goto(`${cloud.panelUrl}/developers`);
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('From the browser');
    await page.getByRole('button', { name: 'Create key' }).click();
    const apiKey = await page.getByLabel('Your new key').inputValue();
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${cloud.apiUrl}/v1/accounts`, { headers })).status).toBe(200);

    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('From the browser').first().waitFor();
    expect(await page.content()).not.toContain(apiKey);
    expect(withoutGreeting(complaints)).toEqual([]);
  });
});
