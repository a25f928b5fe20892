import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  finding,
  replayed,
  serveComposer,
  servePost,
  storedPost,
  threads,
  tiktok,
} from '../../../panel/compose/support/serve.ts';
import { hostile, instagram, many, pinterest, youtube } from '../../../panel/support/accounts.ts';
import { dateField, enterDate, enterTime } from '../../../panel/support/date-fields.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const account = (page: Page, name: string | RegExp) => page.getByRole('checkbox', { name });
const choose = (page: Page, name: string | RegExp) => account(page, name).check({ force: true });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const schedule = (page: Page) => page.getByRole('button', { name: 'Schedule', exact: true });
const kept = (page: Page) => page.getByText('Kept in this browser').waitFor();
const setTime = async (page: Page, date = '2027-03-14', time = '09:30') => {
  await enterDate(dateField(page), date);
  await enterTime(dateField(page, 'Time'), time);
};
const bodyOf = (request: { readonly body: unknown } | undefined) => request?.body as Record<string, unknown>;

describe('a new post', () => {
  panelTest(
    'is written for several accounts, with another text for one, and scheduled',
    async ({ panel }) => {
      const { page, api, open } = panel;
      servePost(serveComposer(api), storedPost);
      await open('/compose');
      await text(page).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(api.to('POST /v1/posts/validate')).toEqual([]);
      await choose(page, /Nordlicht Threads/);
      await choose(page, /Nordlicht GmbH/);
      await text(page).pressSequentially('Fresh beans');
      await page.getByText('No problems found.').waitFor();
      // Every letter began to wait anew.
      expect(api.to('POST /v1/posts/validate').length).toBeLessThanOrEqual(3);
      await page.getByRole('tab', { name: /Nordlicht GmbH/ }).click();
      await page.getByText('Same text as for all accounts').waitFor();
      await page.getByRole('button', { name: 'Write another text' }).click();
      await expect.poll(() => text(page).inputValue()).toBe('Fresh beans');
      await text(page).fill('Fresh (new) beans');
      // LinkedIn counts the signs that escape brackets.
      await page.getByText('LinkedIn 19 of 3,000').waitFor();
      await setTime(page);
      await schedule(page).click();
      await page.waitForURL('**/posts/*');
      await page.getByText('Post scheduled').waitFor();
      const sent = bodyOf(api.to('POST /v1/posts')[0]);
      expect(sent).toMatchObject({
        content: 'Fresh beans',
        scheduledFor: '2027-03-14T08:30:00.000Z',
        timezone: 'Europe/Berlin',
        platforms: [{ accountId: threads.id }, { customContent: 'Fresh (new) beans' }],
      });
      expect(sent['idempotencyKey']).toMatch(/^[\w-]{36}$/);
      expect(
        await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('compose'))),
      ).toEqual([]);
    },
  );

  panelTest('shows what is wrong at its field, and leads there before it is sent', async ({ panel }) => {
    const { page, api, open } = panel;
    serveComposer(api, {
      problems: ({ platforms = [] }) =>
        platforms.length < 2
          ? []
          : [
              finding('content', 'Threads allows at most 500 characters; this text has 512', threads),
              {
                ...finding('platforms[1].platformSpecificData.privacyLevel', 'is required: A, B', tiktok),
                code: 'option_required',
              },
            ],
      warnings: [finding('mediaItems[0].altText', 'is left out: TikTok takes none', tiktok)],
    });
    await page.setViewportSize({ width: 1_280, height: 900 });
    await open('/compose');
    await choose(page, /Nordlicht Threads/);
    await choose(page, /Nordlicht TikTok/);
    await text(page).fill('x'.repeat(500));
    await page.getByRole('region', { name: 'Preview' }).getByText('xxx').first().waitFor();
    await page.evaluate(() => {
      const shifts = { sum: 0 };
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        })[])
          if (!entry.hadRecentInput) shifts.sum += entry.value;
      }).observe({ type: 'layout-shift' });
    });
    await text(page).press('End');
    await page.keyboard.type('x'.repeat(12));
    await page.getByText('12 characters too many').waitFor();
    await page.getByText('2 problems and 1 warning.').waitFor();
    await page.getByText('Nordlicht Threads: Threads allows at most 500 characters').waitFor();
    expect(
      await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum),
    ).toBeLessThan(0.05);
    expect(await page.getByRole('tab', { name: /All accounts/ }).textContent()).toContain('1 problem');
    await page
      .getByRole('button', { name: /Problem\. ?Nordlicht TikTok ?Who can see this post: Choose one\./ })
      .click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Choose…');
    expect(await violationsIn(page)).toEqual([]);
    // What is only missing is said once somebody wants to send it, and the first problem gets the focus.
    await schedule(page).click();
    await page.getByText('3 problems to solve first.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    expect(api.to('POST /v1/posts')).toEqual([]);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect.poll(() => api.to('POST /v1/posts').length).toBe(1);
  });

  panelTest('asks what each platform requires, by keyboard alone', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    await open(`/compose?account=${tiktok.id}&at=2027-03-14T09:30`);
    await page.getByText('Posts as Nordlicht.').waitFor();
    await text(page).focus();
    await page.keyboard.type('Roast');
    const privacy = page.getByRole('button', { name: /Who can see this post/ });
    await privacy.focus();
    await page.keyboard.press('Enter');
    // Only the levels that TikTok offers this account.
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Everyone', 'Only me']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Allow comments' }).focus();
    await page.keyboard.press('Space');
    await account(page, /Nordlicht TV/).focus();
    await page.keyboard.press('Space');
    await account(page, /Nordlicht Pins/).focus();
    await page.keyboard.press('Space');
    await page.getByRole('tab', { name: /All accounts/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByPlaceholder('Roast').waitFor();
    await page.getByRole('radio', { name: 'No', exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('tab', { name: /Nordlicht Pins/ }).click();
    // Disabled until the boards are read.
    const board = page.getByRole('combobox', { name: 'Board', disabled: false });
    await board.focus();
    await page.keyboard.type('Winter');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Section of the board/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/posts/*');
    expect(bodyOf(api.to('POST /v1/posts')[0])['platforms']).toEqual([
      { accountId: tiktok.id, platformSpecificData: { privacyLevel: 'SELF_ONLY', disableComment: false } },
      { accountId: youtube.id, platformSpecificData: { madeForKids: false } },
      { accountId: pinterest.id, platformSpecificData: { boardId: '149' } },
    ]);
  });

  panelTest('says on TikTok what it promotes, in the words of TikTok’s guidelines', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(serveComposer(api), storedPost);
    await open(`/compose?account=${tiktok.id}&at=2027-03-14T09:30`);
    await text(page).fill('Roast');
    const box = (name: RegExp) => page.getByRole('checkbox', { name });
    const disclosure = box(/^Disclose post content/);
    await disclosure.waitFor();
    expect(await disclosure.isChecked()).toBe(false);
    expect(await box(/^Your brand/).count()).toBe(0);
    const music = page.getByRole('link', { name: 'Music Usage Confirmation' });
    expect(await music.getAttribute('href')).toMatch(/^https:\/\/www\.tiktok\.com\//);

    await disclosure.check({ force: true });
    expect(await box(/^Your brand/).isChecked()).toBe(false);
    expect(await box(/^Branded content/).isChecked()).toBe(false);
    await page.keyboard.press('Control+Enter');
    await page
      .getByText('You need to indicate if your content promotes yourself, a third party, or both.')
      .first()
      .waitFor();
    expect(api.to('POST /v1/posts')).toEqual([]);
    await box(/^Your brand/).check({ force: true });
    await page.getByText(/labeled as “Promotional content”/).waitFor();
    await box(/^Branded content/).check({ force: true });
    await page.getByText(/labeled as “Paid partnership”/).waitFor();
    expect(await page.getByText(/labeled as “Promotional content”/).count()).toBe(0);
    await page.getByRole('link', { name: 'Branded Content Policy' }).waitFor();
    await page.getByText('Branded content visibility cannot be set to private.').waitFor();
    await page.getByRole('button', { name: /Who can see this post/ }).click();
    expect(await page.getByRole('option', { name: 'Only me' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('option', { name: 'Everyone' }).click();
    // Without the first choice, the disclosure stays on for the second.
    await box(/^Your brand/).uncheck({ force: true });
    await page.getByText('No problems found.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/posts/*');
    expect(bodyOf(api.to('POST /v1/posts')[0])['platforms']).toEqual([
      {
        accountId: tiktok.id,
        platformSpecificData: {
          privacyLevel: 'PUBLIC_TO_EVERYONE',
          brandOrganicToggle: false,
          brandContentToggle: true,
        },
      },
    ]);
  });

  panelTest(
    'goes out in the next slot, or now once that is confirmed, with what follows',
    async ({ panel }) => {
      const { page, api, open } = panel;
      servePost(serveComposer(api), storedPost);
      await open(`/compose?account=${threads.id}`);
      await text(page).fill('Now');
      await page.getByRole('radio', { name: /In the next free slot/ }).check({ force: true });
      await page.getByText('1 Jul 2026, 09:00').waitFor();
      await page.getByRole('button', { name: 'Add a follow-up' }).click();
      await page.getByRole('button', { name: 'Schedule in the next slot' }).click();
      await page.getByText('Choose at least one account for this step.').first().waitFor();
      const step = page.getByRole('group', { name: '1. Follow-up' });
      await step.getByRole('checkbox', { name: /Nordlicht GmbH/ }).check({ force: true });
      await step.getByRole('textbox', { name: 'Text', exact: true }).fill('And more');
      await step.getByRole('textbox', { name: /Minutes/ }).fill('15');
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('radio', { name: /^Now/ }).check({ force: true });
      await page.getByRole('button', { name: 'Publish now' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Publish now?' });
      await dialog.getByText(/Nordlicht Threads/).waitFor();
      await dialog.getByRole('button', { name: 'Publish now' }).click();
      await page.getByText('Post is going out').waitFor();
      const validated = api.to('POST /v1/posts/validate').map((each) => bodyOf(each)['scheduledFor']);
      expect(validated).toContain('auto');
      expect(bodyOf(api.to('POST /v1/posts')[0])).toMatchObject({
        publishNow: true,
        chain: [
          { kind: 'followUp', accountIds: [expect.any(String)], afterMinutes: 15, content: 'And more' },
        ],
      });
    },
  );
});

describe('an unfinished post', () => {
  panelTest('survives a reload, is found again, and is discarded with a way back', async ({ panel }) => {
    const { page, api, open } = panel;
    serveComposer(api);
    await open(`/compose?account=${instagram.id}`);
    await text(page).fill('To be continued');
    await page.waitForURL(/draft=/);
    await kept(page);
    await page.reload();
    await expect.poll(() => text(page).inputValue()).toBe('To be continued');
    expect(await account(page, /Nordlicht Kaffee/).isChecked()).toBe(true);
    // Another new post is another draft.
    await page.getByRole('link', { name: 'New post' }).click();
    await page.getByRole('link', { name: 'To be continued' }).waitFor();
    expect(await text(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Discard: To be continued' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('link', { name: 'To be continued' }).click();
    await expect.poll(() => text(page).inputValue()).toBe('To be continued');
    await open('/compose?draft=unknown');
    await page.getByText('This draft is not kept in this browser').waitFor();
  });

  panelTest('is the same in two tabs: the later edit wins, and one of them sends it', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(serveComposer(api), storedPost);
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('First');
    await page.waitForURL(/draft=/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect.poll(() => text(other).inputValue()).toBe('First');
    await page.getByText('also open in another tab').waitFor();
    await other.getByText('also open in another tab').waitFor();
    await text(other).fill('Second');
    await expect.poll(() => text(page).inputValue()).toBe('Second');
    await text(page).fill('Third');
    await expect.poll(() => text(other).inputValue()).toBe('Third');
    await schedule(other).click();
    await other.waitForURL('**/posts/*');
    await page.getByText('This post was sent in another tab.').waitFor();
    await page.getByRole('link', { name: 'Open the post' }).waitFor();
    expect(bodyOf(api.to('POST /v1/posts')[0])['content']).toBe('Third');
  });

  panelTest(
    'is sent with the same key after the session ended or a reply was lost; what changed since goes into that post',
    async ({ panel }) => {
      const { page, api, open } = panel;
      servePost(serveComposer(api), storedPost);
      api.on('POST /v1/posts', refusal(401, 'session_ended', 'the session has ended'));
      await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
      await text(page).fill('As it was first');
      await schedule(page).click();
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.getByText('Nothing was changed').waitFor();
      api.on('POST /v1/posts', refusal(500, 'internal', 'an error of this service'));
      await schedule(page).click();
      await page.getByText('The post was not saved').waitFor();
      expect(await text(page).inputValue()).toBe('As it was first');
      api.on('POST /v1/posts', replayed(true));
      await text(page).fill('Changed since');
      await schedule(page).click();
      await page.getByText('An earlier try has already saved this post').waitFor();
      expect(new Set(api.to('POST /v1/posts').map((each) => bodyOf(each)['idempotencyKey'])).size).toBe(1);
      await page.getByRole('button', { name: 'Put my changes into that post' }).click();
      await page.waitForURL('**/posts/*/edit');
      await expect.poll(() => text(page).inputValue()).toBe('Changed since');
      await page.getByText('Here is what you had not saved.').waitFor();
    },
  );
});

describe('the composer', () => {
  panelTest(
    'fills a small screen, shows the preview on request, and never scrolls sideways',
    async ({ panel }) => {
      const { page, api, open } = panel;
      serveComposer(api, { accounts: [...hostile, threads] });
      await page.setViewportSize({ width: 360, height: 740 });
      await open('/compose');
      await text(page).fill('W'.repeat(300));
      for (const box of await page.getByRole('checkbox').all()) await box.check({ force: true });
      expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
      for (const width of [320, 360, 768]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await scrollsSideways(page), `${width}`).toBe(false);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole('tab').nth(3).click();
      // What the bar at the bottom covers right now comes out from below it.
      expect(await violationsIn(page, ['target-size'])).toEqual([]);
      await page.getByRole('radio', { name: 'Preview' }).click();
      await page.getByRole('heading', { name: 'Preview' }).waitFor();
      expect(await text(page).isVisible()).toBe(false);
    },
  );

  panelTest(
    'finds accounts among 2,000, and leads to the first one',
    async ({ panel: { page, api, open } }) => {
      serveComposer(api, { accounts: many });
      await open('/compose');
      await page.getByRole('searchbox', { name: 'Search accounts' }).fill('koln 1999');
      await choose(page, /Store 1999 Köln/);
      await page.getByRole('searchbox', { name: 'Search accounts' }).fill('nothing');
      expect(await account(page, /Store 1999 Köln/).isChecked()).toBe(true);
      serveComposer(api, { accounts: [] });
      await page.reload();
      await page.getByRole('link', { name: 'Connect an account' }).waitFor();
    },
  );
});

describe('a stored post', () => {
  panelTest(
    'is changed in what was edited only; a refusal loses nothing',
    async ({ panel: { page, api, open } }) => {
      let post = storedPost();
      const conflict = refusal(
        409,
        'post_publishing',
        'the post cannot be changed: a destination is publishing',
      );
      servePost(
        serveComposer(api),
        () => post,
        () => conflict,
      );
      await open(`/posts/${post.id}/edit`);
      await expect.poll(() => text(page).inputValue()).toBe('Fresh beans from Ethiopia');
      await text(page).fill('Fresh beans from Kenya');
      post = storedPost({
        status: 'publishing',
        platforms: storedPost().platforms.map((each) => ({ ...each, status: 'publishing' })),
      });
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('This post can no longer be changed').waitFor();
      await expect
        .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
        .toEqual([{ content: 'Fresh beans from Kenya' }]);
      // React Aria names what it reads out by the button that was pending, which is gone.
      expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
      await page.getByRole('button', { name: 'Continue as a new post' }).click();
      await page.waitForURL(/compose\?draft=/);
      await expect.poll(() => text(page).inputValue()).toBe('Fresh beans from Kenya');
      expect(await account(page, /Nordlicht Threads/).isChecked()).toBe(true);
    },
  );

  panelTest(
    'keeps unsaved changes, and joins them with what somebody else has changed',
    async ({ panel }) => {
      const { page, api, open } = panel;
      let post = storedPost();
      servePost(
        serveComposer(api),
        () => post,
        () => post,
      );
      await open(`/posts/${post.id}/edit`);
      await text(page).fill('Mine');
      await kept(page);
      post = storedPost({ content: 'Theirs', scheduledFor: '2027-03-15T08:30:00.000Z' });
      await page.reload();
      await page.getByText('Both of you have changed the text.').waitFor();
      expect(await text(page).inputValue()).toBe('Mine');
      await dateField(page).getByText('15/03/2027').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Take their version instead' }).click();
      await expect.poll(() => text(page).inputValue()).toBe('Theirs');
      await page.getByRole('button', { name: 'Make it a draft' }).click();
      await page.getByText('Draft saved').waitFor();
      await expect
        .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
        .toEqual([{ isDraft: true }]);
    },
  );
});
