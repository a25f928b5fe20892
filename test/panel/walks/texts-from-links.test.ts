import { describe, expect } from 'vitest';
import { panelTest } from '../support/panel.ts';
import { scenes } from '../support/scenes.ts';
import { sentence, textsOn } from '../support/texts-from-links.ts';

describe('a page shows no sentence from a link', () => {
  panelTest('in any single parameter of the pages about a sign-in or a connection', async ({ panel }) => {
    const { page, open } = panel;
    scenes.find(({ name }) => name === 'not connected')?.serve(panel);
    for (const path of ['/signed-out', '/accounts/connected'])
      for (const text of [sentence('error'), 'x'.repeat(3_000), 'Call-1-555-0100', '__proto__']) {
        await open(`${path}?${new URLSearchParams({ error: text })}`);
        await page.getByRole('alert').waitFor();
        expect(await textsOn(page)).not.toContain(text.slice(0, 50));
      }
  });
});
