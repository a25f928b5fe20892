import { describe, expect } from 'vitest';
import { hostile, instagram, tiktok } from '../../../panel/support/accounts.ts';
import {
  automationOf,
  everything,
  gated,
  serveAutomations,
  spring,
  troubled,
  troubledDetail,
  withoutAccess,
} from '../../../panel/support/automations.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const edit = 'PATCH /v1/comment-automations/{id}';

describe('the list of automations', () => {
  panelTest(
    'says what each does and has done, and pauses one in place',
    async ({ panel: { page, api, open } }) => {
      serveAutomations(api);
      await open('/automations');
      const row = page.getByRole('row', { name: /Giveaway/ });
      await expect
        .poll(() => row.innerText())
        .toMatch(/win[\s\S]*and 3 more[\s\S]*2,912[\s\S]*37 wait for the hourly limit/);
      // Without a name, it is called as its post begins.
      await page.getByRole('link', { name: 'Danke für 10.000 Follower!' }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      const answers = page.getByRole('switch', { name: 'Answer comments: Spring offer' });
      await answers.focus();
      await page.keyboard.press('Space');
      await expect
        .poll(() => page.getByRole('row', { name: /Spring offer/ }).innerText())
        .toContain('Paused');
      await expect.poll(() => api.to(edit).map(({ body }) => body)).toEqual([{ isActive: false }]);
      // Pausing this one loses messages, so it asks.
      await page.getByRole('switch', { name: 'Answer comments: Giveaway' }).press('Space');
      const question = page.getByRole('alertdialog', { name: 'Pause “Giveaway”?' });
      await question.getByText('37 private messages wait').waitFor();
      await question.getByText('It is sent after you resume the automation').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      api.on(
        edit,
        refusal(
          409,
          'changed_concurrently',
          'automation: many requests are changing it at the same time; try again',
        ),
      );
      await page.getByRole('switch', { name: 'Answer comments: Danke' }).press('Space');
      await page
        .getByRole('alert')
        .getByText('Many requests are changing it')
        .or(page.getByText('Automation: many requests'))
        .waitFor();
    },
  );

  panelTest(
    'is searched, filtered by the URL, and loses what is deleted',
    async ({ panel: { page, api, open } }) => {
      serveAutomations(api, { perPage: 2 });
      await open('/automations?state=active');
      // It has read on to the second page by itself.
      await page.getByText('3 of 4 automations').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('gewinnen');
      await page.getByText('1 of 4 automations').waitFor();
      // A link shows the same, and a reload too.
      await page.waitForURL('**/automations?**q=gewinnen**');
      expect(new URL(page.url()).searchParams.get('state')).toBe('active');
      await page.reload();
      await page.getByText('1 of 4 automations').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('gewinnen');
      await page.getByRole('button', { name: 'Actions for Giveaway' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
      const dialog = page.getByRole('alertdialog', { name: 'Delete “Giveaway”?' });
      await dialog.getByText('Replies and messages that wait are never sent.').waitFor();
      await dialog.getByText('37 private messages wait now.').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete automation' }).press('Enter');
      await page.getByRole('region', { name: 'Notices' }).getByText('“Giveaway” is deleted').waitFor();
      await page.getByRole('heading', { name: 'No automation fits' }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText('3 automations', { exact: true }).waitFor();
      await expect.poll(() => new URL(page.url()).search).toBe('');
    },
  );

  panelTest('says how many answers have failed, and why others wait', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAutomations(api, { automations: [spring, troubled], detailsOf: [troubledDetail] });
    await open('/automations');
    const row = page.getByRole('row', { name: /Autumn menu/ });
    await expect
      .poll(() => row.innerText())
      .toMatch(
        /Failed\s+1,268[\s\S]*24 wait: no access to the account, hourly limit, automation paused, another reason/,
      );
    await expect
      .poll(() => page.getByRole('row', { name: /Spring offer/ }).innerText())
      .toMatch(/Failed\s+0/);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('offers the next step if there is none, and a retry if it does not load', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAutomations(api, { automations: [], accounts: [tiktok] });
    await open('/automations');
    await page.getByRole('link', { name: 'Connect an account' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    serveAutomations(api, { automations: [] }).on(
      'GET /v1/comment-automations',
      refusal(500, 'internal', 'it failed'),
    );
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    serveAutomations(api, { automations: [] });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByRole('link', { name: 'New automation' }).nth(1).waitFor();
  });

  panelTest(
    'shows hostile texts as text, and never scrolls sideways',
    async ({ panel: { page, api, open } }) => {
      const wild = hostile.map((account, number) =>
        automationOf(10 + number, {
          accountId: account.id,
          name: account.displayName,
          platformPostId: '9'.repeat(200),
          keywords: ['W'.repeat(60), '<b>x</b>', '🚀'.repeat(30), 'مقهى'],
          dmMessage: `${'A'.repeat(400)} <img src=x>`,
        }),
      );
      serveAutomations(api, { automations: wild, accounts: hostile });
      await page.setViewportSize({ width: 320, height: 800 });
      for (const path of ['', `/${wild[0]?.id}`, `/${wild[0]?.id}/edit`]) {
        await open(`/automations${path}`);
        await page.getByText('<b>x</b>').first().waitFor();
        expect(await scrollsSideways(page), path).toBe(false);
      }
    },
  );
});

describe('the page of an automation', () => {
  panelTest('shows what became of the comments, and its clicks as bars and table', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAutomations(api);
    await open(`/automations/${gated.id}`);
    await page.getByText('37 private messages wait').waitFor();
    await page.getByText('Instagram’s hourly limit: the account has sent').waitFor();
    // It has not failed.
    expect(await page.getByRole('region', { name: 'What failed' }).count()).toBe(0);
    const funnel = page.getByRole('region', { name: 'What became of the comments' });
    expect(await funnel.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Matched\s+2,912/),
      expect.stringMatching(/^Replied\s+2,905[\s\S]*100% of matched/),
      expect.stringMatching(/^Messaged\s+3,630[\s\S]*gate/),
      expect.stringMatching(/^Clicked\s+1,798/),
    ]);
    const chart = page.getByRole('slider', { name: 'Clicks per day' });
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d+ \w{3,4} \d{4}: \d+ clicks?$/);
    const said = await chart.getAttribute('aria-valuetext');
    await chart.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).not.toBe(said);
    await page.getByRole('button', { name: 'Show as table' }).press('Enter');
    const clicked = page.getByRole('region', { name: 'Clicks', exact: true });
    expect(await clicked.getByRole('table').first().getByRole('row').count()).toBe(31);
    expect(await page.getByRole('table', { name: 'Links' }).getByRole('row').nth(1).innerText()).toMatch(
      /angebot\/1[\s\S]*api.test\/r/,
    );
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('says what failed, who can act, and where', async ({ panel: { page, api, open } }) => {
    serveAutomations(api, { automations: [troubled], detailsOf: [troubledDetail], accounts: withoutAccess });
    await open(`/automations/${troubled.id}`);
    const section = page.getByRole('region', { name: 'What failed' });
    await section.getByText('1,268 replies and messages were not sent').waitFor();
    expect(await section.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^1,204\s+Instagram refused[\s\S]*You can act[\s\S]*Edit the automation$/),
      expect.stringMatching(/^41\s+Herald had no access[\s\S]*You can act[\s\S]*Open the account$/),
      expect.stringMatching(/^12\s+The person had not answered[\s\S]*The person can act/),
      expect.stringMatching(/^5\s+Instagram refuses the app[\s\S]*The operator can act/),
      expect.stringMatching(/^3\s+Instagram has not said[\s\S]*You can act/),
      // A code of a later release has the words of the API.
      expect.stringMatching(/^2\s+A storm on the sun\. Wait for its end\.\s+Nothing to do$/),
      expect.stringMatching(/^1\s+It failed under an earlier release[\s\S]*Nothing to do$/),
    ]);
    const hrefs = await section
      .getByRole('link')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(hrefs).toEqual([`/automations/${troubled.id}/edit`, `/accounts/${instagram.id}`]);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('says what its messages wait for, and until when', async ({ panel: { page, api, open } }) => {
    serveAutomations(api, { automations: [troubled], detailsOf: [troubledDetail], accounts: withoutAccess });
    await open(`/automations/${troubled.id}`);
    await page.getByText('24 private messages wait').waitFor();
    const waits = page.getByRole('list', { name: '24 private messages wait' });
    expect(await waits.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^12\s+Herald has no access to the account\.[\s\S]*Open the account$/),
      expect.stringMatching(/^8\s+Instagram’s hourly limit[\s\S]*The last about:\s+In \d hours?/),
      // It was paused when Herald last looked.
      expect.stringMatching(/^3\s+The automation is active again\.$/),
      expect.stringMatching(/^1\s+Another reason: eclipse\.$/),
    ]);
    await page.getByText('Herald sends it within about a minute after the reason has ended').waitFor();
  });

  panelTest(
    'tries a comment with the service, says why nothing happens, and is deleted',
    async ({ panel }) => {
      const { page, api, open } = panel;
      serveAutomations(api, { accounts: withoutAccess });
      await open(`/automations/${spring.id}`);
      await page.getByText('Nothing is answered: Herald has no access to the account.').waitFor();
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('What is the price?');
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await page.getByRole('alert').getByText('It matches “price”.').waitFor();
      await page.getByRole('region', { name: 'Try a text' }).getByText('Here is the offer').waitFor();
      await expect
        .poll(() => api.to('POST /v1/comment-automations/{id}/try').map(({ body }) => body))
        .toEqual([{ text: 'What is the price?' }]);
      await page.getByRole('button', { name: 'Delete automation' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete automation' }).click();
      await page.getByRole('heading', { level: 1, name: 'Automations' }).waitFor();
      await open(`/automations/${spring.id}`);
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
      await open(`/automations/${everything.id}`);
      await page.getByText('It has no tracked links').waitFor();
    },
  );
});
