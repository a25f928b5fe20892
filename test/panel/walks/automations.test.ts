import { describe, expect } from 'vitest';
import { listAccountPostsOperation } from '../../../lib/automations/operations.ts';
import { instagram, replyOf } from '../support/accounts.ts';
import { comingPost, elsewhere, gated, livePosts, serveAutomations, spring } from '../support/automations.ts';
import { refusal } from '../support/fake-api.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const pictures = 'GET /v1/accounts/{id}/posts/{platformPostId}/picture';
const pathOf = (post?: { platformPostId: string }) =>
  `/v1/accounts/${instagram.id}/posts/${post?.platformPostId}/picture`;
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

describe('an automation that messages start', () => {
  panelTest('needs a keyword, and has no public reply', async ({ panel: { page, api, open } }) => {
    serveAutomations(api);
    await open('/automations/new');
    await page.getByRole('radio', { name: /^Messages with a keyword/ }).press('Space');
    await expect.poll(() => page.getByRole('textbox', { name: 'Reply' }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Here you are');
    await page.getByText('Ask people to follow first').click();
    await page.getByRole('textbox', { name: 'Button', exact: true }).fill('I follow you');
    await page.getByRole('textbox', { name: 'If they do not follow' }).fill('Follow us first');
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByText('otherwise every message would be answered').waitFor();
    await page.getByRole('textbox', { name: 'Keywords' }).fill('price');
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Messages with a keyword' }).waitFor();
    await page.getByRole('region', { name: 'What became of the messages' }).waitFor();
    const sent = api.to('POST /v1/comment-automations').map(({ body }) => body);
    expect(sent).toMatchObject([
      {
        appliesTo: 'direct_messages',
        keywords: ['price'],
        commentReply: null,
        dmMessage: 'Here you are',
        followGate: { notFollowingMessage: 'Follow us first' },
      },
    ]);
  });

  panelTest('says that the account has one already', async ({ panel: { page, api, open } }) => {
    serveAutomations(api);
    const make = async () => {
      await open('/automations/new');
      await page.getByRole('radio', { name: /^Replies to stories/ }).press('Space');
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Here you are');
      await page.getByRole('button', { name: 'Create automation' }).click();
    };
    await make();
    await page.waitForURL(/\/automations\/(?!new)/);
    await make();
    await page.getByText('Replies to stories already have an automation').waitFor();
  });
});

describe('a post that was made elsewhere', () => {
  panelTest('is chosen from Instagram’s list, or by its address', async ({ panel: { page, api, open } }) => {
    serveAutomations(api);
    await open('/automations/new');
    await page.getByRole('radio', { name: /Another post/ }).press('Space');
    const phone = page.getByRole('radio', { name: /Vom Handy.*Picture/ });
    await phone.press('Space');
    expect(await phone.isChecked()).toBe(true);
    await page.getByRole('radio', { name: /Another post/ }).press('Space');
    await page.getByRole('textbox', { name: /address or id/ }).fill('https://www.instagram.com/p/old/');
    await page.getByRole('radio', { name: /Unser erster Post/ }).press('Space');
    await page.getByRole('textbox', { name: 'Message' }).fill('Here: https://nordlicht.example/a');
    await page.getByRole('textbox', { name: 'Reply' }).fill('See your messages');
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.waitForURL(/\/automations\/(?!new)/);
    const sent = api.to('POST /v1/comment-automations').map(({ body }) => body);
    expect(sent).toMatchObject([{ platformPostId: '17990000000090002' }]);
  });

  panelTest('shows its picture, or says that there is none', async ({ panel: { page, api, open } }) => {
    serveAutomations(api);
    await open('/automations/new');
    await page.getByRole('radio', { name: /Another post/ }).press('Space');
    await page.getByText('Vom Handy: der neue Laden').scrollIntoViewIfNeeded();
    const width = () =>
      page.locator('label img[src^="data:"]').evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth);
    await expect.poll(width).toBe(8);
    await page.getByRole('textbox', { name: /address or id/ }).fill('https://www.instagram.com/p/old/');
    await page.getByText('Unser erster Post').scrollIntoViewIfNeeded();
    await page.getByRole('radio', { name: /^No picture Unser erster Post/ }).waitFor();
    // Nobody asks for a picture that the platform does not name.
    expect(api.to(pictures).map(({ path }) => path)).toEqual([pathOf(elsewhere)]);
  });

  panelTest(
    'asks for its picture once it is in sight, for at most three at a time',
    async ({ panel: { page, api, open } }) => {
      serveAutomations(api);
      const posts = Array.from({ length: 30 }, (_, place) => ({
        ...elsewhere,
        platformPostId: `${17_990_000_000_010_000n + BigInt(place)}`,
        text: `Post ${place}.`,
      }));
      api.on('GET /v1/accounts/{id}/posts', replyOf(listAccountPostsOperation, { posts, nextCursor: null }));
      const held: (() => void)[] = [];
      api.around(pictures, async (reply) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return reply;
      });
      await open('/automations/new');
      await page.getByRole('radio', { name: /Another post/ }).press('Space');
      await page.getByText('Post 2.').scrollIntoViewIfNeeded();
      await expect.poll(() => held.length).toBe(3);
      await page.getByText('Post 29.').scrollIntoViewIfNeeded();
      await page.getByRole('radio', { name: /Post 29\./ }).press('Space');
      expect(held.length).toBe(3);
      api.on(pictures, refusal(404, 'not_found', 'no such post'));
      for (const release of held) release();
      await page.getByRole('radio', { name: /^No picture Post 29\./ }).waitFor();
      const asked = api.to(pictures).map(({ path }) => path);
      expect(asked).not.toContain(pathOf(posts[15]));
      expect(asked.slice(3)).toContain(pathOf(posts[29]));
    },
  );
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

  panelTest('lists its conversations, and those in a state', async ({ panel: { page, api, open } }) => {
    serveAutomations(api);
    await open(`/automations/${spring.id}`);
    const log = page.getByRole('table', { name: 'Conversations' });
    await expect.poll(() => log.getByRole('row').count()).toBe(6);
    expect(await log.getByRole('row', { name: /@ada.failed/ }).innerText()).toMatch(
      /Not sent[\s\S]*no longer accepted/,
    );
    await page.getByRole('button', { name: /Any state/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Waits', exact: true }).click();
    await expect.poll(() => log.getByRole('row').count()).toBe(2);
    expect(await log.innerText()).toContain('@ada.waiting');
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
