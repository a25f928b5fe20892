import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findMentionsOperation } from '../../../../lib/accounts/operations.ts';
import { serveComposer } from '../../../panel/compose/support/serve.ts';
import { linkedin, replyOf } from '../../../panel/support/accounts.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';

const choose = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).check({ force: true });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

describe('a post on LinkedIn', () => {
  panelTest('shows the card of its link, and loads nothing from the page', async ({ panel }) => {
    const { page, api, open } = panel;
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname));
    const card = {
      ...({ accountId: linkedin.id, platform: 'linkedin', url: 'https://harbour.test/' } as const),
      ...{ title: 'The harbour', description: 'Boats in the fog', imageUrl: 'https://pictures.test/a.jpg' },
    };
    serveComposer(api, {
      linkCards: ({ content, platforms = [] }) =>
        content.includes('harbour.test') && platforms[0]?.platformSpecificData?.['linkPreview'] !== false
          ? [card]
          : [],
    });
    await open('/compose');
    await choose(page, /Nordlicht GmbH/);
    await text(page).fill('At six: https://harbour.test');
    const preview = page.getByRole('figure', { name: /LinkedIn/ });
    await preview.getByText('The harbour').waitFor();
    await preview.getByText('Boats in the fog').waitFor();
    await preview.getByText('Picture from pictures.test').waitFor();
    expect([...hosts].filter((host) => host !== '127.0.0.1')).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('gets mentions of those who are found', async ({ panel: { page, api, open } }) => {
    serveComposer(api);
    const asked: (string | null)[] = [];
    const mention = '@[Harbour Museum](urn:li:organization:7)';
    api.on('GET /v1/accounts/{id}/mentions', ({ query }) => {
      asked.push(query.get('query'));
      return replyOf(findMentionsOperation, {
        mentions:
          query.get('query') === 'harbour-museum'
            ? [{ kind: 'organization', name: 'Harbour Museum', description: 'harbour-museum', text: mention }]
            : [],
      });
    });
    await open('/compose');
    await choose(page, /Nordlicht GmbH/);
    await text(page).fill('Welcome');
    const field = page.getByRole('textbox', { name: /Mention someone/ });
    await field.fill('harbour');
    await field.press('Enter');
    await page.getByText('Nobody was found.').waitFor();
    await field.fill('harbour-museum');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('button', { name: 'Mention Harbour Museum (harbour-museum)' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(`Welcome ${mention} `);
    expect(asked).toEqual(['harbour', 'harbour-museum']);
  });

  panelTest(
    'keeps the shared text as it is when it mentions somebody',
    async ({ panel: { page, api, open } }) => {
      serveComposer(api);
      api.on('GET /v1/accounts/{id}/mentions', () =>
        replyOf(findMentionsOperation, {
          mentions: [{ kind: 'person', name: 'Ada', description: null, text: '@[Ada](urn:li:person:a)' }],
        }),
      );
      await open('/compose');
      await choose(page, /Nordlicht GmbH/);
      await choose(page, /Nordlicht Threads/);
      await text(page).fill('Welcome');
      await page.getByRole('tab', { name: /Nordlicht GmbH/ }).click();
      await page.getByRole('textbox', { name: /Mention someone/ }).fill('ada');
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByRole('button', { name: 'Mention Ada', exact: true }).click();
      await expect.poll(() => text(page).inputValue()).toBe('Welcome @[Ada](urn:li:person:a) ');
      await page.getByRole('tab', { name: /All accounts/ }).click();
      expect(await text(page).inputValue()).toBe('Welcome');
    },
  );
});
