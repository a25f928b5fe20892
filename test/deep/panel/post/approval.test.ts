import { describe, expect } from 'vitest';
import { readPostOperation } from '../../../../lib/posts/operations.ts';
import { editPostOperation } from '../../../../lib/posts/request/operations.ts';
import { serveComposer } from '../../../panel/compose/support/serve.ts';
import { instagram, pinterest } from '../../../panel/support/accounts.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { panelTest } from '../../../panel/support/panel.ts';
import { servePost } from '../../../panel/support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../../../panel/support/posts.ts';
import { agent, inMinutes, proposalOf, serveProposals } from '../../../panel/support/proposals.ts';

describe('drafts that wait for a person', () => {
  panelTest('are named if they could not be read', async ({ panel: { page, api, open } }) => {
    serveProposals(api, [listedPostOf(9, { scheduledFor: inMinutes(60), platforms: [targetOf(instagram)] })]);
    api.around('GET /v1/posts', async (reply, { query }) =>
      query.has('approval') ? refusal(503, 'unavailable', 'try again') : reply,
    );
    await open('/');
    await page.getByText('Not everything could be checked: drafts that wait for you').waitFor();
  });

  panelTest('are found behind pages of drafts that do not wait', async ({ panel: { page, api, open } }) => {
    serveProposals(api, [proposalOf(1)]);
    api.around('GET /v1/posts', async (reply, { query }) =>
      query.get('approval') === 'waiting' && !query.has('cursor')
        ? { status: 200, body: { posts: [], nextCursor: 'next' } }
        : reply,
    );
    await open('/');
    const waiting = page.getByRole('list', { name: 'Drafts that wait for you' });
    await waiting.getByRole('link', { name: 'Summer blend is here.', exact: true }).waitFor();
  });

  panelTest(
    'are shown in part if they are many, until all are wanted',
    async ({ panel: { page, api, open } }) => {
      serveProposals(
        api,
        Array.from({ length: 30 }, (_, number) => proposalOf(number, { content: `Blend ${number}` })),
      );
      await open('/');
      const rows = page.getByRole('list', { name: 'Drafts that wait for you' }).getByRole('listitem');
      await expect.poll(() => rows.count()).toBe(8);
      await page
        .getByRole('region', { name: 'Waiting for you' })
        .getByRole('button', { name: 'Show all 30' })
        .press('Enter');
      await expect.poll(() => rows.count()).toBe(30);
    },
  );

  panelTest(
    'are not approved with a change before the person has looked at what else has changed',
    async ({ panel: { page, api, open } }) => {
      const post = proposalOf(1);
      serveComposer(api);
      serveProposals(api, [post]);
      servePost(api, post, { accounts: [instagram, pinterest] });
      const changed = postOf(proposalOf(1, { content: 'Something else' }, 2));
      api.on('PATCH /v1/posts/{id}', () => {
        answer(api, readPostOperation, () => ({ post: changed }));
        return refusal(409, 'post_changed', 'ifVersion: the post has changed since version 1; read it again');
      });
      await open(`/posts/${post.id}/edit`);
      const schedule = page.getByRole('button', { name: 'Schedule', exact: true });
      const versions = () =>
        api.to('PATCH /v1/posts/{id}').map(({ body }) => (body as { ifVersion?: number }).ifVersion);
      await schedule.click();
      const seen = page.getByRole('button', { name: 'I have looked at it' });
      await seen.waitFor();
      await schedule.click();
      expect(versions()).toEqual([1]);
      await seen.click();
      await schedule.click();
      await expect.poll(versions).toEqual([1, 2]);
    },
  );

  panelTest('are declined with a reason', async ({ panel: { page, api, open } }) => {
    const post = proposalOf(1);
    serveProposals(api, [post]);
    servePost(api, post, { accounts: [instagram, pinterest] });
    const decided = { decidedAt: inMinutes(0), decidedBy: { kind: 'key' as const, id: agent.id } };
    answer(api, editPostOperation, () => {
      const approval = post.approval && {
        ...post.approval,
        ...decided,
        state: 'declined' as const,
        note: 'Too early',
      };
      answer(api, readPostOperation, () => ({ post: { ...postOf(post), approval } }));
      return { post: { ...postOf(post), approval }, warnings: [] };
    });
    await open(`/posts/${post.id}`);
    await page.getByRole('button', { name: 'Decline…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Too early');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('Declined by').waitFor();
    await page.getByText('Too early').waitFor();
    expect(api.to('PATCH /v1/posts/{id}').map(({ body }) => body)).toEqual([
      { decline: { note: 'Too early' }, ifVersion: 1 },
    ]);
  });

  panelTest('are not approved for a time that has passed', async ({ panel: { page, api, open } }) => {
    const post = proposalOf(1, { scheduledFor: inMinutes(-30) });
    serveProposals(api, [post]);
    servePost(api, post, { accounts: [instagram, pinterest] });
    await open(`/posts/${post.id}`);
    await page.getByText('The proposed time has passed').waitFor();
    await page.getByRole('button', { name: 'Approve…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'In the next free slot' }).waitFor();
    expect(await dialog.getByRole('radio', { name: /proposed time/ }).count()).toBe(0);
  });

  panelTest(
    'are looked at again if they change before the decision',
    async ({ panel: { page, api, open } }) => {
      const post = proposalOf(1);
      serveProposals(api, [post]);
      servePost(api, post, { accounts: [instagram, pinterest] });
      api.on('PATCH /v1/posts/{id}', () => {
        answer(api, readPostOperation, () => ({
          post: postOf(proposalOf(1, { content: 'Something else' }, 2)),
        }));
        return refusal(409, 'post_changed', 'ifVersion: the post has changed since version 1; read it again');
      });
      await open(`/posts/${post.id}`);
      await page.getByRole('button', { name: 'Approve…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog').getByText('The draft was not approved').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The draft has changed since you opened this page.').waitFor();
      expect(await page.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'I have looked at it' }).click();
      expect(await page.getByRole('button', { name: 'Approve…' }).isEnabled()).toBe(true);
    },
  );
});
