import { describe, expect } from 'vitest';
import { listKeysOperation, listMembersOperation } from '../../../lib/people/operations.ts';
import { readPostOperation } from '../../../lib/posts/operations.ts';
import { editPostOperation } from '../../../lib/posts/request/operations.ts';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { serveComposer } from '../compose/support/serve.ts';
import { instagram, pinterest } from '../support/accounts.ts';
import { keyOf } from '../support/developers-data.ts';
import { refusal } from '../support/fake-api.ts';
import { serveNow } from '../support/now.ts';
import { answer } from '../support/operation-answers.ts';
import { panelTest } from '../support/panel.ts';
import { servePost } from '../support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../support/posts.ts';
import { walk } from '../support/walk.ts';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const agent = keyOf(1, { name: 'Agent of the shop', permissions: ['read', 'draft'] });
type Changes = Parameters<typeof listedPostOf>[1];

/** A draft that the agent proposes. */
function proposalOf(number: number, changes: Changes = {}, version = 1) {
  const scheduledFor = inMinutes(90);
  return listedPostOf(number, {
    status: 'draft',
    content: 'Summer blend is here.\nCome and taste it on Friday.',
    scheduledFor,
    platforms: [instagram, pinterest].map((each) => targetOf(each, { status: 'draft', scheduledFor })),
    approval: {
      state: 'waiting',
      version,
      requestedAt: inMinutes(-5),
      requestedBy: { kind: 'key', id: agent.id },
      decidedAt: null,
      decidedBy: null,
      note: null,
    },
    ...changes,
  });
}

const withThread = (post: ReturnType<typeof proposalOf>): PostView => {
  const whole = postOf(post);
  return {
    ...whole,
    platforms: whole.platforms.map((target) =>
      target.platform === 'pinterest'
        ? {
            ...target,
            customContent: 'Only for Pinterest',
            platformSpecificData: { thread: [{ content: 'And more below' }] },
          }
        : { ...target, platformSpecificData: { firstComment: 'See you there' } },
    ),
  };
};

function serve(api: Parameters<typeof serveNow>[0], posts: readonly ReturnType<typeof proposalOf>[]) {
  serveNow(api, { accounts: [instagram, pinterest], posts });
  answer(api, listKeysOperation, () => ({ keys: [agent] }));
  answer(api, listMembersOperation, () => ({ members: [] }));
}

describe('drafts that wait for a person', () => {
  walk(
    '/',
    'are on the first page, with who proposes what for when',
    async ({ page, api, open, inspect }) => {
      serve(api, [proposalOf(1), proposalOf(2, { content: 'No time', scheduledFor: null, platforms: [] })]);
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
    serve(api, [post]);
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

  panelTest('are named if they could not be read', async ({ panel: { page, api, open } }) => {
    serve(api, [listedPostOf(9, { scheduledFor: inMinutes(60), platforms: [targetOf(instagram)] })]);
    api.around('GET /v1/posts', async (reply, { query }) =>
      query.has('approval') ? refusal(503, 'unavailable', 'try again') : reply,
    );
    await open('/');
    await page.getByText('Not everything could be checked: drafts that wait for you').waitFor();
  });

  panelTest('are found behind pages of drafts that do not wait', async ({ panel: { page, api, open } }) => {
    serve(api, [proposalOf(1)]);
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
      serve(
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

  panelTest('are changed, and approved with the change', async ({ panel: { page, api, open } }) => {
    const post = proposalOf(1);
    serveComposer(api);
    serve(api, [post]);
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

  panelTest(
    'are not approved with a change before the person has looked at what else has changed',
    async ({ panel: { page, api, open } }) => {
      const post = proposalOf(1);
      serveComposer(api);
      serve(api, [post]);
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
    serve(api, [post]);
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
    serve(api, [post]);
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
      serve(api, [post]);
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
