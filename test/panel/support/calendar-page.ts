import type { Locator, Page } from 'playwright-core';
import { instagram } from './accounts.ts';
import { FakePosts } from './calendar.ts';
import type { Panel } from './panel.ts';
import { listedPostOf, targetOf } from './posts.ts';

/** A Wednesday, 11:10 in Berlin. */
export const now = '2026-11-18T10:10:00.000Z';
export type Listed = ReturnType<typeof listedPostOf>;

/** A time on Berlin's clocks in winter; ISO 8601. */
export const inBerlin = (day: string, time: string): string =>
  new Date(`${day}T${time}:00+01:00`).toISOString();

/** A post to one account, with its time on Berlin's clocks in winter. */
export function planned(
  number: number,
  day: string,
  time: string,
  changes: Parameters<typeof listedPostOf>[1] = {},
): Listed {
  const scheduledFor = inBerlin(day, time);
  const status = changes.status ?? 'scheduled';
  return listedPostOf(number, {
    content: `Post ${number}`,
    scheduledFor,
    platforms: [targetOf(instagram, { scheduledFor, status })],
    ...changes,
  });
}

/** Opens the calendar with these posts. */
export async function start(
  { page, api, open, setTime }: Panel,
  posts: readonly Listed[],
  path = '/calendar',
  at = now,
): Promise<FakePosts> {
  const fake = new FakePosts(api, posts);
  // The mouse reaches all of a month.
  await page.setViewportSize({ width: 1_280, height: 1_300 });
  await setTime(at);
  await open(path);
  return fake;
}

/** The cell of a day in a grid. @param name `Wednesday 18 November` */
export const dayOf = (page: Page, name: string): Locator =>
  page.getByRole('gridcell').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}\\b`) }) });

/** The link of a post's card or row. */
export const card = (scope: Page | Locator, text: string): Locator =>
  scope.locator('[data-entry]').filter({ hasText: text });

export const textOf = async (locator: Locator): Promise<string> =>
  (await locator.innerText()).replace(/\s+/g, ' ');

/** Returns what is read out of the element with the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const read = document.activeElement?.cloneNode(true) as Element | undefined;
    for (const hidden of read?.querySelectorAll('[aria-hidden="true"]') ?? []) hidden.remove();
    return read?.getAttribute('aria-label') ?? read?.textContent ?? '';
  });

/** The day and the time that the calendar shows for a post. */
export const shownAt = (page: Page, text: string): Promise<(string | null | undefined)[]> =>
  card(page, text).evaluate((link) => [
    link.closest<HTMLElement>('[data-day]')?.dataset['day'],
    link.querySelector('time')?.firstChild?.textContent,
  ]);

/** Returns the page's layout shift until now, as the browser has noted it. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    const shifts = observer.takeRecords() as (PerformanceEntry & { value: number })[];
    observer.disconnect();
    return shifts.reduce((sum, { value }) => sum + value, 0);
  });

/** A point in the column of a day, at a row of the clock. */
export async function pointAt(page: Page, day: string, time: string): Promise<{ x: number; y: number }> {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return page.evaluate(
    ({ day, share }) => {
      const track = document.querySelector(`[role="gridcell"][data-day="${day}"] > :last-child`);
      const grid = track?.closest('[role="grid"]');
      if (!track || !grid) throw new Error('not in sight');
      const height = track.getBoundingClientRect().height;
      // Late enough hours are in sight.
      if (share < 0.45) grid.scrollTop = Math.max(0, height * share - 100);
      const { left, top, width } = track.getBoundingClientRect();
      return { x: left + width - 3, y: top + height * share + 2 };
    },
    { day, share: (hours * 60 + minutes) / (24 * 60) },
  );
}
