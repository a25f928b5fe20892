import type { Page } from 'playwright-core';
import type { PanelClient, PanelCloud } from './panel-client.ts';

/** Puts the session of somebody who has signed in over HTTP into a browser, whose tab shows the workspace. */
export async function takeSession(
  page: Page,
  { panelUrl }: PanelCloud,
  { browser }: PanelClient,
  workspaceId: string,
): Promise<void> {
  const cookies = [...browser.cookies].map(([name, value]) => ({
    name,
    value,
    domain: new URL(panelUrl).hostname,
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict' as const,
  }));
  await page.context().addCookies(cookies);
  await page.addInitScript((id) => sessionStorage.setItem('workspace', id), workspaceId);
}
