import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { editAccountOperation } from '../../../../lib/accounts/operations.ts';
import {
  finding,
  serveComposer,
  servePost,
  storedPost,
  threads,
  tiktok,
} from '../../../panel/compose/support/serve.ts';
import { instagram, linkedin, pinterest, replyOf, youtube } from '../../../panel/support/accounts.ts';
import { clear, dateField, enterTime } from '../../../panel/support/date-fields.ts';
import { draftMedia, serveMedia } from '../../../panel/support/media.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const choose = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).check({ force: true });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const bodyOf = (request: { readonly body: unknown } | undefined) => request?.body as Record<string, unknown>;
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
const mediaItemOf = (number: number, name: string) => {
  const { url, type } = draftMedia(number, name);
  return { url, type, filename: name };
};

describe('captions of a video', () => {
  panelTest('are files that the browser reads, and their names say the language', async ({ panel }) => {
    const { page, api, open } = panel;
    const media = await serveMedia(panel);
    media.views.set('roast.mp4', { type: 'video' });
    const post = storedPost(
      { mediaItems: [{ ...mediaItemOf(1, 'roast.mp4'), type: 'video' }] as never },
      {
        platforms: [
          {
            ...storedPost().platforms[0],
            accountId: youtube.id,
            platform: 'youtube',
            platformSpecificData: { madeForKids: false },
          },
        ] as never,
      },
    );
    servePost(serveComposer(api), () => post);
    await open(`/posts/${post.id}/edit`);
    await page.getByRole('button', { name: 'More options' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add a file' }).click();
    const srt = '1\n00:00:01,000 --> 00:00:04,000\nO porto\n';
    await (await choosing).setFiles({
      name: 'roast.pt-BR.srt',
      mimeType: 'application/x-subrip',
      buffer: Buffer.from(srt),
    });
    const captions = page.getByRole('group', { name: 'Captions' });
    const language = captions.getByRole('textbox', { name: 'Language' });
    await expect.poll(() => language.inputValue()).toBe('pt-BR');
    await captions.getByRole('textbox', { name: 'Name' }).fill('Simples');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => bodyOf(api.to('PATCH /v1/posts/{id}')[0])?.['platforms'])
      .toMatchObject([
        { platformSpecificData: { captions: [{ language: 'pt-BR', name: 'Simples', text: srt }] } },
      ]);
  });
});

describe('a file of a post', () => {
  panelTest('comes back with the people in it', async ({ panel }) => {
    const { page, api, open } = panel;
    await serveMedia(panel);
    const post = storedPost(
      { mediaItems: [mediaItemOf(1, 'image.jpg'), mediaItemOf(2, 'square.jpg')] as never },
      {
        platforms: [
          {
            ...storedPost().platforms[0],
            accountId: instagram.id,
            platform: 'instagram',
            platformSpecificData: { userTags: [{ username: 'ada', mediaIndex: 1, x: 0.5, y: 0.5 }] },
          },
        ] as never,
      },
    );
    servePost(serveComposer(api), () => post);
    await open(`/posts/${post.id}/edit`);
    const person = page.getByRole('textbox', { name: 'Username' });
    await expect.poll(() => person.inputValue()).toBe('ada');
    await page.getByRole('button', { name: 'Actions for square.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await person.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => person.inputValue()).toBe('ada');
    await page
      .getByText('2 files')
      .or(page.getByRole('row', { name: /square\.jpg/ }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Nothing has changed.').waitFor();
  });
});

describe('the options of an account', () => {
  panelTest('begin with its defaults, and become them', async ({ panel: { page, api, open } }) => {
    let account = { ...linkedin, defaultOptions: { visibility: 'CONNECTIONS' } };
    serveComposer(api, { accounts: [account] });
    api.on('PATCH /v1/accounts/{id}', ({ body }) => {
      account = { ...account, ...(body as Pick<typeof account, 'defaultOptions'>) };
      return replyOf(editAccountOperation, { account, warnings: [] });
    });
    await open(`/compose?account=${account.id}`);
    await page.getByText('New posts for this account begin like this.').waitFor();
    await page.getByRole('button', { name: 'Connections Who can see it' }).click();
    await page.getByRole('option', { name: 'Everyone who is signed in' }).click();
    const keep = page.getByRole('button', { name: 'Begin new posts like this' });
    await keep.click();
    await page.getByText('New posts for this account begin like this.').waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/accounts/{id}').map(({ body }) => body))
      .toEqual([{ defaultOptions: { visibility: 'LOGGED_IN' } }]);
    expect(await keep.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});

describe('the place of a post on Instagram', () => {
  panelTest('is sent by the id of its Page', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(serveComposer(api), storedPost);
    await open(`/compose?account=${instagram.id}`);
    await text(page).fill('Roast');
    await page.getByRole('button', { name: 'More options' }).click();
    const place = page.getByRole('textbox', { name: 'Place' });
    await place.fill('110843418940484');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect.poll(() => api.to('POST /v1/posts').length).toBe(1);
    expect(bodyOf(api.to('POST /v1/posts')[0])['platforms']).toEqual([
      { accountId: instagram.id, platformSpecificData: { locationId: '110843418940484' } },
    ]);
  });
});

describe('the cover of a video', () => {
  panelTest('is another one for an account whose platform lets it', async ({ panel }) => {
    const { page, api, open } = panel;
    const media = await serveMedia(panel);
    media.views.set('unknown.jpg', { type: 'video' });
    const post = storedPost({ mediaItems: [mediaItemOf(4, 'video.mp4')] as never });
    servePost(serveComposer(api), () => post);
    await open(`/posts/${post.id}/edit`);
    for (const name of [/Nordlicht Kaffee/, /Nordlicht Pins/]) await choose(page, name);
    await page.getByRole('tab', { name: /Nordlicht GmbH/ }).click();
    await page.getByText('Same files as for all accounts').waitFor();
    expect(await page.getByText('Same cover as for all accounts').count()).toBe(0);
    await page.getByRole('tab', { name: /Nordlicht Kaffee/ }).click();
    await page.getByRole('button', { name: 'Choose another cover' }).click();
    await page.getByRole('slider', { name: 'Frame' }).fill('2500');
    await page.getByRole('tab', { name: /Nordlicht Pins/ }).click();
    await page.getByRole('button', { name: 'Choose another cover' }).click();
    await page.getByRole('textbox', { name: 'Address of a cover image' }).fill('https://covers.test/a.jpg');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make it a draft' }).click();
    await expect.poll(() => api.to('PATCH /v1/posts/{id}').length).toBe(1);
    expect(bodyOf(api.to('PATCH /v1/posts/{id}')[0])['platforms']).toEqual([
      { accountId: threads.id },
      { accountId: expect.any(String) },
      { accountId: instagram.id, platformSpecificData: { thumbOffset: 2_500 } },
      { accountId: pinterest.id, platformSpecificData: { coverImageUrl: 'https://covers.test/a.jpg' } },
    ]);
  });
});

describe('a problem in something that is closed', () => {
  panelTest('is led to: in options of a step, and in what is for developers', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(
      serveComposer(api, {
        problems: () => [
          finding(`chain[0].options.${tiktok.id}.privacyLevel`, 'is required', tiktok),
          { ...finding('externalId', 'another post has it'), code: 'field_format' },
        ],
      }),
      storedPost,
    );
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('Fresh beans');
    await page.getByRole('button', { name: 'Add a cross-post' }).click();
    const step = page.getByRole('group', { name: '1. Cross-post' });
    await step.getByRole('checkbox', { name: /Nordlicht TikTok/ }).press('Space');
    await page.getByRole('button', { name: /Problem.*Who can see this post/ }).click();
    await step.getByRole('button', { name: /Who can see this post/ }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Choose…');
    await page.getByRole('button', { name: /Problem.*Your own id of the post/ }).click();
    const id = page.getByRole('textbox', { name: 'Your own id of the post' });
    await expect.poll(() => id.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByText('Another post has it.').first().waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
});

describe('what is for developers', () => {
  panelTest('is sent, and kept when the post is changed', async ({ panel: { page, api, open } }) => {
    const post = {
      ...storedPost({ onQuota: 'fail', metadata: { campaign: 'spring' } }),
      externalId: 'order-7',
    };
    servePost(serveComposer(api), () => post);
    await open(`/posts/${post.id}/edit`);
    await page.getByText('For developers · 3 set').click();
    expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('spring');
    await page.getByRole('button', { name: 'Add a pair' }).click();
    await page.getByRole('textbox', { name: 'Name' }).last().fill('order');
    await page.getByRole('textbox', { name: 'Value' }).last().fill('7');
    await page.getByRole('checkbox', { name: 'No other post may have this id' }).check({ force: true });
    expect(await violationsIn(page)).toEqual([]);
    await text(page).fill('Changed');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
      .toEqual([
        { content: 'Changed', metadata: { campaign: 'spring', order: '7' }, externalIdUnique: true },
      ]);
  });
});

describe('the time of an account', () => {
  panelTest('is the post’s until it is set, and the form says which is which', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(serveComposer(api), storedPost);
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('Fresh beans');
    await choose(page, /Nordlicht GmbH/);
    await page.getByRole('tab', { name: /Nordlicht GmbH/ }).click();
    await page.getByText('Goes out with the post:').waitFor();
    await page.getByRole('button', { name: 'Give it its own time' }).click();
    const own = page.getByRole('group', { name: 'Time for this account' });
    await clear(dateField(own, 'Time'));
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Enter a date and a time, or use the post’s time.').first().waitFor();
    await enterTime(dateField(own, 'Time'), '12:00');
    await page.getByText('With the post: Nordlicht Threads.').waitFor();
    const shared = page.getByRole('group', { name: 'Goes live' });
    await enterTime(dateField(shared, 'Time'), '10:30');
    await page.getByRole('tab', { name: /All accounts/ }).click();
    await page.getByRole('button', { name: 'Change the time of Nordlicht GmbH' }).click();
    await own.waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.waitForURL('**/posts/*');
    const { scheduledFor, platforms } = bodyOf(api.to('POST /v1/posts')[0]);
    expect(scheduledFor).toBe('2027-03-14T09:30:00.000Z');
    expect(platforms).toMatchObject([{}, { scheduledFor: '2027-03-14T11:00:00.000Z' }]);
    expect(platforms).not.toMatchObject([{ scheduledFor: expect.anything() }]);
  });
});

describe('a low window', () => {
  panelTest('leaves room for the form: the bar goes to its end', async ({ panel: { page, api, open } }) => {
    serveComposer(api);
    const isFixed = () =>
      page.getByRole('region', { name: 'Save or send' }).evaluate((bar) => {
        const { top } = bar.getBoundingClientRect();
        return top < innerHeight;
      });
    await page.setViewportSize({ width: 1_280, height: 900 });
    await open('/compose');
    await text(page).waitFor();
    expect(await isFixed()).toBe(true);
    // 1280 × 900 at 200 %, and a phone with its keyboard.
    for (const [width, height] of [
      [640, 450],
      [390, 420],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await isFixed(), `${width} × ${height}`).toBe(false);
      expect(await scrollsSideways(page)).toBe(false);
    }
    await page.getByRole('button', { name: 'Schedule', exact: true }).scrollIntoViewIfNeeded();
    expect(await isFixed()).toBe(true);
    expect(await focused(page)).toBeDefined();
  });
});
