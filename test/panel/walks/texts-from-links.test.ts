import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { ok, refusal } from '../support/fake-api.ts';
import { pagesOfRouter } from '../support/pages.ts';
import { panelTest } from '../support/panel.ts';
import { scenes } from '../support/scenes.ts';
import { addressesOf } from '../support/walk.ts';

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

const sentence = (name: string) => `Your workspace was locked by ${name}, call +1 555 0100 at once`;
const lure = /workspace was locked|555 0100/;

/** The texts that a page shows, without what is in the fields of searches, which is plainly what somebody looks for. */
const textsOn = async (page: Page) =>
  [
    await page.title(),
    await page.locator('body').innerText(),
    ...(await page
      .locator('input:not([type=search]), textarea')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))),
  ].join('\n');

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
