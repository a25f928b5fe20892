import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addDemoPeople } from '../../../bin/dev/demo-people.ts';
import { openTableAsAdministrator } from '../../../bin/dev/demo-workspaces.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { browserTest } from '../../support/browser.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { complaintsOf } from './complaints.ts';
import { type PanelClient, signIn } from './panel-client.ts';
import { takeSession } from './panel-page.ts';
import { platformOf } from './platforms.ts';

/** A visit whose first workspace has the demo people, and its owner's session. */
export interface PanelVisit {
  readonly cloud: CloudVisit;
  readonly owner: PanelClient;
}

export async function openPanelVisit(cloud: CloudVisit): Promise<PanelVisit> {
  await addDemoPeople(
    openTableAsAdministrator(cloud),
    cloud.clock.now(),
    cloud.demo.id,
    cloud.issuer?.url ?? '',
  );
  const owner = await signIn(cloud, 'Owner', { workspaceId: cloud.demo.id, again: true });
  return { cloud, owner };
}

interface OwnersPanel {
  readonly page: Page;
  /** The browser's complaints. */
  readonly complaints: readonly string[];
  /** Opens a path of the panel. */
  open(path: string): Promise<unknown>;
}

/** A test with a browser in which the owner is signed in. */
export const ownerTestOf = (visit: () => PanelVisit) =>
  browserTest.extend('panel', async ({ page }): Promise<OwnersPanel> => {
    const { cloud, owner } = visit();
    const complaints = await complaintsOf(page);
    await takeSession(page, cloud, owner, cloud.demo.id);
    return { page, complaints, open: (path) => page.goto(cloud.panelUrl + path) };
  });

export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** A platform, and the way through its pages. */
export interface Connecting {
  readonly platform: Platform;
  readonly title: string;
  /** The fields of the login, besides its name. */
  readonly user?: object;
  /** The choice in the panel's dialog, besides the platform. */
  readonly as?: RegExp;
  /** The choice from the accounts of the login. */
  readonly choose?: string;
  /** The connected account. */
  readonly connected: string;
  /** A text on the account's page, read from the platform. */
  readonly has?: string;
}

export const login = 'panel.walk';

/** Connects an account in the panel, and opens its page. */
export async function connectInPanel(
  { cloud }: PanelVisit,
  { page, complaints, open }: OwnersPanel,
  { platform, title, user, as, choose, connected, has }: Connecting,
): Promise<void> {
  await platformOf(cloud, platform).addUser(login, user);
  await open('/accounts');
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
}
