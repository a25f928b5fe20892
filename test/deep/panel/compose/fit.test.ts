import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { cropOf } from '../../../../lib/media/renditions/crop.ts';
import type { CreatePostBody } from '../../../../lib/posts/request/schemas.ts';
import {
  adaptation,
  finding,
  serveComposer,
  servePost,
  storedPost,
  threads,
} from '../../../panel/compose/support/serve.ts';
import { instagram } from '../../../panel/support/accounts.ts';
import { draftMedia, picked, serveMedia } from '../../../panel/support/media.ts';
import { type Panel, panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const tall = { width: 1_000, height: 2_000 };
const message = 'a feed image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop';

/** The shape that Instagram gets. */
function fitIn({ mediaItems, platforms = [] }: CreatePostBody) {
  const own = platforms.find(({ accountId }) => accountId === instagram.id);
  return own?.fit ?? mediaItems[0]?.fit;
}

/** Opens the composer with a picture that is too tall for Instagram. */
async function openWithTallPicture(panel: Panel) {
  const { page, api, open } = panel;
  serveComposer(api, {
    problems: (request) => {
      const body = request as CreatePostBody;
      const isTooTall = body.mediaItems.length > 0 && fitIn(body) === undefined;
      return isTooTall ? [finding('mediaItems[0]', message, instagram)] : [];
    },
    adaptations: (body) => {
      const fit = body.mediaItems.length > 0 ? fitIn(body) : undefined;
      const padded = { message: 'padded with #ffffff to 1600 × 2000 pixels', width: 1_600, height: 2_000 };
      return fit === undefined ? [] : [adaptation(instagram, fit === 'pad' ? padded : {})];
    },
  });
  const media = await serveMedia(panel);
  media.views.set('tall.jpg', { probe: tall });
  await open(`/compose?account=${instagram.id}&at=2027-03-14T09:30`);
  await page.getByRole('checkbox', { name: /Nordlicht Threads/ }).check({ force: true });
  await page.locator('input[type=file]').first().setInputFiles(picked('tall.jpg', 'tall.jpg'));
  await page.getByRole('button', { name: 'Crop tall.jpg' }).waitFor();
}

const checked = ({ api }: Panel) => api.to('POST /v1/posts/validate').at(-1)?.body as CreatePostBody;
const sliders = async (page: Page) =>
  Promise.all(
    ['from left to right', 'from top to bottom'].map(async (direction) =>
      Number(await page.getByRole('slider', { name: `Point in sight, ${direction}` }).inputValue()),
    ),
  );

describe('the point of a picture that stays in sight', () => {
  panelTest('is chosen by pointing, dragging, and with the arrow keys', async ({ panel }) => {
    const { page } = panel;
    await openWithTallPicture(panel);
    await page.getByRole('button', { name: 'Crop tall.jpg' }).click();
    const picture = page.getByRole('dialog').locator('fieldset img');
    await page.getByText('Instagram gets the part in the frame.').waitFor();
    const box = await picture.boundingBox();
    if (box === null) throw new Error('the picture is shown');
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    await page.mouse.click(...at(0.25, 0.75));
    await expect.poll(() => sliders(page)).toEqual([25, 75]);
    await page.mouse.move(...at(0.25, 0.75));
    await page.mouse.down();
    await page.mouse.move(...at(0.5, 0.5), { steps: 4 });
    await page.mouse.move(...at(0.5, -0.2), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => sliders(page)).toEqual([50, 0]);
    await page.mouse.move(...at(0.9, 0.9));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => sliders(page)).toEqual([49, 11]);
    await expect.poll(() => checked(panel).mediaItems).toMatchObject([{ focalPoint: { x: 0.49, y: 0.11 } }]);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the middle' }).click();
    await expect.poll(() => sliders(page)).toEqual([50, 50]);
    await page.getByRole('radio', { name: 'As it is' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Crop tall.jpg' }).waitFor();
  });

  panelTest('has targets of 44 pixels, and room on a phone', async ({ panel }) => {
    const { page } = panel;
    await page.setViewportSize({ width: 360, height: 700 });
    await openWithTallPicture(panel);
    await page.getByRole('button', { name: 'Crop tall.jpg' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('slider').first().waitFor();
    const targets = dialog.locator('[role=radio], fieldset button, :has(> [type=range])');
    const sizes = await targets.evaluateAll((all) =>
      all.map((each) => [each.textContent, Math.round(each.getBoundingClientRect().height)] as const),
    );
    expect(sizes.length).toBe(5);
    expect(sizes.filter(([, height]) => height < 44)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  });
});

describe('a picture of a shape that a platform does not take', () => {
  panelTest('is made to fit from the list of problems, and drawn as it is sent', async ({ panel }) => {
    const { page } = panel;
    await openWithTallPicture(panel);
    const problems = page.getByRole('region', { name: 'Check' });
    expect(await problems.innerText()).not.toContain('set fit');
    await problems.getByRole('button', { name: 'Crop File 1' }).click();
    await page.getByText('Made to fit Instagram: cropped to 1080 × 1350 pixels.').waitFor();
    expect(checked(panel).mediaItems).toMatchObject([{ fit: 'crop' }]);
    const preview = page.getByRole('figure', { name: /Instagram/ });
    const part = cropOf(tall, { width: 1_080, height: 1_350 });
    await expect
      .poll(() => placeIn(preview.getByRole('img')))
      .toEqual({
        shape: 0.8,
        left: 0,
        top: Math.round((-100 * part.top) / part.height),
        width: 100,
        height: Math.round((100 * tall.height) / part.height),
      });
    // Threads takes it as it is.
    expect(await page.getByText('Made to fit Threads').count()).toBe(0);
  });

  panelTest('is padded for one account alone, in a color of its own', async ({ panel }) => {
    const { page } = panel;
    await openWithTallPicture(panel);
    await page.getByRole('tab', { name: /Nordlicht Kaffee/ }).click();
    await page.getByRole('button', { name: 'Choose for this account' }).click();
    await page.getByRole('radio', { name: 'Pad' }).click();
    await page.getByLabel('Color of the bars').fill('#1a2b3c');
    await page.getByText('Made to fit Instagram: padded').waitFor();
    await expect
      .poll(() => checked(panel))
      .toMatchObject({ platforms: [{ fit: 'pad', padColor: '#1a2b3c' }, { accountId: threads.id }] });
    expect(checked(panel).mediaItems[0]).not.toHaveProperty('fit');
    const image = page.getByRole('figure', { name: /Instagram/ }).getByRole('img');
    await expect.poll(() => placeIn(image)).toEqual({ shape: 0.8, left: 19, top: 0, width: 63, height: 100 });
    const background = image.evaluate(
      (each) => getComputedStyle(each.parentElement as Element).backgroundColor,
    );
    expect(await background).toBe('rgb(26, 43, 60)');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use what is chosen for each file' }).click();
    await page.getByRole('tab', { name: 'All accounts' }).click();
    await page.getByRole('button', { name: 'Pad tall.jpg' }).waitFor();
    expect(checked(panel).platforms?.[0]).not.toHaveProperty('padColor');
  });

  panelTest('keeps its choice in the browser, and in a stored post', async ({ panel }) => {
    const { page, api, open } = panel;
    await serveMedia(panel);
    const { url, type } = draftMedia(1, 'tall.jpg');
    const item = { url, type, filename: 'tall.jpg', fit: 'crop', focalPoint: { x: 0.5, y: 0.2 } };
    const post = storedPost({ mediaItems: [item] as never });
    servePost(serveComposer(api), () => post);
    await open(`/posts/${post.id}/edit`);
    await page.getByRole('button', { name: 'Fit: crop. Change it for tall.jpg' }).click();
    expect(await sliders(page)).toEqual([50, 20]);
    await page.getByRole('slider', { name: /from top to bottom/ }).press('ArrowUp');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Kept in this browser').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Fit: crop. Change it for tall.jpg' }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
      .toMatchObject([{ mediaItems: [{ fit: 'crop', focalPoint: { x: 0.5, y: 0.19 } }] }]);
  });
});

describe('a picture that the browser cannot show', () => {
  panelTest('has a sign with the name of its format, and can be shaped', async ({ panel }) => {
    const { page, api, open } = panel;
    serveComposer(api);
    const media = await serveMedia(panel);
    await open(`/compose?account=${instagram.id}&at=2027-03-14T09:30`);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(picked('photo.heic', 'media-corpus/photo.heic'));
    await page
      .getByRole('row', { name: /photo\.heic/ })
      .getByText('This browser cannot show HEIC')
      .waitFor();
    expect(media.sent).toEqual([{ name: 'photo.heic', type: 'image/heic' }]);
    await page.getByRole('button', { name: 'Actions for photo.heic' }).click();
    await page.getByRole('menuitem', { name: 'Fit to platforms…' }).click();
    await page.getByRole('radio', { name: 'Crop' }).click();
    await page.getByRole('slider', { name: /from left to right/ }).press('ArrowRight');
    await expect.poll(() => sliders(page)).toEqual([51, 50]);
    expect(await violationsIn(page)).toEqual([]);
  });
});

/** The place of an image in what is sent, in percent of that. */
const placeIn = (image: ReturnType<Page['locator']>) =>
  image.evaluate((each) => {
    const [inner, outer] = [each, each.parentElement as Element].map((one) => one.getBoundingClientRect());
    if (inner === undefined || outer === undefined) throw new Error('both are shown');
    return {
      shape: Math.round((outer.width / outer.height) * 100) / 100,
      left: Math.round(((inner.left - outer.left) / outer.width) * 100),
      top: Math.round(((inner.top - outer.top) / outer.height) * 100),
      width: Math.round((inner.width / outer.width) * 100),
      height: Math.round((inner.height / outer.height) * 100),
    };
  });
