import type { Locator, Page } from 'playwright-core';

/** Drags something by its upper left corner to the lower edge of something else, with the steps of the mouse that drops need. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await to.scrollIntoViewIfNeeded();
  await from.scrollIntoViewIfNeeded();
  const [source, target] = [await from.boundingBox(), await to.boundingBox()];
  if (!source || !target) throw new Error('not in sight');
  await page.mouse.move(source.x + 20, source.y + 8);
  await page.mouse.down();
  await page.mouse.move(source.x + 30, source.y + 14, { steps: 4 });
  await page.mouse.move(target.x + target.width / 2, target.y + target.height - 8, { steps: 12 });
  await page.mouse.up();
}
