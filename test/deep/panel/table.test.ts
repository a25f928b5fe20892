import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { componentsTest, scrollsSideways, violationsIn } from '../../panel/support/panel.ts';

const desktop = { width: 1_280, height: 800 };
const phone = { width: 360, height: 640 };

const table = (page: Page) => page.getByRole('table', { name: 'Keys' });
const rowOf = (page: Page, index: number) => page.locator(`[role=row][data-index="${index}"]`);

/** The rows in the page: their places in the list, and where they are on the screen. */
const shown = (page: Page) =>
  page.locator('[role=row][data-index]').evaluateAll((rows) =>
    rows.map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return { index: Number((row as HTMLElement).dataset['index']), top, bottom };
    }),
  );

/** Waits until the browser has shown what it knows now. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });

/** Scrolls as far down as it goes. The page may become longer on the way, because rows are higher than assumed. */
async function scrollToEnd(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await settle(page);
      return rowOf(page, 1_999).count();
    })
    .toBe(1);
}

async function openMany(
  { page, open }: { readonly page: Page; open(path: string): Promise<void> },
  size = desktop,
) {
  await page.setViewportSize(size);
  await open('/?rows=2000');
  await table(page).waitFor();
  await settle(page);
}

describe('a short table', () => {
  componentsTest('has all rows, which need no numbers', async ({ panel: { page, open } }) => {
    await open('/?rows=60');
    await table(page).waitFor();
    expect(await table(page).getByRole('row').count()).toBe(61);
    expect(await page.locator('[aria-rowindex]').count()).toBe(0);
    expect(await table(page).getAttribute('aria-rowcount')).toBeNull();
  });
});

describe.each([
  ['on a desktop', desktop],
  ['as cards on a phone', phone],
])('a table of 2,000 rows, %s,', (_where, size) => {
  componentsTest('has few of them in the page, and says which', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel, size);
    expect(await table(page).getByRole('row').count()).toBeLessThan(50);
    expect(await table(page).getAttribute('aria-rowcount')).toBe('2001');
    expect(await rowOf(page, 0).getAttribute('aria-rowindex')).toBe('2');
    expect(await table(page).getByRole('columnheader', { name: 'State' }).count()).toBe(1);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsIn(page)).toEqual([]);
  });

  componentsTest('reaches the last one', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel, size);
    await scrollToEnd(page);
    const last = rowOf(page, 1_999);
    await last.scrollIntoViewIfNeeded();
    expect(await last.getAttribute('aria-rowindex')).toBe('2001');
    expect(await last.innerText()).toContain('Key 1999');
    expect(await table(page).getByRole('row').count()).toBeLessThan(50);
  });

  componentsTest('puts each row where the one before ends', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel, size);
    for (const place of [0, 0.5, 0.25]) {
      await page.evaluate((part) => window.scrollTo(0, part * document.body.scrollHeight), place);
      await settle(page);
      const rows = (await shown(page)).filter(({ bottom, top }) => bottom > 0 && top < size.height);
      expect(rows.length).toBeGreaterThan(1);
      const gaps = rows.slice(1).map(({ top }, before) => Math.round(top - (rows[before]?.bottom ?? 0)));
      expect(new Set(gaps)).toEqual(new Set([size === phone ? 12 : 0]));
    }
  });

  componentsTest('does not jump when somebody scrolls through rows of unknown height', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel, size);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
    await settle(page);
    await page.mouse.move(size.width / 2, size.height / 2);
    for (const step of [-240, -240, 240, -240, -240, 240]) {
      const [watched] = (await shown(page)).filter(({ top }) => top > size.height * 0.4);
      await page.mouse.wheel(0, step);
      const moved = async () =>
        ((await shown(page)).find(({ index }) => index === watched?.index)?.top ?? Infinity) -
        (watched?.top ?? 0);
      // The wheel takes some frames.
      await expect.poll(async () => Math.abs((await moved()) + step)).toBeLessThanOrEqual(2);
      await settle(page);
      expect(Math.abs((await moved()) + step)).toBeLessThanOrEqual(2);
    }
  });
});

describe('a long table', () => {
  componentsTest('is walked through with the keyboard', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel);
    await page.getByRole('button', { name: /^Actions for Key 0/ }).focus();
    const seen = new Set<string>();
    for (let press = 0; press < 70; press++) {
      seen.add((await page.evaluate(() => document.activeElement?.ariaLabel)) ?? '');
      await page.keyboard.press('Tab');
    }
    expect([...seen].map((label) => Number(label.split(' ')[3]))).toEqual([...Array(70).keys()]);
    const before = await page.evaluate(() => window.scrollY);
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before + 300);
  });

  componentsTest('keeps the focus where it is while somebody scrolls', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel);
    const action = (key: number) =>
      page.getByRole('button', { name: new RegExp(`^Actions for Key ${key}\\b`) });
    await action(3).focus();
    await scrollToEnd(page);
    const isFocused = (key: number) => action(key).evaluate((each) => each === document.activeElement);
    expect(await isFocused(3)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isFocused(4)).toBe(true);
    await expect
      .poll(() => rowOf(page, 4).evaluate((row) => row.getBoundingClientRect().top))
      .toBeGreaterThan(0);
  });

  componentsTest('fits again when the window gets another width', async ({ panel }) => {
    const { page } = panel;
    await openMany(panel);
    await page.setViewportSize(phone);
    await settle(page);
    const rows = await shown(page);
    const gaps = rows.slice(1).map(({ top }, before) => Math.round(top - (rows[before]?.bottom ?? 0)));
    expect(new Set(gaps)).toEqual(new Set([12]));
    await scrollToEnd(page);
    expect(await rowOf(page, 1_999).innerText()).toContain('Key 1999');
  });
});
