import type { Page, Request } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Platform, platformNames } from '../../../../lib/platforms/contract/names.ts';
import { accountOf } from '../../../panel/support/accounts.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import {
  draftIn,
  draftMedia,
  fixture,
  namesIn,
  picked,
  serveMedia,
  withDraft,
} from '../../../panel/support/media.ts';
import { mediaTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const picker = (page: Page) => page.locator('input[type=file]').first();
const nameOf = (request: Request) =>
  decodeURIComponent(new URL(request.url()).pathname.split('/').at(-1) ?? '');
const account = (platform: Platform) => accountOf(300 + platformNames.indexOf(platform), { platform });

describe('files that a person chooses', () => {
  mediaTest('are sent three at once, and come into the post in their order', async ({ panel }) => {
    const { page, api, open } = panel;
    const gates = new Map<string, PromiseWithResolvers<number>>();
    const gateOf = (name: string) => {
      const gate = gates.get(name) ?? Promise.withResolvers<number>();
      gates.set(name, gate);
      return gate.promise;
    };
    const service = await serveMedia(panel, (request) => gateOf(nameOf(request)));
    const warnings: string[] = [];
    page.on('console', (message) => warnings.push(message.text()));
    await open(withDraft({ previews: [{ account: account('linkedin') }] }));
    const files = ['1.jpg', '2.jpg', '3.jpg', '4.jpg'].map((name) => picked(name));
    await picker(page).setInputFiles([
      ...files,
      picked('photo.jpg', 'video.mp4'),
      picked('notes.pdf', 'webhook-signatures.json'),
    ]);
    await expect.poll(() => service.sent.length).toBe(3);
    expect(await page.getByText('Waiting to upload').count()).toBe(3);
    expect((await draftIn(page)).pending).toBe(6);
    await page.getByRole('progressbar', { name: '2.jpg' }).waitFor();

    gates.get('3.jpg')?.resolve(200);
    gates.get('2.jpg')?.resolve(0);
    await expect.poll(() => namesIn(page)).toEqual(['3.jpg']);
    for (const name of ['1.jpg', '4.jpg', 'photo.jpg']) {
      await expect.poll(() => gates.has(name)).toBe(true);
      gates.get(name)?.resolve(name === '4.jpg' ? 403 : 200);
    }
    gates.set('2.jpg', Promise.withResolvers());
    gates.get('2.jpg')?.resolve(200);
    // The broken connection is tried again by itself; what the storage refuses, by the person.
    await expect.poll(() => namesIn(page)).toEqual(['1.jpg', '2.jpg', '3.jpg', 'photo.jpg']);
    await page.getByText('The storage refused the file (status 403).').waitFor();
    gates.set('4.jpg', Promise.withResolvers());
    gates.get('4.jpg')?.resolve(200);
    await page.getByRole('button', { name: 'Try 4.jpg again' }).click();
    await expect.poll(() => namesIn(page)).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg', 'photo.jpg']);

    // The bytes decide what a file is, and the service's facts about it come into the draft.
    expect(service.sent.find(({ name }) => name === 'photo.jpg')?.type).toBe('video/mp4');
    expect(service.sent.map(({ name }) => name)).not.toContain('notes.pdf');
    await page.getByText('No platform takes files of this type.').waitFor();
    await expect
      .poll(async () => (await draftIn(page)).media[0])
      .toMatchObject({
        url: expect.stringContaining('https://media.test/'),
        type: 'image',
        mediaId: expect.any(String),
        widthPixels: 1_080,
        heightPixels: 1_350,
      });
    expect((await draftIn(page)).pending).toBe(0);
    // What was refused asked for a new grant by itself first.
    await expect.poll(() => api.to('POST /v1/media/presign')).toHaveLength(7);
    // The browser reports what the storage refused. The first file was alone, and can be dragged now.
    expect(warnings.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(5);
    expect(await violationsIn(page, ['region', 'landmark-one-main', 'page-has-heading-one'])).toEqual([]);
  });

  mediaTest('can be dropped anywhere or pasted, and are cancelled', async ({ panel }) => {
    const { page, api, open } = panel;
    const service = await serveMedia(panel, (request) =>
      nameOf(request) === 'slow.jpg' ? Promise.withResolvers<number>().promise : 200,
    );
    await open(withDraft({ mostItems: 3 }));
    await page.getByText('Drop images').waitFor();
    const bytes = [...fixture('image.jpg')];
    const send = (type: 'drop' | 'paste', name: string, text?: string) =>
      page.evaluate(
        ([type, name, bytes, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], name));
          if (text !== undefined) data.setData('text/plain', text);
          const target = document.querySelector('textarea') ?? document.body;
          if (type === 'paste') {
            target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
            return;
          }
          for (const each of ['dragenter', 'dragover', 'drop'])
            target.dispatchEvent(
              new DragEvent(each, { dataTransfer: data, bubbles: true, cancelable: true }),
            );
        },
        [type, name, bytes, text] as const,
      );
    await send('drop', 'dropped.jpg');
    await expect.poll(() => namesIn(page)).toEqual(['dropped.jpg']);
    await send('paste', 'with-text.jpg', 'a table');
    await send('paste', 'pasted.jpg');
    await expect.poll(() => namesIn(page)).toEqual(['dropped.jpg', 'pasted.jpg']);
    await picker(page).setInputFiles([picked('slow.jpg'), picked('over.jpg')]);
    await page.getByText('Only the first 1 of 2 files were added: the post is full then.').waitFor();
    await page.getByText('A post has at most 3 files.').waitFor();
    await expect.poll(() => service.sent.map(({ name }) => name)).toContain('slow.jpg');
    await page.getByRole('button', { name: 'Cancel slow.jpg' }).click();
    await expect.poll(() => api.to('DELETE /v1/media/{id}')).toHaveLength(1);
    expect(await page.getByRole('progressbar').count()).toBe(0);
    expect((await draftIn(page)).pending).toBe(0);
  });

  mediaTest(
    'go on behind another tab of the page; a reload keeps what was sent and names the rest',
    async ({ panel }) => {
      const { page, open } = panel;
      const gate = Promise.withResolvers<number>();
      const service = await serveMedia(panel, (request) =>
        nameOf(request) === 'b.jpg'
          ? gate.promise
          : nameOf(request) === 'a.jpg'
            ? 200
            : new Promise(() => {}),
      );
      await open(withDraft({}));
      await picker(page).setInputFiles([picked('a.jpg'), picked('b.jpg'), picked('c.jpg')]);
      await expect.poll(() => namesIn(page)).toEqual(['a.jpg']);
      await expect.poll(() => service.sent.length).toBe(3);
      await page.getByRole('button', { name: 'Other tab' }).click();
      gate.resolve(200);
      await page.getByRole('button', { name: 'Other tab' }).click();
      await expect.poll(() => namesIn(page)).toEqual(['a.jpg', 'b.jpg']);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      const lost = page.getByRole('alert').filter({ hasText: 'A file was not uploaded completely' });
      await lost.getByText('c.jpg').waitFor();
      expect(await namesIn(page)).toEqual(['a.jpg', 'b.jpg']);
      await lost.getByRole('button', { name: 'Dismiss' }).click();
      await page.reload();
      await page.getByRole('row', { name: /a\.jpg/ }).waitFor();
      expect(await lost.count()).toBe(0);
    },
  );

  mediaTest('may be fetched from an address, as far as the server lets', async ({ panel }) => {
    const { page, api, open } = panel;
    const service = await serveMedia(panel);
    const fetching = {
      status: 'fetching' as const,
      attempts: 1,
      receivedBytes: 3_145_728,
      totalBytes: 10_485_760,
      nextAttemptAt: null,
      error: null,
    };
    service.views.set('far.mp4', { status: 'pending', type: 'image', import: fetching, probe: null });
    await open(withDraft({}));
    await page.getByRole('button', { name: 'Import from URL' }).click();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('http://insecure.test/a.jpg');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an address that begins with https://.').waitFor();
    expect(api.to('POST /v1/media')).toHaveLength(0);
    await address.fill('https://far.test/far.mp4');
    await page.keyboard.press('Enter');
    await page.getByText('3 MiB of 10 MiB fetched').waitFor();
    expect((await draftIn(page)).pending).toBe(1);
    service.views.set('far.mp4', {});
    await expect
      .poll(async () => (await draftIn(page)).media[0])
      .toMatchObject({ type: 'video', durationMs: 6_000 });
    await expect.poll(async () => (await draftIn(page)).pending).toBe(0);

    service.views.set('gone.jpg', {
      status: 'invalid',
      statusMessage: 'could not be fetched: the server responded 404',
      probe: null,
    });
    await page.getByRole('button', { name: 'Import from URL' }).click();
    await address.fill('https://far.test/gone.jpg');
    await page.keyboard.press('Enter');
    await page.getByText('Could not be fetched: the server responded 404').waitFor();
    api.on('POST /v1/media', refusal(429, 'too_many_imports', 'this workspace has 500 open imports'));
    await page.getByRole('button', { name: 'Import from URL' }).click();
    await address.fill('https://far.test/more.jpg');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The file was not added').waitFor();
  });
});

describe('the files of a post', () => {
  const three = [draftMedia(1, 'image.jpg'), draftMedia(2, 'square.jpg'), draftMedia(3, 'tall.jpg')];

  mediaTest(
    'are put in order by keyboard, by mouse and from the menu, and removed with a way back',
    async ({ panel }) => {
      const { page, open } = panel;
      await serveMedia(panel);
      await open(withDraft({ media: three }));
      const grid = page.getByRole('grid', { name: 'Files of the post, in order' });
      await grid.getByRole('row').first().waitFor();
      await page.getByRole('button', { name: 'Move image.jpg' }).focus();
      await page.keyboard.press('Enter');
      const focused = page.locator(':focus');
      const target = () => focused.getAttribute('aria-label');
      await expect.poll(target).toContain('Insert');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await expect.poll(target).toBe('Insert after Image 3: tall.jpg');
      await page.keyboard.press('Enter');
      await expect.poll(() => namesIn(page)).toEqual(['square.jpg', 'tall.jpg', 'image.jpg']);

      const first = 'square.jpg';
      await page.getByRole('button', { name: `Actions for ${first}` }).click();
      await page.getByRole('menuitem', { name: 'Move later' }).click();
      const moved = await namesIn(page);
      expect(moved[1]).toBe(first);

      const last = moved.at(-1) ?? '';
      const from = await grid.getByRole('row', { name: last }).boundingBox();
      const to = await grid.getByRole('row').first().boundingBox();
      if (!from || !to) throw new Error('no tiles');
      await page.mouse.move(from.x + 40, from.y + 100);
      await page.mouse.down();
      await page.mouse.move(from.x + 20, from.y + 90, { steps: 4 });
      await page.mouse.move(to.x + 4, to.y + 80, { steps: 12 });
      await page.mouse.up();
      await expect.poll(async () => (await namesIn(page))[0]).toBe(last);

      await page.getByRole('button', { name: `Actions for ${last}` }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await expect.poll(() => namesIn(page)).not.toContain(last);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await namesIn(page))[0]).toBe(last);
    },
  );

  mediaTest('are described one after the other, within what the platforms take', async ({ panel }) => {
    const { page, open } = panel;
    await serveMedia(panel);
    await open(withDraft({ media: three, previews: [{ account: account('pinterest') }] }));
    await page.getByRole('button', { name: 'Describe image.jpg' }).click();
    const field = page.getByRole('textbox', { name: 'Description' });
    await field.fill('A cup of coffee');
    await page.getByText('15 of 500 characters').waitFor();
    await page.getByRole('button', { name: 'Next file' }).last().click();
    await page.getByRole('heading', { name: 'Describe file 2' }).waitFor();
    await field.fill('x'.repeat(502));
    await page.getByText('2 characters too many for Pinterest.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    expect((await draftIn(page)).media.map(({ altText }) => altText?.length)).toEqual([15, 502, undefined]);
    await page.getByRole('img', { name: 'A cup of coffee' }).waitFor();
  });

  mediaTest('have a cover if it is a video: a frame, and an image', async ({ panel }) => {
    const { page, open } = panel;
    await serveMedia(panel);
    await open(
      withDraft({
        media: [draftMedia(4, 'video.mp4', { widthPixels: 360, heightPixels: 640, durationMs: 6_000 })],
        previews: [{ account: account('instagram') }, { account: account('tiktok') }],
      }),
    );
    const slider = page.getByRole('slider', { name: 'Frame' });
    await slider.fill('2500');
    expect((await draftIn(page)).cover).toEqual({ frameMs: 2_500 });
    await page.getByText('at 0:02.5').waitFor();
    await expect
      .poll(() =>
        page
          .locator('video')
          .first()
          .evaluate((video: HTMLVideoElement) => video.src),
      )
      .toContain('#t=2.5');
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles([picked('cover.jpg', 'video.mp4')]);
    await page.getByText('A cover is a JPEG or PNG image.').waitFor();
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles([picked('cover.jpg', 'square.jpg')]);
    await expect.poll(async () => (await draftIn(page)).cover.image?.fileName).toBe('cover.jpg');
    await page.getByRole('button', { name: 'Let the platform choose' }).click();
    await page.getByRole('button', { name: 'Remove cover image' }).click();
    expect((await draftIn(page)).cover).toEqual({});
  });

  mediaTest('show their problems, also on small screens and with hostile names', async ({ panel }) => {
    const { page, open } = panel;
    await serveMedia(panel);
    await page.setViewportSize({ width: 320, height: 800 });
    await open(
      withDraft({
        media: [
          draftMedia(1, 'image.jpg', { fileName: `${'Donaudampfschifffahrt'.repeat(9)}.jpg` }),
          draftMedia(2, 'square.jpg', { fileName: '\u202Egnp.<img src=x onerror=alert(1)>.jpg' }),
          { url: 'https://elsewhere.test/a.jpg', type: 'image' },
        ],
        problems: [
          [1, ['must have a width-to-height ratio from 0.8 to 1.91']],
          [-1, ['Instagram takes at most 10 files']],
        ],
      }),
    );
    await page.getByText('must have a width-to-height ratio').waitFor();
    await page.getByText('Instagram takes at most 10 files').waitFor();
    await page.getByText('Shown once it is imported').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsIn(page, ['region'])).toEqual([]);
  });
});
