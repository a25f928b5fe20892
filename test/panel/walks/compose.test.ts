import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { CreatePostBody } from '../../../lib/posts/request/schemas.ts';
import {
  adaptation,
  finding,
  serveComposer,
  servePost,
  storedPost,
  threads,
  tiktok,
} from '../compose/support/serve.ts';
import { instagram } from '../support/accounts.ts';
import { dateField, enterDate, enterTime } from '../support/date-fields.ts';
import { picked, serveMedia } from '../support/media.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const choose = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).check({ force: true });
const schedule = (page: Page) => page.getByRole('button', { name: 'Schedule', exact: true });

describe('a new post', () => {
  walk(
    '/compose',
    'is written for two accounts, with another text for one, and scheduled',
    async ({ page, api, open, inspect }) => {
      servePost(serveComposer(api), storedPost);
      await open('/compose');
      await text(page).waitFor();
      await choose(page, /Nordlicht Threads/);
      await choose(page, /Nordlicht GmbH/);
      await text(page).fill('Fresh beans');
      await page.getByText('No problems found.').waitFor();
      await page.getByRole('tab', { name: /Nordlicht GmbH/ }).click();
      await page.getByRole('button', { name: 'Write another text' }).click();
      await expect.poll(() => text(page).inputValue()).toBe('Fresh beans');
      await text(page).fill('Fresh (new) beans');
      await page.getByText('LinkedIn 19 of 3,000').waitFor();
      await inspect();
      await enterDate(dateField(page), '2027-03-14');
      await enterTime(dateField(page, 'Time'), '09:30');
      await schedule(page).click();
      await page.waitForURL('**/posts/*');
      await expect
        .poll(() => api.to('POST /v1/posts').map(({ body }) => body))
        .toMatchObject([
          {
            content: 'Fresh beans',
            scheduledFor: '2027-03-14T08:30:00.000Z',
            timezone: 'Europe/Berlin',
            platforms: [{ accountId: threads.id }, { customContent: 'Fresh (new) beans' }],
          },
        ]);
    },
  );

  panelTest(
    'is not sent while something is wrong, and says what and where',
    async ({ panel: { page, api, open } }) => {
      serveComposer(api, {
        problems: () => [finding('content', 'Threads allows at most 500 characters', threads)],
        warnings: [finding('mediaItems[0].altText', 'is left out: TikTok takes none', tiktok)],
      });
      await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
      await text(page).fill('x'.repeat(512));
      await page.getByText('12 characters too many').waitFor();
      await page.getByText('1 problem and 1 warning.').waitFor();
      await schedule(page).click();
      await page.getByText('1 problem to solve first.').waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
      expect(api.to('POST /v1/posts')).toEqual([]);
    },
  );

  panelTest(
    'survives a reload in the browser, and is stored as a draft',
    async ({ panel: { page, api, open } }) => {
      servePost(serveComposer(api), storedPost);
      await open(`/compose?account=${instagram.id}`);
      await text(page).fill('To be continued');
      await page.waitForURL(/draft=/);
      await page.getByText('Kept in this browser').waitFor();
      await page.reload();
      await expect.poll(() => text(page).inputValue()).toBe('To be continued');
      expect(await page.getByRole('checkbox', { name: /Nordlicht Kaffee/ }).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect
        .poll(() => api.to('POST /v1/posts').map(({ body }) => body))
        .toMatchObject([{ content: 'To be continued', isDraft: true }]);
    },
  );

  walk(
    '/compose',
    'takes a picture, which is uploaded, cropped where people look, and sent with it',
    async (panel) => {
      const { page, api, open, inspect } = panel;
      const isFit = ({ mediaItems }: CreatePostBody) => mediaItems.every(({ fit }) => fit !== undefined);
      const message = 'an image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop';
      servePost(
        serveComposer(api, {
          problems: (body) =>
            isFit(body as CreatePostBody) ? [] : [finding('mediaItems[0]', message, instagram)],
          adaptations: (body) => (body.mediaItems.length > 0 && isFit(body) ? [adaptation(instagram)] : []),
        }),
        storedPost,
      );
      const media = await serveMedia(panel);
      media.views.set('tall.jpg', { probe: { width: 1_080, height: 1_920 } });
      await open(`/compose?account=${instagram.id}&at=2027-03-14T09:30`);
      await text(page).fill('Look');
      await page.locator('input[type=file]').first().setInputFiles(picked('tall.jpg'));
      await page.getByRole('button', { name: 'Crop tall.jpg' }).click();
      const point = page.getByRole('slider', { name: 'Point in sight, from top to bottom' });
      await point.press('Shift+ArrowUp');
      await point.press('ArrowUp');
      await inspect();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('Made to fit Instagram: cropped to 1080 × 1350 pixels.').waitFor();
      await page.getByText('No problems found.').waitFor();
      await schedule(page).click();
      await page.waitForURL('**/posts/*');
      expect(media.sent).toEqual([{ name: 'tall.jpg', type: 'image/jpeg' }]);
      await expect
        .poll(() => api.to('POST /v1/posts').map(({ body }) => body))
        .toMatchObject([
          {
            mediaItems: [
              {
                url: expect.stringMatching(/^https:\/\/media\.test\/.*tall\.jpg$/),
                fit: 'crop',
                focalPoint: { x: 0.5, y: 0.39 },
              },
            ],
          },
        ]);
    },
  );
});

describe('a stored post', () => {
  walk('/posts/$id/edit', 'is changed in what was edited only', async ({ page, api, open, inspect }) => {
    let post = storedPost();
    servePost(
      serveComposer(api),
      () => post,
      () => {
        post = storedPost({ content: 'Fresh beans from Kenya' });
        return post;
      },
    );
    await open(`/posts/${post.id}/edit`);
    await expect.poll(() => text(page).inputValue()).toBe('Fresh beans from Ethiopia');
    await inspect();
    await text(page).fill('Fresh beans from Kenya');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
      .toEqual([{ content: 'Fresh beans from Kenya' }]);
    await page.waitForURL(`**/posts/${post.id}`);
  });
});
