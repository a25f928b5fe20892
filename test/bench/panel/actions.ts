import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { serveComposer } from '../../panel/compose/support/serve.ts';
import { instagram } from '../../panel/support/accounts.ts';
import { FakePosts } from '../../panel/support/calendar.ts';
import { FakeApi, ok } from '../../panel/support/fake-api.ts';
import { meOf } from '../../panel/support/me.ts';
import { listedPostOf, targetOf } from '../../panel/support/posts.ts';
import { panelSite } from '../../panel/support/site.ts';
import { openStage } from '../../panel/support/stage.ts';
import { emptyPage, slowness } from './interactive.ts';

/** Something that a person does with one press of a key or of the mouse. */
interface Action {
  readonly name: string;
  /** Brings the page to where the action can be done. It is not measured. */
  prepare?(page: Page): Promise<void>;
  act(page: Page): Promise<void>;
}

interface Scene {
  readonly path: string;
  readonly api: FakeApi;
  /** The time at which the page's clock stands still. ISO 8601 */
  readonly time?: string;
  /** A CSS selector of something that is there once the page can be used. */
  readonly ready: string;
  readonly actions: readonly Action[];
}

/** The times from one action to the next paint, in milliseconds. */
export interface MeasuredAction {
  readonly page: string;
  readonly action: string;
  readonly paintMs: readonly number[];
}

const signedIn = (api = new FakeApi()): FakeApi => api.on('GET /panel/me', ok(meOf()));

const click = (role: 'button' | 'radio' | 'tab' | 'link', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click();

const pressEscape = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
};

/** A month with two posts a day. */
function calendarScene(): Scene {
  const api = signedIn();
  const times = Array.from({ length: 28 }, (_, day) => [
    Date.UTC(2026, 10, day + 1, 8),
    Date.UTC(2026, 10, day + 1, 16),
  ]);
  const posts = times.flat().map((time, index) => {
    const scheduledFor = new Date(time).toISOString();
    return listedPostOf(index + 1, {
      content: `Post ${index + 1}`,
      scheduledFor,
      platforms: [targetOf(instagram, { scheduledFor, status: 'scheduled' })],
    });
  });
  new FakePosts(api, posts);
  return {
    path: '/calendar',
    api,
    time: '2026-11-18T10:10:00.000Z',
    ready: '[data-entry]',
    actions: [
      { name: 'week', act: click('radio', 'Week') },
      { name: 'agenda', act: click('radio', 'Agenda') },
      { name: 'month', act: click('radio', 'Month') },
      {
        name: 'arrow to the next day',
        prepare: (page) => page.keyboard.press('t'),
        act: (page) => page.keyboard.press('ArrowRight'),
      },
      { name: 'all commands', act: (page) => page.keyboard.press('Control+k') },
      { name: 'a letter among the commands', act: (page) => page.keyboard.press('p') },
      { name: 'away with the commands', act: pressEscape },
    ],
  };
}

/** A post to seven accounts. */
function composeScene(): Scene {
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
  const chips = (page: Page) => page.getByRole('main').getByRole('checkbox');
  return {
    path: '/compose',
    api: serveComposer(signedIn()),
    ready: 'textarea',
    actions: [
      { name: 'first account', act: (page) => chips(page).first().click({ force: true }) },
      {
        name: 'last account',
        prepare: async (page) => {
          const count = await chips(page).count();
          for (let place = 1; place < count - 1; place += 1)
            await chips(page).nth(place).check({ force: true });
        },
        act: (page) => chips(page).last().click({ force: true }),
      },
      {
        name: 'a letter of the text',
        prepare: (page) => text(page).fill('Fresh beans'),
        act: (page) => page.keyboard.press('s'),
      },
      { name: 'tab of an account', act: (page) => page.getByRole('tab').nth(2).click() },
      { name: 'another text', act: click('button', 'Write another text') },
    ],
  };
}

/**
 * Measures the time from each action to the next paint, with a slower processor. Event Timing counts from the press to the frame
 * after the handlers, in steps of 8 ms, and leaves out what takes less than 16.
 */
export async function measureActions(browser: Browser, runs: number): Promise<readonly MeasuredAction[]> {
  const measured = new Map<string, MeasuredAction & { paintMs: number[] }>();
  const note = (page: string, action: string, paintMs: number) => {
    const key = `${page} ${action}`;
    const known = measured.get(key) ?? { page, action, paintMs: [] };
    known.paintMs.push(paintMs);
    measured.set(key, known);
  };
  for (let run = 0; run < runs; run += 1) {
    note('an empty page', 'press of a button', await measureEmpty(browser));
    for (const scene of [calendarScene(), composeScene()])
      await measureScene(browser, scene, (action, paintMs) => note(scene.path, action, paintMs));
  }
  return [...measured.values()];
}

async function measureEmpty(browser: Browser): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await watchEvents(page);
    await slowDown(await context.newCDPSession(page));
    await page.goto(emptyPage);
    return await paintAfter(page, () => page.getByRole('button').click());
  } finally {
    await context.close();
  }
}

async function measureScene(
  browser: Browser,
  { path, api, time, ready, actions }: Scene,
  note: (action: string, paintMs: number) => void,
): Promise<void> {
  const stage = await openStage(browser, await panelSite());
  try {
    stage.play(api);
    const page = await stage.openPage();
    await page.setViewportSize({ width: 1_440, height: 900 });
    if (time !== undefined) await stage.setTime(page, new Date(time));
    await watchEvents(page);
    await page.goto(stage.origin + path);
    await page.locator(ready).first().waitFor();
    await slowDown(await page.context().newCDPSession(page));
    for (const { name, prepare, act } of actions) {
      await prepare?.(page);
      await quiet(page);
      note(name, await paintAfter(page, () => act(page)));
    }
    await stage.clear();
  } finally {
    stage.close();
  }
}

const slowDown = (session: CDPSession) => session.send('Emulation.setCPUThrottlingRate', { rate: slowness });

type Watching = typeof globalThis & { eventsMs: number[] };

async function watchEvents(page: Page): Promise<void> {
  const script = await readFile(join(import.meta.dirname, 'watch-events.js'), 'utf8');
  await page.addInitScript({ content: `${script}\nwatchEvents();` });
}

const quietMs = 400;

/** Waits until a page has nothing left to do, and forgets the events until then. */
const quiet = (page: Page): Promise<void> =>
  page.evaluate(async (forMs) => {
    await new Promise((resolve) => setTimeout(resolve, forMs));
    (globalThis as Watching).eventsMs.length = 0;
  }, quietMs);

/** Returns the longest time from an event of an action to its paint; 0 if none took 16 ms. */
async function paintAfter(page: Page, act: () => Promise<void>): Promise<number> {
  await act();
  return page.evaluate(async (forMs) => {
    await new Promise((resolve) => setTimeout(resolve, forMs));
    return Math.max(0, ...(globalThis as Watching).eventsMs);
  }, quietMs);
}
