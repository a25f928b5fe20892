import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { editPostOperation } from '../../../../lib/posts/request/operations.ts';
import {
  createSnippetOperation,
  listSnippetsOperation,
  removeSnippetOperation,
} from '../../../../lib/snippets/operations.ts';
import { editTagOperation, listTagsOperation } from '../../../../lib/tags/operations.ts';
import { TagColor, type TagView } from '../../../../lib/tags/schemas.ts';
import { serveComposer, servePost, storedPost } from '../../../panel/compose/support/serve.ts';
import { planned, start } from '../../../panel/support/calendar-page.ts';
import { type FakeApi, refusal } from '../../../panel/support/fake-api.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const colored: TagView[] = TagColor.options.map((color) => ({ name: `A ${color} tag`, color }));
const bodyOf = (request: { readonly body: unknown } | undefined) => request?.body as Record<string, unknown>;
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

function serveTags(api: FakeApi, tags: TagView[] = colored): TagView[] {
  answer(api, listTagsOperation, () => ({ tags, nextCursor: null }));
  return tags;
}

const id = '019ca9a0-4e00-7000-8000-000000000009';
const at = '2026-03-01T12:00:00.000Z';
const snippet = {
  ...{ id, kind: 'text' as const, name: 'Opening hours', content: 'Open from {{hour}} at {{account}}.' },
  ...{ variables: ['hour', 'account'], createdAt: at, updatedAt: at },
};

describe('the tags of a new post', () => {
  panelTest('are those of the workspace, and new ones', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    serveTags(api);
    await open('/compose');
    await text(page).fill('Fresh beans');
    await page.getByText('Tags', { exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Find or add a tag' });
    await page.getByRole('button', { name: 'A blue tag' }).click();
    await field.fill('RED');
    await expect.poll(() => page.getByRole('button', { name: 'A lime tag' }).count()).toBe(0);
    await page.getByRole('button', { name: 'A red tag' }).click();
    await field.fill('a blue TAG');
    await field.press('Enter');
    await field.fill('Summer');
    await field.press('Enter');
    await field.fill('a,b');
    await page.getByText('without commas and slashes').waitFor();
    await field.fill('');
    // The bar at the bottom must not cover what is looked at.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    expect(await page.getByRole('button', { pressed: true }).allTextContents()).toEqual([
      'A blue tag',
      'A red tag',
      'Summer',
    ]);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'A red tag' }).click();
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => bodyOf(api.to('POST /v1/posts')[0]))
      .toMatchObject({ tags: ['A blue tag', 'Summer'] });
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await scrollsSideways(page)).toBe(false);
  });

  panelTest('are renamed for the whole workspace', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    const tags = serveTags(api, [{ name: 'Summer', color: 'blue' }]);
    answer(api, editTagOperation, ({ parameters: [name], body }) => {
      const [tag] = tags;
      if (tag === undefined || name !== tag.name) throw new Error('another tag');
      tags[0] = { ...tag, ...(body.name !== undefined && { name: body.name }) };
      return { tag: tags[0], warnings: [] };
    });
    await open('/compose');
    await page.getByText('Tags', { exact: true }).click();
    await page.getByRole('button', { name: 'Manage tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of the workspace' });
    await dialog.getByRole('textbox', { name: 'Name of Summer' }).fill('Winter');
    await dialog.getByRole('button', { name: 'Save the name of Summer' }).click();
    await dialog.getByRole('textbox', { name: 'Name of Winter' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
});

describe('the tags of a stored post', () => {
  panelTest(
    'are shown in their colours, and changed without an edit',
    async ({ panel: { page, api, open } }) => {
      const post = { ...storedPost(), tags: ['A blue tag', 'A pink tag'] };
      servePost(serveComposer(api), () => post);
      serveTags(api);
      answer(api, editPostOperation, ({ body }) => {
        post.tags = [...(body.tags ?? [])];
        return { post, warnings: [] };
      });
      await open(`/posts/${post.id}`);
      await page.getByRole('list', { name: 'Tags' }).getByText('A pink tag').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Edit tags' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit tags' });
      await dialog.getByRole('button', { name: 'A pink tag' }).click();
      await dialog.getByRole('button', { name: 'A gray tag' }).click();
      expect(await violationsIn(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save tags' }).click();
      await page.getByRole('list', { name: 'Tags' }).getByText('A gray tag').waitFor();
      expect(bodyOf(api.to('PATCH /v1/posts/{id}')[0])).toEqual({ tags: ['A blue tag', 'A gray tag'] });
    },
  );
});

describe('the calendar', () => {
  panelTest('shows the posts with a tag', async ({ panel }) => {
    const { page, api } = panel;
    serveTags(api, [{ name: 'Summer', color: 'blue' }]);
    const post = (number: number, tags: string[]) => ({
      ...planned(number, '2026-11-19', `1${number}:00`, { content: `Post ${number}` }),
      tags,
    });
    await start(panel, [post(1, ['Summer']), post(2, [])]);
    await page.getByText('Post 2').first().waitFor();
    await page.getByRole('button', { name: /Tag/ }).click();
    await page.getByRole('option', { name: 'Summer' }).click();
    await expect.poll(() => page.getByText('Post 2').count()).toBe(0);
    await page.getByText('Post 1').first().waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('Summer');
    expect(await violationsIn(page)).toEqual([]);
  });
});

describe('a saved text', () => {
  panelTest('is inserted at the cursor, with its variables', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    answer(api, listSnippetsOperation, () => ({ snippets: [snippet], nextCursor: null }));
    await open('/compose');
    await text(page).fill('Hello world');
    await text(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(6, 11));
    await page.getByRole('button', { name: 'Saved texts' }).click();
    const list = page.getByRole('dialog', { name: 'Saved texts' });
    await list.getByText('Opening hours').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await list.getByRole('button', { name: 'Insert Opening hours' }).click();
    const fill = page.getByRole('dialog', { name: 'Insert “Opening hours”' });
    await fill.getByRole('textbox', { name: 'hour' }).fill('seven');
    await fill.getByRole('textbox', { name: 'account' }).fill('{{hour}}');
    await fill.getByText('Open from seven at {{hour}}.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await fill.getByRole('button', { name: 'Insert', exact: true }).click();
    await expect.poll(() => text(page).inputValue()).toBe('Hello Open from seven at {{hour}}.');
  });

  panelTest('is made of the selected text, and deleted', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    let saved: (typeof snippet)[] = [];
    answer(api, listSnippetsOperation, () => ({ snippets: saved, nextCursor: null }));
    answer(api, createSnippetOperation, ({ body }) => {
      saved = [{ ...snippet, ...body, kind: 'text', variables: [] }];
      return { snippet: saved[0] ?? snippet, warnings: [] };
    });
    answer(api, removeSnippetOperation, () => {
      saved = [];
      return { ok: true as const };
    });
    await open('/compose');
    await text(page).fill('Hello #beans #fresh');
    await text(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(6, 19));
    await page.getByRole('button', { name: 'Saved texts' }).click();
    await page.getByText('Nothing is saved yet.').waitFor();
    await page.getByRole('button', { name: 'Save the selected text' }).click();
    const form = page.getByRole('dialog', { name: 'New saved text' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Beans');
    expect(await violationsIn(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Insert Beans' }).waitFor();
    expect(bodyOf(api.to('POST /v1/snippets')[0])).toEqual({
      kind: 'hashtags',
      name: 'Beans',
      content: '#beans #fresh',
    });
    await page.getByRole('button', { name: 'Delete Beans' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Nothing is saved yet.').waitFor();
  });

  panelTest('says that the list may not be read', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    api.on('GET /v1/snippets', refusal(403, 'permission_missing', 'you may not'));
    await open('/compose');
    await page.getByRole('button', { name: 'Saved texts' }).click();
    const list = page.getByRole('dialog', { name: 'Saved texts' });
    await list.getByRole('alert').getByText('You may not').waitFor();
    // Another try would not help.
    expect(await list.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('is read again if that has failed', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    api.on('GET /v1/snippets', refusal(400, 'invalid', 'the request is wrong'));
    await open('/compose');
    await page.getByRole('button', { name: 'Saved texts' }).click();
    const list = page.getByRole('dialog', { name: 'Saved texts' });
    const again = list.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await violationsIn(page)).toEqual([]);
    answer(api, listSnippetsOperation, () => ({ snippets: [snippet], nextCursor: null }));
    await again.click();
    await list.getByText('Opening hours').waitFor();
  });
});
