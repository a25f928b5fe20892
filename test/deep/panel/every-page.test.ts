import { describe, expect, it } from 'vitest';
import { pagesOfRouter } from '../../panel/support/pages.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../panel/support/panel.ts';
import { scenes } from '../../panel/support/scenes.ts';
import { addressesOf } from '../../panel/support/walk.ts';

/** A window of each layout that the stylesheets have. A desk, a tablet, a phone and the narrowest window are inspected. CSS pixels. */
const windows = [
  { width: 1_280, height: 900, isInspected: true },
  { width: 1_040, height: 800 },
  { width: 980, height: 800 },
  { width: 930, height: 800 },
  { width: 768, height: 1_024, isInspected: true },
  { width: 660, height: 800 },
  { width: 600, height: 800 },
  { width: 500, height: 800 },
  { width: 440, height: 800 },
  { width: 375, height: 812, isInspected: true },
  { width: 320, height: 640, isInspected: true },
];

describe('every page', () => {
  it('is among the scenes', () => {
    const addresses = scenes.map(({ path }) => new URL(path, 'https://panel.test').pathname);
    for (const page of pagesOfRouter())
      expect(addresses, page).toContainEqual(expect.stringMatching(addressesOf(page)));
  });

  for (const { name, path, time, serve, ready, act } of scenes)
    panelTest(`passes axe-core in both themes and never scrolls sideways: ${name}`, async ({ panel }) => {
      const { page, open, setTime } = panel;
      if (time !== undefined) await setTime(time);
      serve(panel);
      await page.setViewportSize({ width: 1_280, height: 900 });
      await open(path);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      const found: string[] = [];
      for (const { isInspected, ...size } of windows) {
        await page.setViewportSize(size);
        await page.evaluate(
          () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
        );
        if (await scrollsSideways(page)) found.push(`${size.width}: scrolls sideways`);
        if (!isInspected) continue;
        for (const violation of await violationsIn(page)) found.push(`${size.width}: ${violation}`);
      }
      expect(found).toEqual([]);
    });
});
