import { describe, expect } from 'vitest';
import { listAccountPostsOperation } from '../../../../lib/automations/operations.ts';
import { instagram, replyOf } from '../../../panel/support/accounts.ts';
import { elsewhere, serveAutomations, spring } from '../../../panel/support/automations.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { panelTest } from '../../../panel/support/panel.ts';

const pictures = 'GET /v1/accounts/{id}/posts/{platformPostId}/picture';
const pathOf = (post?: { platformPostId: string }) =>
  `/v1/accounts/${instagram.id}/posts/${post?.platformPostId}/picture`;

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
});
