import { createHash } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { addDemoPeople } from '../../../../bin/dev/demo-people.ts';
import { openTableAsAdministrator } from '../../../../bin/dev/demo-workspaces.ts';
import { dayMs, minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import {
  type Client,
  clientOf,
  readFixture,
  settled,
  targetOf,
  until,
} from '../../../journeys/support/client.ts';
import { advanceTo, passing } from '../../../journeys/support/clock.ts';
import { complaintsOf } from '../../../journeys/support/complaints.ts';
import { type PanelClient, signIn } from '../../../journeys/support/panel-client.ts';
import { takeSession } from '../../../journeys/support/panel-page.ts';
import { platformOf } from '../../../journeys/support/platforms.ts';
import { dateField, enterDate, enterTime } from '../../../panel/support/date-fields.ts';
import { browserTest } from '../../../support/browser.ts';
import { drag } from '../../../support/drag.ts';
import type { CloudVisit } from '../../../support/local-cloud.ts';
import { visitSharedCloud } from '../../../support/shared-cloud.ts';

/** Its clocks show another day than UTC's for some hours, and never change. */
const timezone = 'Asia/Kolkata';
const aheadMs = 5.5 * 60 * minuteMs;

let cloud: CloudVisit;
let client: Client;
let owner: PanelClient;
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(visit, visit.demo);
  await addDemoPeople(
    openTableAsAdministrator(visit),
    visit.clock.now(),
    visit.demo.id,
    visit.issuer?.url ?? '',
  );
  owner = await signIn(visit, 'Owner', { workspaceId: visit.demo.id, again: true });
  await owner.expectStatus(200, 'PATCH', '/v1/workspace', { timezone });
});

/** Signs the owner in to a tab, whose clock is the cloud's from now on. @returns what the browser complains about */
async function signInTo(page: Page): Promise<string[]> {
  const complaints = await complaintsOf(page);
  await takeSession(page, cloud, owner, cloud.demo.id);
  return complaints;
}

const ownerTest = browserTest.extend('panel', async ({ page }) => {
  await page.clock.install({ time: cloud.clock.now() });
  // The mouse reaches all of a month.
  await page.setViewportSize({ width: 1_280, height: 1_300 });
  return { page, complaints: await signInTo(page) };
});
const options = { timeout: 90_000 };

/** A test that moves posts takes a week of its own: if it is tried again, the post of the first try is still there. */
let weeksUsed = 0;

const eventually = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 20_000 });
const open = (page: Page, path: string) => page.goto(cloud.panelUrl + path);
const postIdIn = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? '';
const account = (page: Page, platform: string) => page.getByRole('checkbox', { name: platform });
/** The box itself is covered by its picture. */
const choose = (page: Page, platform: string) => account(page, platform).check({ force: true });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

/** The pixels of the image that is shown, not of its place. */
const widthOf = (image: Locator) =>
  image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);

/** A time on the workspace's clocks, as fields of forms have it. */
function onClocks(atMs: number): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = new Date(atMs + aheadMs).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

/** A JPEG with so many further bytes of comments, which are before the pixels. */
function largeImage(bytes: number): Buffer {
  const image = readFixture('image.jpg').bytes;
  const comment = Buffer.alloc(65_537);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(65_535, 2);
  const comments = Array<Buffer>(Math.ceil(bytes / comment.length)).fill(comment);
  const pixelsAt = image.indexOf('ffda', 'hex');
  return Buffer.concat([image.subarray(0, pixelsAt), ...comments, image.subarray(pixelsAt)]);
}

/** Slows the network to a phone's speed, so that a person sees the progress of an upload. */
async function slowUploads(page: Page, bytesPerSecond: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

describe('in a browser, a person', () => {
  ownerTest(
    'writes a post with a file for three accounts, and sees it go live',
    options,
    async ({ panel }) => {
      const { page, complaints } = panel;
      await open(page, '/compose');
      for (const platform of ['Instagram', 'Facebook', 'Threads']) await choose(page, platform);
      const long = `The winter roast is here. ${'It tastes of plums. '.repeat(25)}`.trim();
      await text(page).fill(long);
      const tooLong = page.locator('#compose-content').getByText(/Threads allows at most 500 characters/);
      const fileMissing = page.locator('#compose-media').getByText(/Instagram/);
      await tooLong.waitFor();
      await fileMissing.waitFor();

      const image = largeImage(1_048_576);
      await slowUploads(page, 1_048_576);
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'plums.jpg', mimeType: 'image/jpeg', buffer: image });
      const progress = page.getByRole('progressbar', { name: 'plums.jpg' });
      await eventually(() => progress.getAttribute('aria-valuetext')).toMatch(/^[1-9]\d* KiB of 1\.02 MiB$/);
      const thumbnail = page.getByRole('row', { name: /plums\.jpg/ }).locator('img');
      await eventually(() => widthOf(thumbnail)).toBe(1_080);
      await fileMissing.waitFor({ state: 'detached' });

      await page.getByRole('tab', { name: /Threads/ }).click();
      await page.getByRole('button', { name: 'Write another text' }).click();
      const short = 'The winter roast is here, and tastes of plums.';
      await text(page).fill(short);
      await page.getByText('No problems found.').waitFor();
      expect(await tooLong.count()).toBe(0);

      const atMs = Math.ceil(cloud.clock.now() / minuteMs + 1) * minuteMs;
      const { date, time } = onClocks(atMs);
      await enterDate(dateField(page), date);
      await enterTime(dateField(page, 'Time'), time);
      await page.getByRole('button', { name: 'Schedule', exact: true }).click();
      await page.getByText('Post scheduled').waitFor();
      await page.waitForURL('**/posts/*');
      const id = postIdIn(page);
      expect(Date.parse((await client.readPost(id)).scheduledFor ?? '')).toBe(atMs);

      await page.clock.fastForward(atMs - cloud.clock.now());
      await advanceTo(cloud, atMs);
      const post = await settled(client, id, passing(cloud, 1));
      await page.clock.fastForward(5 * secondMs);
      for (const [platform, title, content] of [
        ['instagram', 'Instagram', long],
        ['facebook', 'Facebook', long],
        ['threads', 'Threads', short],
      ] as const) {
        const link = page.getByRole('link', { name: `Open at ${title}` });
        expect(await link.getAttribute('href')).toBe(targetOf(post, platform).permalink);
        const live = await platformOf(cloud, platform).postsSaying(content);
        expect(live.map(({ permalink }) => permalink)).toEqual([targetOf(post, platform).permalink]);
        const sha256 = createHash('sha256').update(image).digest('hex');
        expect(live[0]?.media).toEqual([{ type: 'image/jpeg', bytes: image.length, sha256 }]);
      }
      const stored = page.getByRole('main').locator('img').first();
      await eventually(() => widthOf(stored)).toBe(1_080);
      expect(complaints).toEqual([]);
    },
  );

  ownerTest('moves a post by the mouse and by the keyboard alone', options, async ({ panel }) => {
    const { page, complaints } = panel;
    const content = 'Cupping at the roastery';
    // A Tuesday late in the evening: a day later in the world, and the whole week is in sight.
    const monday = nextMonday() + weeksUsed++ * 7 * dayMs;
    const [tuesday, thursday] = [monday + dayMs, monday + 3 * dayMs];
    const lateMs = (23 * 60 + 45) * minuteMs;
    const { id } = await client.createPost({
      content,
      platforms: [{ accountId: client.accountId('threads') }],
      scheduledFor: new Date(tuesday + lateMs).toISOString(),
    });
    const planned = async () => Date.parse((await client.readPost(id)).scheduledFor ?? '');
    const shownIn = (dayAtMs: number) => dayOf(page, dayAtMs).locator('[data-entry]', { hasText: content });
    await open(page, `/calendar?day=${onClocks(tuesday).date}`);
    await drag(page, shownIn(tuesday), dayOf(page, thursday));
    await page.getByText(/^Moved to .+, 23:45/).waitFor();
    await shownIn(thursday).waitFor();
    expect(await planned()).toBe(thursday + lateMs);
    await page.getByRole('button', { name: 'Undo' }).click();
    await shownIn(tuesday).waitFor();
    await eventually(planned).toBe(tuesday + lateMs);

    // From the day at which the page was opened into its posts.
    const { keyboard } = page;
    const focused = () => page.evaluate<string>(`document.activeElement.textContent`);
    await page.reload();
    await shownIn(tuesday).waitFor();
    await keyboard.press('t');
    await eventually(focused).toContain(', today,');
    for (let day = onClocks(cloud.clock.now()).date; day !== onClocks(tuesday).date; day = dayAfter(day))
      await keyboard.press('ArrowRight');
    await eventually(focused).toMatch(dayName(tuesday));
    // On a day without posts, or whose posts are not read yet, the key opens the day instead.
    await shownIn(tuesday).waitFor();
    await keyboard.press('Enter');
    await eventually(focused).toContain(content);
    await keyboard.press('Alt+ArrowRight');
    await keyboard.press('Alt+ArrowUp');
    await eventually(planned).toBe(tuesday + dayMs + lateMs - 15 * minuteMs);
    await eventually(focused).toContain(content);

    await keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: `Move “${content}”` });
    await dialog.waitFor();
    const hour = dateField(dialog, 'Time').getByRole('spinbutton').first();
    await hour.waitFor();
    const isAtHour = async () => (await hour.and(page.locator(':focus')).count()) === 1;
    for (let tabs = 0; tabs < 9 && !(await isAtHour()); tabs++) await keyboard.press('Tab');
    expect(await isAtHour()).toBe(true);
    await keyboard.type('0805');
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const movedMs = tuesday + dayMs + (8 * 60 + 5) * minuteMs;
    await eventually(planned).toBe(movedMs);
    await eventually(focused).toContain(content);
    expect(await shownIn(movedMs).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  ownerTest('goes on with a draft in another tab, and publishes it once', options, async ({ panel }) => {
    const { page, complaints } = panel;
    const content = 'We are open on Sunday after all';
    await open(page, '/compose');
    await choose(page, 'Threads');
    await text(page).fill('We are open on Sunday');
    await page.getByText('Kept in this browser').waitFor();
    await page.reload();
    await eventually(() => text(page).inputValue()).toBe('We are open on Sunday');
    expect(await account(page, 'Threads').isChecked()).toBe(true);

    const other = await page.context().newPage();
    const otherComplaints = await signInTo(other);
    await other.goto(page.url());
    await page.getByText('This post is also open in another tab.').waitFor();
    await text(other).fill(content);
    await eventually(() => text(page).inputValue()).toBe(content);

    const keys = await loseFirstReply(page);
    await page.getByRole('radio', { name: /^Now/ }).check({ force: true });
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('Post is going out').waitFor();
    await page.waitForURL('**/posts/*');
    await other.getByText('This post was sent in another tab.').waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);

    const post = await settled(client, postIdIn(page), passing(cloud, 1));
    const { permalink } = targetOf(post, 'threads');
    await page.clock.fastForward(5 * secondMs);
    await page.locator(`a[href="${permalink}"]`).waitFor();
    const live = await platformOf(cloud, 'threads').postsSaying(content);
    expect(live.map((each) => each.permalink)).toEqual([permalink]);
    const { posts } = (await client.expectStatus(200, 'GET', '/v1/posts')).json() as {
      posts: { id: string; content: string }[];
    };
    expect(posts.filter((each) => each.content === content).map((each) => each.id)).toEqual([post.id]);
    // The lost reply is all that the browser complains about.
    expect(complaints).toEqual([expect.stringContaining('net::ERR_CONNECTION_RESET')]);
    expect(otherComplaints).toEqual([]);
  });

  ownerTest('answers comments on a live post, and sees who follows the link', options, async ({ panel }) => {
    const { page, complaints } = panel;
    const instagram = platformOf(cloud, 'instagram');
    const posted = await client.createPost({
      content: 'Comment “plum” for the recipe',
      mediaItems: [{ url: await client.upload('image.jpg') }],
      platforms: [{ accountId: client.accountId('instagram') }],
      publishNow: true,
    });
    const target = targetOf(await settled(client, posted.id, passing(cloud, 1)), 'instagram');
    expect(target.status).toBe('published');

    await page.clock.setSystemTime(cloud.clock.now());
    await open(page, `/posts/${posted.id}`);
    await page.getByRole('link', { name: 'Answer its comments' }).click();
    await page.getByRole('textbox', { name: 'Keywords' }).fill('plum');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Reply' }).fill('See your messages');
    await page.getByRole('textbox', { name: 'Message' }).fill('Here is the recipe.');
    await page.getByRole('button', { name: 'Add a button' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('The recipe');
    await page.getByRole('textbox', { name: 'Address' }).fill('https://shop.example.com/plums');
    await page.getByRole('textbox', { name: 'Comment to try' }).fill('PLUM please');
    await page.getByText('Matches “plum”').waitFor();
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByRole('heading', { name: 'What became of the comments' }).waitFor();

    const reader = 'paula.reads';
    await instagram.comment(target.platformPostId ?? '', reader, 'Plum! 🙏');
    const [message] = await until(
      () => instagram.messagesTo(reader),
      ({ length }) => length > 0,
    );
    expect(message?.text).toBe('Here is the recipe.');
    const click = await fetch(message?.buttons[0]?.url ?? '', { redirect: 'manual' });
    expect(click.headers.get('location')).toBe('https://shop.example.com/plums');

    const stages = page.getByRole('list').filter({ hasText: 'Matched' }).getByRole('listitem');
    const refreshed = async () => {
      await page.clock.fastForward(15 * secondMs);
      return (await stages.allInnerTexts()).map((each) => each.split(/\s+/).slice(0, 2).join(' '));
    };
    await eventually(refreshed).toEqual(['Matched 1', 'Replied 1', 'Messaged 1', 'Clicked 1']);
    await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
    const link = page.getByRole('row').filter({ hasText: 'shop.example.com/plums' });
    await eventually(() => link.getByRole('cell').last().innerText()).toBe('1');
    expect(complaints).toEqual([]);
  });
});

/** The beginning of the next Monday on the workspace's clocks that is more than a day away. */
function nextMonday(): number {
  const days = Math.floor((cloud.clock.now() + aheadMs) / dayMs) + 2;
  // The first day of all was a Thursday.
  return (days + ((11 - (days % 7)) % 7)) * dayMs - aheadMs;
}

/** The name of a day as the calendar writes it: *Tuesday 24 November*. */
function dayName(atMs: number): RegExp {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...options }).format(atMs);
  return new RegExp(
    `^${part({ weekday: 'long' })} ${part({ day: 'numeric' })} ${part({ month: 'long' })}\\b`,
  );
}

const dayOf = (page: Page, atMs: number) =>
  page.getByRole('gridcell').filter({ has: page.getByRole('button', { name: dayName(atMs) }) });
const dayAfter = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/**
 * Loses the reply to the first request for a new post: the service has done what it was asked, and the page does not know.
 *
 * @returns the idempotency keys of all such requests
 */
async function loseFirstReply(page: Page): Promise<readonly unknown[]> {
  const keys: unknown[] = [];
  await page.route('**/api/v1/posts', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    keys.push(request.postDataJSON().idempotencyKey);
    if (keys.length > 1) return route.continue();
    await owner.expectStatus(201, 'POST', '/v1/posts', request.postData() ?? '');
    await route.abort('connectionreset');
  });
  return keys;
}
