import { describe, expect, it } from 'vitest';
import type { DraftMedia } from '../../../../lib/panel/media/draft-media.ts';
import { formatOf } from '../../../../lib/panel/previews/format.ts';
import { platformNames } from '../../../../lib/platforms/contract/names.ts';
import { accountOf } from '../../../panel/support/accounts.ts';
import { draftMedia, serveMedia, withDraft } from '../../../panel/support/media.ts';
import { mediaTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const image = draftMedia(1, 'image.jpg');
const tall = draftMedia(2, 'video.mp4', { widthPixels: 1_080, heightPixels: 1_920, durationMs: 59_000 });
const wide = draftMedia(3, 'video.mp4', { widthPixels: 1_920, heightPixels: 1_080 });
const paper: DraftMedia = { ...image, isDocument: true };

describe('the format of a post', () => {
  it.each([
    ['instagram', [], {}, 'empty'],
    ['instagram', [image], {}, 'image'],
    ['instagram', [image, tall], {}, 'carousel'],
    ['instagram', [tall], {}, 'reel'],
    ['instagram', [tall], { contentType: 'story' }, 'story'],
    ['facebook', [], {}, 'text'],
    ['facebook', [image, image], {}, 'photos'],
    ['facebook', [wide], {}, 'video'],
    ['facebook', [wide], { type: 'reel' }, 'reel'],
    ['threads', [], { poll: { options: ['a', 'b'] } }, 'poll'],
    ['threads', [image, tall], {}, 'carousel'],
    ['youtube', [image], {}, 'empty'],
    ['youtube', [wide], {}, 'video'],
    ['youtube', [tall], {}, 'short'],
    ['youtube', [{ ...tall, durationMs: 181_000 }], {}, 'video'],
    ['pinterest', [image, image], {}, 'carousel'],
    ['tiktok', [image], {}, 'photos'],
    ['linkedin', [paper], {}, 'document'],
    ['linkedin', [image], { link: 'https://a.test' }, 'link'],
    ['linkedin', [], { poll: { question: 'a', options: [] } }, 'poll'],
  ] as const)('of %s with %o and %o', (platform, media, options, format) => {
    expect(formatOf(platform, media, options)).toBe(format);
  });
});

const text = `Fresh beans from #Ethiopia are here. Come by with @anna and taste them: https://nordlicht.test/shop?a=1

${'We roast every Tuesday and Thursday, in small batches. '.repeat(8)}
The end.`;

const accounts = platformNames.map((platform, place) =>
  accountOf(300 + place, { platform, username: 'nordlicht', displayName: 'Nordlicht Kaffee' }),
);
const previews = accounts.map((account) => ({
  account,
  options: { firstComment: 'First! #yes', ...(account.platform === 'pinterest' && { title: 'Beans' }) },
}));

describe('a preview', () => {
  mediaTest('reads as the post, page by page, and loads nothing but its files', async ({ panel }) => {
    const { page, open } = panel;
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname));
    await serveMedia(panel);
    const media = [
      { ...image, altText: 'A cup' },
      draftMedia(2, 'square.jpg', { altText: 'Two cups' }),
      draftMedia(3, 'tall.jpg'),
    ];
    await open(withDraft({ content: text, media, previews }));
    const instagram = page.getByRole('figure', { name: 'Preview: Instagram carousel of Nordlicht Kaffee' });
    expect(await instagram.getByText('The end.').count()).toBe(0);
    await instagram.getByRole('button', { name: 'more' }).click();
    await instagram.getByText('The end.').waitFor();
    await instagram.getByRole('img', { name: 'A cup' }).waitFor();
    await instagram.getByRole('button', { name: 'Next file' }).click();
    await instagram.getByRole('img', { name: 'Two cups' }).waitFor();
    await instagram.getByRole('button', { name: 'Next file' }).click();
    await instagram.getByRole('img', { name: 'Image 3, not described' }).waitFor();
    expect(await instagram.getByRole('button', { name: 'Next file' }).count()).toBe(0);
    await page
      .getByRole('figure', { name: /YouTube/ })
      .getByText('YouTube posts need a video.')
      .waitFor();
    expect(await page.getByText(/About what it looks like/).count()).toBe(accounts.length);
    expect(await violationsIn(page, ['region'])).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await scrollsSideways(page)).toBe(false);
    expect([...hosts].filter((host) => !['127.0.0.1', 'media.test'].includes(host))).toEqual([]);
  });

  mediaTest('follows right-to-left texts, and survives what enemies write', async ({ panel }) => {
    const { page, open } = panel;
    await serveMedia(panel);
    const content = `مقهى الشمال للقهوة المختصة #قهوة\n<img src=x onerror=alert(1)> ${'W'.repeat(400)} ${'👩‍👩‍👧‍👦'.repeat(60)}`;
    const hostile = accounts.map((account) => ({
      account: { ...account, displayName: `\u202E${'Donaudampfschifffahrt'.repeat(6)}`, username: null },
      options: {
        title: '<b>x</b>'.repeat(40),
        link: 'no address',
        poll: 'none',
        collaborators: [7],
        altText: [1],
      },
    }));
    await page.setViewportSize({ width: 320, height: 800 });
    await open(withDraft({ content, media: [tall], previews: hostile }));
    const words = page.getByRole('figure', { name: /Instagram reel/ }).getByText(/مقهى/);
    expect(await words.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsIn(page, ['region'])).toEqual([]);
  });
});
