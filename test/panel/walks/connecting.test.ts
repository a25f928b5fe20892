import { describe, expect } from 'vitest';
import { attemptReply, instagram, serveAccounts, serveBegin } from '../support/accounts.ts';
import { type Panel, panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

/** Begins a connection to Instagram, as far as the page of the service. */
async function begin({ page, api, open, elsewhere }: Panel): Promise<void> {
  const authUrl = `${elsewhere}/oauth/instagram/begin?state=state-1`;
  serveBegin(serveAccounts(api), authUrl);
  await open('/accounts');
  await page.getByRole('button', { name: 'Connect account' }).first().click();
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.waitForURL(authUrl);
}

describe('connecting an account', () => {
  walk('/accounts/connected', 'ends at the account that was connected', async (panel) => {
    const { page, api, open, inspect } = panel;
    await begin(panel);
    await expect
      .poll(() => api.to('POST /v1/connect/{platform}').map(({ path, body }) => ({ path, body })))
      .toEqual([
        {
          path: '/v1/connect/instagram',
          body: { claim: true, redirectUrl: expect.stringMatching(/\/accounts\/connected$/) },
        },
      ]);
    api.on('POST /v1/connect/attempts/{state}/claim', attemptReply());
    await open('/accounts/connected?code=one-time-code&state=state-1');
    await page.getByRole('alert').getByText('Connected', { exact: true }).waitFor();
    expect(new URL(page.url()).search, 'the code is not in the address').toBe('');
    expect(
      api.to('POST /v1/connect/attempts/{state}/claim').map(({ path, body }) => ({ path, body })),
    ).toEqual([{ path: '/v1/connect/attempts/state-1/claim', body: { code: 'one-time-code' } }]);
    await inspect();
    await page.getByRole('link', { name: 'Open account' }).click();
    await page.waitForURL(`**/accounts/${instagram.id}`);
  });

  panelTest('says why it failed, and begins again', async ({ panel }) => {
    const { page, open } = panel;
    await begin(panel);
    await open('/accounts/connected?error=access_denied');
    await page
      .getByRole('alert')
      .getByText('The permission was not given: somebody pressed “Cancel”.')
      .waitFor();
    await page.getByRole('button', { name: 'Connect again' }).click();
    await page.getByRole('radio', { name: /^Instagram/, checked: true }).waitFor({ state: 'attached' });
  });

  panelTest('ignores an answer that this tab did not ask for', async ({ panel }) => {
    const { page, api, open } = panel;
    await begin(panel);
    await open('/accounts/connected?code=code-of-somebody-else&state=state-of-somebody-else');
    await page.getByText('This tab did not begin the connection').waitFor();
    expect(api.requests.filter(({ path }) => path.includes('attempts'))).toEqual([]);
  });
});
