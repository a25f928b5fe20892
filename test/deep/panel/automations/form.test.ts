import { describe, expect } from 'vitest';
import { listPostsOperation } from '../../../../lib/posts/operations.ts';
import { accountOf, instagram, replyOf } from '../../../panel/support/accounts.ts';
import { gated, livePosts, serveAutomations, spring } from '../../../panel/support/automations.ts';
import { ok, refusal } from '../../../panel/support/fake-api.ts';
import { meOf, panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';
import { listedPostOf } from '../../../panel/support/posts.ts';

const create = 'POST /v1/comment-automations';
const edit = 'PATCH /v1/comment-automations/{id}';
const free = livePosts[4]?.platforms[0]?.platformPostId ?? '';

describe('a new automation', () => {
  panelTest(
    'is written from the keyboard beside what people will see',
    async ({ panel: { page, api, open } }) => {
      serveAutomations(api);
      await open('/automations/new');
      // The only account that can do it is chosen.
      await page.getByRole('radio', { name: /So rösten wir/ }).focus();
      await page.keyboard.press('Space');
      const keywords = page.getByRole('textbox', { name: 'Keywords' });
      await keywords.focus();
      await page.keyboard.type('link, price');
      await page.keyboard.press('Enter');
      await page.keyboard.type('preis,');
      expect(await page.getByRole('row').allInnerTexts()).toEqual(['link', 'price', 'preis']);
      await page.getByText('Tolerate typing errors').click();
      await page.getByRole('textbox', { name: 'Reply' }).fill('See your messages');
      await page
        .getByRole('textbox', { name: 'Message' })
        .fill('Here: https://nordlicht.example/a/very/long/address');
      await page.getByText('37 of 1,000 bytes (as sent, with short links)').waitFor();
      await page.getByRole('button', { name: 'Add a button' }).press('Enter');
      await page.keyboard.type('Open');
      await page.keyboard.press('Tab');
      await page.keyboard.type('nordlicht.example/b');
      await page.getByText('Ask people to follow first').click();
      await page.getByRole('textbox', { name: 'Question' }).fill('Do you follow us?');
      await page.getByRole('textbox', { name: 'Button', exact: true }).fill('I do');
      await page.getByRole('textbox', { name: 'If they do not follow' }).fill('Not yet!');
      // A real comment is matched as it is typed.
      await page.getByRole('textbox', { name: 'Comment to try' }).fill('what is the prcie?');
      await page.getByText('Matches “price”').waitFor();
      const phone = page.getByRole('region', { name: 'What people see' });
      expect(await phone.locator('mark').innerText()).toBe('prcie');
      expect(await phone.innerText()).toMatch(
        /See your messages[\s\S]*Do you follow us\?\s+I do[\s\S]*do not follow you\s+Not yet![\s\S]*and follow you\s+Here: https:\/\/api.test\/r\/…\s+Open/,
      );
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Comment to try' }).fill('Beautiful!');
      await page.getByText('No keyword matches: nothing is sent').waitFor();
      await page.getByRole('button', { name: 'Create automation' }).press('Enter');
      await page.getByRole('region', { name: 'Notices' }).getByText('is created').waitFor();
      await expect
        .poll(() => api.to(create).map(({ body }) => body))
        .toEqual([
          {
            accountId: instagram.id,
            platformPostId: free,
            name: null,
            isActive: true,
            keywords: ['link', 'price', 'preis'],
            matchMode: 'contains',
            typoTolerance: true,
            commentReply: 'See your messages',
            dmMessage: 'Here: https://nordlicht.example/a/very/long/address',
            buttons: [{ type: 'url', title: 'Open', url: 'https://nordlicht.example/b' }],
            followGate: {
              message: 'Do you follow us?',
              buttonLabel: 'I do',
              notFollowingMessage: 'Not yet!',
            },
            trackLinks: true,
          },
        ]);
      // Nothing is kept of what is saved.
      await open('/automations/new');
      expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('');
    },
  );

  panelTest(
    'survives a reload and the end of a session, and shows problems at their fields',
    async ({ panel }) => {
      const { page, api, open } = panel;
      serveAutomations(api);
      let isSignedIn = true;
      api
        .on('GET /panel/me', () => (isSignedIn ? ok(meOf()) : refusal(401, 'session_ended', 'ended')))
        .on('GET /panel/sign-in', () => {
          isSignedIn = true;
          return { status: 303, body: undefined, headers: { location: '/signed-in' } };
        })
        .on(create, () =>
          isSignedIn
            ? refusal(400, 'field_too_long', 'dmMessage: is too long', [
                { param: 'dmMessage', message: 'is sent as 1100 bytes, but at most 1000 are allowed' },
                { param: 'accountId', message: 'needs the feature messages' },
              ])
            : refusal(401, 'session_ended', 'the session has ended'),
        );
      // Both are given, as from the page of a post.
      await open(`/automations/new?account=${instagram.id}&post=${free}`);
      await expect.poll(() => page.getByRole('radio', { name: /So rösten wir/ }).isChecked()).toBe(true);
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await page.getByRole('checkbox', { name: 'Reply below the comment' }).press('Space');
      await page.getByText('Kept in this browser until you save.').waitFor();
      await page.reload();
      await page.getByText('What you had not saved is back.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Hello');
      expect(await page.getByRole('textbox', { name: 'Reply' }).count()).toBe(0);
      isSignedIn = false;
      await page.getByRole('button', { name: 'Create automation' }).click();
      const opened = page.context().waitForEvent('page');
      await page
        .getByRole('dialog', { name: 'Your session has ended' })
        .getByRole('button', { name: 'Sign in' })
        .click();
      await opened;
      await page.getByText('Is sent as 1100 bytes, but at most 1000 are allowed.').waitFor();
      await page.getByText('Needs the feature messages.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Message' }).getAttribute('aria-invalid')).toBe('true');
      expect(await violationsIn(page)).toEqual([]);
    },
  );

  panelTest(
    'is for a post without one, of an account that can do it',
    async ({ panel: { page, api, open } }) => {
      const without = accountOf(61, { capabilities: ['publish'], displayName: 'No comments' });
      const noMessages = accountOf(62, { capabilities: ['publish', 'comments'], displayName: 'No messages' });
      serveAutomations(api, { accounts: [instagram, without, noMessages] });
      await open('/automations/new');
      await page.getByText('Other Instagram accounts are missing here').waitFor();
      await page.getByRole('combobox', { name: 'Instagram account' }).press('ArrowDown');
      expect(await page.getByRole('option').allInnerTexts()).toEqual([
        expect.stringContaining('Nordlicht Kaffee'),
        expect.stringContaining('No messages'),
      ]);
      await page.getByRole('option', { name: /No messages/ }).click();
      await page.getByText('This account has not allowed Herald to send messages.').waitFor();
      await page.getByText('Herald has no posts for this account yet.').waitFor();
      await open(`/automations/new?account=${instagram.id}&post=${spring.platformPostId}`);
      await page.getByRole('alert').getByText('This post already has an automation').waitFor();
      await page.getByRole('radio', { name: /Another post/ }).press('Space');
      const id = page.getByRole('textbox', { name: 'The post’s address or id at Instagram' });
      await id.fill('https://www.instagram.com/p/somewhere/');
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await page.getByRole('textbox', { name: 'Reply' }).fill('Hello');
      await page.getByRole('button', { name: 'Create automation' }).click();
      await page.getByText('No post with this address is chosen.').waitFor();
      api.on(create, refusal(404, 'not_found', 'live post of a connected account not found'));
      await id.fill('4711');
      await page.getByRole('button', { name: 'Create automation' }).click();
      await page.getByText('This account has no live post with that id.').waitFor();
      await expect.poll(() => api.to(create)).toHaveLength(1);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await scrollsSideways(page)).toBe(false);
      serveAutomations(api, { accounts: [without] });
      await page.reload();
      await page.getByRole('heading', { name: 'No account can do this yet' }).waitFor();
    },
  );

  panelTest(
    'says what there is already, if it is for the next post',
    async ({ panel: { page, api, open } }) => {
      const automation = { ...spring, appliesTo: 'next_post' } as const;
      serveAutomations(api).on(create, () => ok({ ok: true, existing: true, automation }));
      await open('/automations/new');
      await page.getByRole('radio', { name: /The next post/ }).press('Space');
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await page.getByRole('textbox', { name: 'Reply' }).fill('Hello');
      await page.getByRole('button', { name: 'Create automation' }).click();
      await page.getByRole('alert').getByText('The next post already has an automation').waitFor();
    },
  );

  panelTest(
    'finds its post among hundreds by words, and shows its preview before it is saved',
    async ({ panel: { page, api, open } }) => {
      const [first] = livePosts;
      const posts = Array.from({ length: 60 }, (_, number) => {
        const content = number === 47 ? 'Tasting on Friday, at the mill' : `Post ${number}`;
        const platforms = (first?.platforms ?? []).map((target) => ({
          ...target,
          platformPostId: `180000${number}`,
        }));
        return listedPostOf(800 + number, { content, status: 'published', platforms });
      });
      serveAutomations(api).on('GET /v1/posts', ({ query }) => {
        const from = Number(query.get('cursor') ?? 0);
        const end = from + Number(query.get('limit'));
        return replyOf(listPostsOperation, {
          posts: posts.slice(from, end),
          nextCursor: end < posts.length ? String(end) : null,
        });
      });
      await page.setViewportSize({ width: 360, height: 780 });
      await open('/automations/new');
      await page.getByRole('radio', { name: /Post 19/ }).waitFor();
      const search = page.getByRole('searchbox', { name: 'Search posts' });
      await search.fill('friday tasting');
      await page.getByText('1 post found among the newest 60.').waitFor();
      await search.press('Enter');
      expect(api.to(create)).toEqual([]);
      await page.getByRole('radio', { name: /Tasting on Friday/ }).press('Space');
      await search.fill('');
      expect(await page.getByRole('radio', { name: /Tasting on Friday/ }).isChecked()).toBe(true);
      expect(await scrollsSideways(page)).toBe(false);
      const preview = await page.getByRole('region', { name: 'What people see' }).boundingBox();
      const save = await page.getByRole('button', { name: 'Create automation' }).boundingBox();
      expect(preview?.y ?? 0).toBeLessThan(save?.y ?? 0);
      expect(await violationsIn(page)).toEqual([]);
    },
  );
});

describe('an automation that is changed', () => {
  panelTest(
    'sends only what was changed, also if somebody else has changed it',
    async ({ panel: { page, api, open } }) => {
      serveAutomations(api);
      await open(`/automations/${gated.id}/edit`);
      await page.getByRole('row', { name: 'please' }).getByRole('button').click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Winter');
      await page.getByText('Kept in this browser').waitFor();
      serveAutomations(api, { automations: [{ ...gated, commentReply: 'By somebody else' }], detailsOf: [] });
      await page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
      await page.getByText('Somebody has changed this automation meanwhile.').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
      await expect
        .poll(() => api.to(edit).map(({ body }) => body))
        .toEqual([{ name: 'Winter', keywords: gated.keywords.filter((each) => each !== 'please') }]);
      await page.getByText('By somebody else').waitFor();
    },
  );
});
