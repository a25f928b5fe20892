import { describe, expect } from 'vitest';
import { readPostOperation } from '../../../lib/posts/operations.ts';
import { editPostOperation } from '../../../lib/posts/request/operations.ts';
import { serveComposer } from '../compose/support/serve.ts';
import { instagram, pinterest } from '../support/accounts.ts';
import { answer } from '../support/operation-answers.ts';
import { panelTest } from '../support/panel.ts';
import { servePost } from '../support/post-page.ts';
import { postOf } from '../support/posts.ts';
import { proposalOf, serveProposals, withThread } from '../support/proposals.ts';
import { walk } from '../support/walk.ts';

describe('drafts that wait for a person', () => {
  walk(
    '/',
    'are on the first page, with who proposes what for when',
    async ({ page, api, open, inspect }) => {
      serveProposals(api, [
        proposalOf(1),
        proposalOf(2, { content: 'No time', scheduledFor: null, platforms: [] }),
      ]);
      await open('/');
      const rows = page.getByRole('list', { name: 'Drafts that wait for you' }).getByRole('listitem');
      await expect.poll(() => rows.count()).toBe(2);
      const blend = rows.filter({ hasText: 'Summer blend' });
      const text = async () => (await blend.innerText()).replace(/\s+/g, ' ');
      await expect.poll(text).toContain('Come and taste it on Friday.');
      await expect.poll(text).toContain('Proposed by Agent of the shop');
      await expect.poll(text).toContain('Proposed for');
      await page.getByRole('heading', { name: 'All else is well' }).waitFor();
      await inspect();
    },
  );

  walk('/posts/$id', 'are shown whole, and approved for their time', async ({ page, api, open, inspect }) => {
    const post = proposalOf(1);
    serveProposals(api, [post]);
    servePost(api, post, { accounts: [instagram, pinterest] });
    answer(api, readPostOperation, () => ({ post: withThread(post) }));
    answer(api, editPostOperation, () => {
      const approved = { ...postOf(post), status: 'scheduled' as const, approval: null };
      answer(api, readPostOperation, () => ({ post: approved }));
      return { post: approved, warnings: [] };
    });
    await open('/');
    await page.getByRole('link', { name: /^Review/ }).press('Enter');
    const section = page.getByRole('region', { name: 'Waiting for you' });
    for (const each of [
      'Come and taste it on Friday.',
      'Only for Pinterest',
      'And more below',
      'See you there',
    ])
      await section.getByText(each).waitFor();
    await inspect();
    await section.getByRole('button', { name: 'Approve…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /At the proposed time/ }).waitFor();
    await inspect();
    await dialog.getByRole('button', { name: 'Approve' }).press('Enter');
    await page.getByText('Approved', { exact: true }).waitFor();
    expect(api.to('PATCH /v1/posts/{id}').map(({ body }) => body)).toEqual([
      { isDraft: false, ifVersion: 1 },
    ]);
    await section.waitFor({ state: 'detached' });
  });

  panelTest('are changed, and approved with the change', async ({ panel: { page, api, open } }) => {
    const post = proposalOf(1);
    serveComposer(api);
    serveProposals(api, [post]);
    servePost(api, post, { accounts: [instagram, pinterest] });
    answer(api, editPostOperation, () => ({ post: postOf(post), warnings: [] }));
    await open(`/posts/${post.id}`);
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Summer blend, from Friday on');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
      .toMatchObject([{ content: 'Summer blend, from Friday on', isDraft: false, ifVersion: 1 }]);
  });
});
