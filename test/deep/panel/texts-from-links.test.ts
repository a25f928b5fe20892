import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ok, refusal } from '../../panel/support/fake-api.ts';
import { pagesOfRouter } from '../../panel/support/pages.ts';
import { panelTest } from '../../panel/support/panel.ts';
import { scenes } from '../../panel/support/scenes.ts';
import { lure, sentence, textsOn } from '../../panel/support/texts-from-links.ts';
import { addressesOf } from '../../panel/support/walk.ts';

const root = join(import.meta.dirname, '../../../lib/panel');

/** The names of the parameters that any page reads, and those that others use for texts. */
const parameters = [
  ...new Set([
    ...['error', 'error_description', 'message', 'title', 'text', 'code', 'state', 'connected'],
    ...globSync('**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /(?:textsOf\(search|useFilters\(|filterNames = |openParameter = )(?:, )?(\[[^\]]*\]|'\w+')/g,
        ),
      ].flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)),
    ),
  ]),
];

/** A page with a sentence in each parameter, and in each part of its path that is not fixed. */
function addressOf(path: string, name: string): string {
  const query = new URLSearchParams(parameters.map((each) => [each, sentence(each)]));
  const filled = path
    .replace(/\{-\$\w+\}/, encodeURIComponent(sentence(name)))
    .replace(/\$\w*/g, encodeURIComponent(sentence(name)));
  return `${filled}?${query}`;
}

describe('a page shows no sentence from a link', () => {
  const pages = pagesOfRouter();

  panelTest('and the test knows the parameters of pages', () => {
    expect(parameters).toEqual(
      expect.arrayContaining(['q', 'account', 'view', 'draft', 'next', 'verb', 'actor', 'last', 'state']),
    );
  });

  for (const path of pages) {
    panelTest(`at ${path}`, async ({ panel }) => {
      const { page, api, open } = panel;
      const scene = scenes.find((each) =>
        addressesOf(path).test(new URL(each.path, 'http://panel').pathname),
      );
      scene?.serve(panel);
      api.on('GET /panel/invitations', ok({ invitations: [] }));
      await open(addressOf(path, 'the path'));
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await textsOn(page)).not.toMatch(lure);
    });
  }

  panelTest('at any page, to somebody who is not signed in', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/me', refusal(401, 'session_missing', 'sign in'));
    await open(addressOf('/calendar', ''));
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(await textsOn(page)).not.toMatch(lure);
  });
});
