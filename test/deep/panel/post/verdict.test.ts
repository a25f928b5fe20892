import { describe, expect } from 'vitest';
import { resolveTargetOperation, retryPostOperation } from '../../../../lib/posts/operations.ts';
import { threads, youtube } from '../../../panel/support/accounts.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';
import { failedTargetOf, liveTargetOf, servePost } from '../../../panel/support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../../../panel/support/posts.ts';

const due = '2026-03-02T08:00:00.000Z';
const verdicts = 'POST /v1/posts/{id}/targets/{accountId}/resolve';
const permalink = 'https://www.threads.test/p/42';

const doubtful = failedTargetOf(threads, 'unknown', {
  error: 'outcome unknown: check https://www.threads.net/@nordlicht before retrying',
});
const notLive = failedTargetOf(threads, 'retryable', {
  error: 'not live: a person has looked at the platform; a retry publishes the post again',
  errorDetail: { code: 'not_live', category: 'retryable', platformMessage: null, retryAt: null },
});
const postWith = (...platforms: ReturnType<typeof failedTargetOf>[]) =>
  listedPostOf(1, { status: 'failed', scheduledFor: due, content: 'Good morning', platforms });

describe('a destination of unknown outcome', () => {
  panelTest('is live once a person has said where', async ({ panel: { page, api, open } }) => {
    const post = postWith(doubtful);
    servePost(api, post);
    api.on(verdicts, refusal(409, 'already_resolved', 'a person has resolved this destination before'));
    await open(`/posts/${post.id}`);
    await page.getByText('Is it live?').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'It is live…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where is the post?' });
    const field = dialog.getByLabel('Address of the post');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    const confirm = dialog.getByRole('button', { name: 'It is live' });
    expect(await confirm.isDisabled()).toBe(true);
    await field.fill(permalink);
    await confirm.click();
    await dialog.getByText('Nothing has changed').waitFor();
    expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
    answer(api, resolveTargetOperation, () => {
      servePost(api, { ...postWith(liveTargetOf(threads, due, 31, { permalink })), status: 'published' });
      return { post: postOf(post), warnings: [] };
    });
    await confirm.click();
    await page.getByText('The post counts as published').waitFor();
    await expect
      .poll(() => api.to(verdicts).at(-1))
      .toMatchObject({
        path: `/v1/posts/${post.id}/targets/${threads.id}/resolve`,
        body: { outcome: 'live', permalink },
      });
    expect(await page.getByRole('link', { name: 'Open at Threads' }).getAttribute('href')).toBe(permalink);
    const heading = page.getByRole('heading', { name: 'nordlicht.threads' });
    await expect.poll(() => heading.evaluate((name) => name === document.activeElement)).toBe(true);
    expect(await page.getByText('Is it live?').count()).toBe(0);
  });

  panelTest('can be tried again once a person has said that it is not live', async ({ panel }) => {
    const { page, api, open } = panel;
    const other = failedTargetOf(youtube, 'retryable');
    const post = postWith(doubtful, other);
    servePost(api, post);
    answer(api, resolveTargetOperation, () => {
      servePost(api, postWith(notLive, other));
      return { post: postOf(post), warnings: [] };
    });
    answer(api, retryPostOperation, () => {
      servePost(api, postWith(targetOf(threads), other));
      return { post: postOf(post), warnings: [] };
    });
    await open(`/posts/${post.id}`);
    const begin = page.getByRole('button', { name: 'It is not live…' });
    await begin.click();
    const question = page.getByRole('dialog', { name: 'Is the post certainly not there?' });
    await expect
      .poll(() =>
        question.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement),
      )
      .toBe(true);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => begin.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(api.to(verdicts)).toEqual([]);
    await begin.click();
    await question.getByRole('button', { name: 'It is not live' }).click();
    const next = page.getByRole('dialog', { name: 'Try it again?' });
    await page.getByText('Somebody has looked: it is not live at Threads.').first().waitFor();
    await next.getByText('All 2 destinations that have failed are tried again.').waitFor();
    await expect.poll(() => api.to(verdicts).map(({ body }) => body)).toEqual([{ outcome: 'not live' }]);
    const retry = next.getByRole('button', { name: 'Try 2 destinations again' });
    await expect.poll(() => retry.evaluate((button) => button === document.activeElement)).toBe(true);
    // React Aria has announced that the button was pending, in a node that names the button for some seconds more.
    expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
    expect(api.to('POST /v1/posts/{id}/retry')).toEqual([]);
    await retry.click();
    await page.getByText('It is being tried again').waitFor();
    await expect.poll(() => api.to('POST /v1/posts/{id}/retry')).toHaveLength(1);
    const heading = page.getByRole('heading', { name: 'nordlicht.threads' });
    await expect.poll(() => heading.evaluate((name) => name === document.activeElement)).toBe(true);
  });
});
