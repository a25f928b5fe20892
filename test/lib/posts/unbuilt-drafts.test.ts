import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../lib/access/actor.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { duplicatePost } from '../../../lib/posts/duplicate.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture(await createTestTable());
});

const unbuilt = [{ field: 'mediaUrls', use: 'mediaItems' }, { field: 'requiresApproval' }];
const person: Actor = {
  kind: 'person',
  id: '019ca9a0-4e00-7000-8000-000000000009',
  role: 'owner',
  sessionId: 's',
  signedInAt: 0,
};
async function draft() {
  const { context, body } = fixture;
  const { post } = await createPost({ ...context, unbuilt }, body(), { rawBody: '{}' });
  const stored = async () => (await findPost(context.table, context.workspaceId, post.id))?.post;
  return { id: post.id, stored };
}

describe('a draft of a client that sent fields that are not built', () => {
  it('remembers them through other changes, and forgets those that a change deals with', async () => {
    const { id, stored } = await draft();
    expect((await stored())?.unbuilt).toEqual(unbuilt);
    await editPost(fixture.context, id, { content: 'New' });
    expect((await stored())?.unbuilt).toEqual(unbuilt);
    await editPost(fixture.context, id, { mediaItems: fixture.body().mediaItems });
    expect((await stored())?.unbuilt).toEqual([{ field: 'requiresApproval' }]);
    await editPost({ ...fixture.context, sentNames: ['requiresApproval'] }, id, {});
    expect((await stored())?.unbuilt).toBeUndefined();
  });

  it('is not scheduled by a key, and its copy is not either', async () => {
    const { id, stored } = await draft();
    const refusals = [
      'mediaUrls: is not supported; use mediaItems instead',
      'requiresApproval: is not supported; leave it out',
    ];
    const change = { scheduledFor: inOneHour };
    expect(await refusalsOf(editPost(fixture.context, id, change))).toEqual(refusals);
    const copied = duplicatePost(fixture.context, id, change, { rawBody: '{}' });
    expect(await refusalsOf(copied)).toEqual(refusals);
    expect(await stored()).toMatchObject({ status: 'draft', unbuilt });
  });

  it('is scheduled by a person, who sees it in the panel and gets a warning', async () => {
    const { id, stored } = await draft();
    const change = { scheduledFor: inOneHour };
    const { post, warnings } = await editPost({ ...fixture.context, actor: person }, id, change);
    expect(post.status).toBe('scheduled');
    expect(warnings.map(({ field }) => field)).toEqual(['mediaUrls', 'requiresApproval']);
    expect((await stored())?.unbuilt).toBeUndefined();
  });

  it('remembers them again if a scheduled post becomes a draft with such a field', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const sent = { ...fixture.context, unbuilt };
    expect(await refusalsOf(editPost(sent, post.id, { content: 'New' }))).toHaveLength(2);
    const edited = await editPost(sent, post.id, { isDraft: true });
    expect(edited.post).toMatchObject({ status: 'draft', unbuilt });
  });
});
