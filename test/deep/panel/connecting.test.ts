import { describe, expect } from 'vitest';
import {
  attemptReply,
  instagram,
  linkedin,
  readAttemptReply,
  serveAccounts,
  serveBegin,
} from '../../panel/support/accounts.ts';
import { type FakeApi, refusal } from '../../panel/support/fake-api.ts';
import { idOf } from '../../panel/support/ids.ts';
import { meOf, type Panel, panelTest, scrollsSideways, violationsIn } from '../../panel/support/panel.ts';

const claim = 'POST /v1/connect/attempts/{state}/claim';

/** The page of the service where the browser goes. */
const authUrlOf = ({ elsewhere }: Panel): string => `${elsewhere}/oauth/instagram/begin?state=state-1`;

/** Begins a connection in this tab, as far as the page of the service. */
async function begin(panel: Panel, account?: string): Promise<void> {
  const { page, api, open } = panel;
  serveBegin(serveAccounts(api), authUrlOf(panel));
  await open('/accounts');
  await page
    .getByRole(
      'button',
      account === undefined ? { name: 'Connect account' } : { name: `Reconnect ${account}` },
    )
    .first()
    .click();
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.waitForURL(authUrlOf(panel));
}

/** The browser comes back, as the service sends it. */
async function comeBack({ page, open }: Panel, query: string): Promise<void> {
  await open(`/accounts/connected?${query}`);
  await page.getByRole('heading', { level: 1, name: 'Connect an account' }).waitFor();
}

const begun = (api: FakeApi) => api.to('POST /v1/connect/{platform}');

describe('connecting an account', () => {
  panelTest('begins from the keyboard alone', async ({ panel }) => {
    const { page, api, open } = panel;
    serveBegin(serveAccounts(api), authUrlOf(panel));
    await open('/accounts');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Connect an account' });
    await dialog.waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    // The sixth platform is LinkedIn; then whom it posts as.
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowDown');
    await dialog.getByRole('radio', { name: /Organization/ }).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await dialog.getByText('You sign in at LinkedIn.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(authUrlOf(panel));
    const [request] = begun(api);
    expect(request?.path).toBe('/v1/connect/linkedin');
    expect(request?.body).toEqual({
      claim: true,
      redirectUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/accounts\/connected$/),
      as: 'organization',
    });
  });

  panelTest('ends at the account that was connected', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel);
    expect(begun(api)[0]?.body).toEqual({ claim: true, redirectUrl: expect.any(String) });
    api.on(claim, attemptReply());
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByRole('alert').getByText('Connected', { exact: true }).waitFor();
    await expect
      .poll(() => api.to(claim).map(({ path, body }) => [path, body]))
      .toEqual([['/v1/connect/attempts/state-1/claim', { code: 'one-time-code' }]]);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open account' }).click();
    await page.waitForURL(`**/accounts/${instagram.id}`);
    await page.getByRole('heading', { level: 1, name: 'Nordlicht Kaffee' }).waitFor();
  });

  panelTest('leaves no code in the address, the history or the storage', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel);
    const { promise, resolve } = Promise.withResolvers<void>();
    api.on(claim, async () => {
      await promise;
      return attemptReply();
    });
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByRole('status').getByText('Connecting…').waitFor();
    expect(new URL(page.url()).search).toBe('');
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(stored).not.toContain('one-time-code');
    expect(stored).toContain('state-1');
    resolve();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL(authUrlOf(panel));
    expect(page.url()).not.toContain('one-time-code');
  });

  panelTest('shows what was connected if the page is loaded again', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel);
    const other = { ...linkedin, displayName: 'Nordlicht AG', id: idOf(77), _id: idOf(77) };
    api
      .on(claim, attemptReply())
      .on('GET /v1/connect/attempts/{state}', readAttemptReply({ accounts: [instagram, other] }));
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('2 accounts connected').waitFor();
    expect(await page.getByRole('main').getByRole('listitem').allInnerTexts()).toHaveLength(2);
    await expect.poll(() => api.to(claim)).toHaveLength(1);
  });

  panelTest('connects nothing for an answer that this tab did not ask for', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel);
    await comeBack(panel, 'code=code-of-somebody-else&state=state-of-somebody-else');
    await page.getByText('This tab did not begin the connection').waitFor();
    await panel.page.evaluate(() => sessionStorage.removeItem('connection-attempt'));
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByText('This tab did not begin the connection').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(api.requests.filter(({ path }) => path.includes('attempts'))).toEqual([]);
    await page.getByRole('button', { name: 'Connect account' }).click();
    await page.getByRole('dialog', { name: 'Connect an account' }).waitFor();
  });

  panelTest.for([
    ['access_denied', 'The permission was not given: somebody pressed “Cancel”.'],
    ['missing_permissions', 'Instagram did not grant every permission that publishing needs.'],
    ['no_accounts', 'switch the account to one in the Instagram app'],
    ['too_many_accounts', 'Connect again and select fewer when Instagram asks.'],
    ['platform_refused', 'Instagram refused the login.'],
    ['platform_unavailable', 'Instagram did not answer.'],
    ['not_configured', 'Tell whoever runs it.'],
    ['server_error', 'Something went wrong on our side.'],
    ['constructor', 'The platform or the service refused it. Connect again.'],
    ['<b>x</b>', 'The platform or the service refused it. Connect again.'],
  ] as const)('says what to do after %s', async ([code, text], { panel }) => {
    const { page } = panel;
    await begin(panel);
    await comeBack(panel, `error=${encodeURIComponent(code)}`);
    const alert = page.getByRole('alert');
    await alert.getByText(text).waitFor();
    // Anybody can write the link.
    expect(await alert.innerText()).not.toContain(code);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Connect again' }).click();
    await page.getByRole('radio', { name: /^Instagram/, checked: true }).waitFor({ state: 'attached' });
  });

  panelTest('sends the same code again if the platform did not answer', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel);
    api.on(claim, refusal(409, 'account_refused', 'attempt: Instagram refused the account; connect again'));
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByText('Instagram refused an account. Connect again.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await begin(panel);
    api.on(claim, {
      ...refusal(503, 'platform_unavailable', 'attempt: Instagram did not answer; claim it again'),
    });
    await comeBack(panel, 'code=another-code&state=state-1');
    await page.getByText('Instagram did not answer. Try again.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    api.on(claim, attemptReply());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await expect.poll(() => api.to(claim).at(-1)?.body).toEqual({ code: 'another-code' });
  });

  panelTest('says that another session cannot finish it', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel);
    api.on(claim, refusal(404, 'not_found', 'attempt: not found'));
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByText('Only the session that began a connection can finish it').waitFor();
  });

  panelTest('has nothing to finish for those who come by themselves', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api);
    await open('/accounts/connected');
    await page.getByText('There is no connection to finish').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('leaves no code in the sign-in of somebody who is signed out', async ({ panel }) => {
    const { page, api, open } = panel;
    api.on('GET /panel/me', refusal(401, 'session_missing', 'sign in'));
    await open('/accounts/connected?code=one-time-code&state=state-1');
    const link = page.getByRole('link', { name: 'Sign in', exact: true });
    expect(await link.getAttribute('href')).toBe('/api/panel/sign-in?returnTo=%2Faccounts%2Fconnected');
  });

  panelTest('says why it cannot begin, and keeps the choice', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on(
      'POST /v1/connect/{platform}',
      refusal(503, 'platform_not_configured', 'TikTok: the operator has not set the app credentials'),
    );
    await open('/accounts');
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^TikTok/ }).check({ force: true });
    await dialog.getByRole('button', { name: 'Continue to TikTok' }).click();
    await dialog.getByText('TikTok: the operator has not set the app credentials.').waitFor();
    expect(await dialog.getByRole('radio', { name: /^TikTok/ }).isChecked()).toBe(true);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('goes nowhere but to a page', async ({ panel: { page, api, open } }) => {
    serveBegin(serveAccounts(api), 'javascript:alert(1)');
    await open('/accounts');
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    await page.getByRole('button', { name: 'Continue to Instagram' }).click();
    await page.getByText('an address that is none of its own pages').waitFor();
    expect(new URL(page.url()).pathname).toBe('/accounts');
  });

  panelTest('goes on with the same choice after a new sign-in', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api).on(
      'POST /v1/connect/{platform}',
      refusal(401, 'session_ended', 'the session has ended'),
    );
    api.on('GET /panel/sign-in', () => {
      serveBegin(api, authUrlOf(panel));
      api.on('GET /panel/me', { status: 200, body: meOf() });
      return { status: 303, headers: { location: '/signed-in' } };
    });
    await open('/accounts');
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    await page.getByRole('radio', { name: /^YouTube/ }).check({ force: true });
    await page.getByRole('button', { name: 'Continue to YouTube' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await Promise.all([page.waitForEvent('popup'), dialog.getByRole('button', { name: 'Sign in' }).click()]);
    await page.waitForURL(authUrlOf(panel));
    expect(begun(api).map(({ path }) => path)).toEqual(['/v1/connect/youtube', '/v1/connect/youtube']);
  });

  panelTest('fits small screens', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    await page.setViewportSize({ width: 320, height: 640 });
    await open('/accounts');
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    await page.getByRole('dialog').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
  });
});

describe('reconnecting an account', () => {
  panelTest('keeps its kind and its external id', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel, 'Nordlicht GmbH');
    expect(begun(api).map(({ path, body }) => [path, body])).toEqual([
      [
        '/v1/connect/linkedin',
        { claim: true, redirectUrl: expect.any(String), as: 'organization', externalId: 'customer-4711' },
      ],
    ]);
    api.on(claim, attemptReply({ platform: 'linkedin', accounts: [linkedin] }));
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  panelTest('says if another account was connected instead', async ({ panel }) => {
    const { page, api } = panel;
    await begin(panel, 'Nordlicht GmbH');
    api.on(claim, attemptReply({ platform: 'linkedin', accounts: [instagram] }));
    await comeBack(panel, 'code=one-time-code&state=state-1');
    await page.getByText('The account to reconnect was not among them').waitFor();
    await page.getByRole('link', { name: 'Show it' }).click();
    await page.waitForURL(`**/accounts/${linkedin.id}`);
  });

  panelTest('leads back to the account if it was refused', async ({ panel }) => {
    const { page } = panel;
    await begin(panel, 'Nordlicht GmbH');
    await comeBack(panel, 'error=access_denied');
    await page.getByRole('link', { name: 'Back to the account' }).click();
    await page.waitForURL(`**/accounts/${linkedin.id}`);
  });
});
