import { describe, expect } from 'vitest';
import { listSnippetsOperation } from '../../../lib/snippets/operations.ts';
import { listTagsOperation } from '../../../lib/tags/operations.ts';
import { serveComposer, servePost, storedPost } from '../compose/support/serve.ts';
import { idOf } from '../support/ids.ts';
import { answer } from '../support/operation-answers.ts';
import { walk } from '../support/walk.ts';

const at = '2026-03-01T12:00:00.000Z';
const snippet = {
  ...{ id: idOf(9), kind: 'text' as const, name: 'Opening hours', content: 'Open from {{hour}}.' },
  ...{ variables: ['hour'], createdAt: at, updatedAt: at },
};

describe('a new post', () => {
  walk(
    '/compose',
    'gets a tag of the workspace, a new one, and a saved text with its variable',
    async ({ page, api, open, inspect }) => {
      servePost(serveComposer(api), storedPost);
      answer(api, listTagsOperation, () => ({
        tags: [{ name: 'Summer', color: 'amber' as const }],
        nextCursor: null,
      }));
      answer(api, listSnippetsOperation, () => ({ snippets: [snippet], nextCursor: null }));
      await open('/compose');
      const text = page.getByRole('textbox', { name: 'Text', exact: true });
      await text.fill('Fresh beans. ');
      await page.getByRole('button', { name: 'Saved texts' }).click();
      await page.getByRole('button', { name: 'Insert Opening hours' }).click();
      const fill = page.getByRole('dialog', { name: 'Insert “Opening hours”' });
      await fill.getByRole('textbox', { name: 'hour' }).fill('seven');
      await fill.getByRole('button', { name: 'Insert', exact: true }).click();
      await expect.poll(() => text.inputValue()).toBe('Fresh beans. Open from seven.');
      await page.getByText('Tags', { exact: true }).click();
      await page.getByRole('button', { name: 'Summer' }).click();
      await page.getByRole('textbox', { name: 'Find or add a tag' }).fill('Launch');
      await page.getByRole('button', { name: 'Add “Launch”' }).click();
      await inspect();
      await page.keyboard.press('Control+s');
      await expect
        .poll(() => api.to('POST /v1/posts').map(({ body }) => body))
        .toMatchObject([{ content: 'Fresh beans. Open from seven.', tags: ['Summer', 'Launch'] }]);
    },
  );
});
