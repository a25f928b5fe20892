import { describe, expect } from 'vitest';
import { instagram } from '../support/accounts.ts';
import { comingPost, gated, livePosts, serveAutomations, spring } from '../support/automations.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const edits = 'PATCH /v1/comment-automations/{id}';

describe('the list of automations', () => {
  walk('/automations', 'says what each has done, and pauses one', async ({ page, api, open, inspect }) => {
    serveAutomations(api);
    await open('/automations');
    await expect
      .poll(() => page.getByRole('row', { name: /Giveaway/ }).innerText())
      .toMatch(/win[\s\S]*and 3 more[\s\S]*2,912[\s\S]*37 wait for the hourly limit/);
    await inspect();
    await page.getByRole('switch', { name: 'Answer comments: Spring offer' }).press('Space');
    await expect.poll(() => page.getByRole('row', { name: /Spring offer/ }).innerText()).toContain('Paused');
    await expect.poll(() => api.to(edits).map(({ body }) => body)).toEqual([{ isActive: false }]);
  });
});

describe('a new automation', () => {
  walk('/automations/new', 'is written beside what people will see', async (panel) => {
    const { page, api, open, inspect } = panel;
    serveAutomations(api);
    await open('/automations/new');
    await page.getByRole('radio', { name: /So rösten wir/ }).press('Space');
    await page.getByRole('textbox', { name: 'Keywords' }).focus();
    await page.keyboard.type('price');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Reply' }).fill('See your messages');
    await page.getByRole('textbox', { name: 'Message' }).fill('Here: https://nordlicht.example/a');
    await page.getByRole('textbox', { name: 'Comment to try' }).fill('what is the price?');
    await page.getByText('Matches “price”').waitFor();
    const phone = page.getByRole('region', { name: 'What people see' });
    expect(await phone.locator('mark').innerText()).toBe('price');
    expect(await phone.innerText()).toMatch(/See your messages[\s\S]*Here: https:\/\/api.test\/r\/…/);
    await inspect();
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.waitForURL(/\/automations\/(?!new)/);
    await expect
      .poll(() => api.to('POST /v1/comment-automations').map(({ body }) => body))
      .toMatchObject([
        {
          accountId: instagram.id,
          platformPostId: livePosts[4]?.platforms[0]?.platformPostId,
          keywords: ['price'],
          commentReply: 'See your messages',
          dmMessage: 'Here: https://nordlicht.example/a',
        },
      ]);
  });
});

describe('the posts of a new automation', () => {
  walk('/automations/new', 'are a post that is not live, the next or every one', async (panel) => {
    const { page, api, open, inspect } = panel;
    serveAutomations(api);
    const created = () => api.to('POST /v1/comment-automations').map(({ body }) => body);
    const write = async () => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Here: https://nordlicht.example/a');
      await page.getByRole('textbox', { name: 'Reply' }).fill('See your messages');
      await page.getByRole('button', { name: 'Create automation' }).click();
      await page.waitForURL(/\/automations\/(?!new)/);
    };
    await open('/automations/new');
    await page.getByRole('radio', { name: /aus Huila/ }).press('Space');
    await write();
    await page.getByText('Waits for the post').waitFor();
    // Without what was announced on the page before.
    await open(new URL(page.url()).pathname);
    await page.getByText('Waits for the post').waitFor();
    await inspect();
    expect(created()).toMatchObject([{ postId: comingPost.id }]);
    expect(created()[0]).not.toHaveProperty('platformPostId');

    await open('/automations/new');
    await page.getByRole('radio', { name: 'Every post' }).press('Space');
    await expect.poll(() => page.getByRole('radio', { name: /aus Huila/ }).count()).toBe(0);
    await inspect();
    await write();
    await page.getByRole('heading', { level: 1, name: /Spring offer|Every post/ }).waitFor();
    expect(created()[1]).toMatchObject({ appliesTo: 'every_post' });
  });
});

describe('an automation', () => {
  walk('/automations/$id', 'shows what became of the comments', async ({ page, api, open, inspect }) => {
    serveAutomations(api);
    await open(`/automations/${gated.id}`);
    await page.getByText('37 private messages wait').waitFor();
    const steps = page.getByRole('region', { name: 'What became of the comments' });
    expect(await steps.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Matched\s+2,912/),
      expect.stringMatching(/^Replied\s+2,905/),
      expect.stringMatching(/^Messaged\s+3,630/),
      expect.stringMatching(/^Clicked\s+1,798/),
    ]);
    await inspect();
  });

  panelTest('tries a comment, and is deleted', async ({ panel: { page, api, open } }) => {
    serveAutomations(api);
    await open(`/automations/${spring.id}`);
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('What is the price?');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('It matches “price”.').waitFor();
    await expect
      .poll(() => api.to('POST /v1/comment-automations/{id}/try').map(({ body }) => body))
      .toEqual([{ text: 'What is the price?' }]);
    await page.getByRole('button', { name: 'Delete automation' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete “Spring offer”?' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Delete automation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Automations' }).waitFor();
    await page.getByText('3 automations', { exact: true }).waitFor();
  });

  walk('/automations/$id/edit', 'is changed in what was edited only', async (panel) => {
    const { page, api, open, inspect } = panel;
    serveAutomations(api);
    await open(`/automations/${gated.id}/edit`);
    await page.getByRole('row', { name: 'please' }).getByRole('button').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Winter');
    await inspect();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
    await expect
      .poll(() => api.to(edits).map(({ body }) => body))
      .toEqual([{ name: 'Winter', keywords: gated.keywords.filter((each) => each !== 'please') }]);
  });
});
