import { describe, expect } from 'vitest';
import { misfitsIn } from '../../panel/support/fit.ts';
import { longWordsTest } from '../../panel/support/panel.ts';
import { scenes } from '../../panel/support/scenes.ts';

/** A desk, a tablet, a phone, the narrowest window, and a small laptop at 200 % zoom. CSS pixels. */
const windows = [
  { width: 1_280, height: 900 },
  { width: 768, height: 1_024 },
  { width: 640, height: 450 },
  { width: 360, height: 740 },
  { width: 320, height: 640 },
];

describe('with words as long as in German, in every window', () => {
  for (const { name, path, time, serve, ready, act } of scenes)
    longWordsTest(`everything fits: ${name}`, async ({ panel }) => {
      const { page, open, setTime } = panel;
      if (time !== undefined) await setTime(time);
      serve(panel);
      await page.setViewportSize({ width: 1_280, height: 900 });
      await open(path);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      const misfits: string[] = [];
      for (const size of windows) {
        await page.setViewportSize(size);
        await page.evaluate(
          () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
        );
        for (const misfit of await misfitsIn(page)) misfits.push(`${size.width}: ${misfit}`);
      }
      expect(misfits).toEqual([]);
    });
});
