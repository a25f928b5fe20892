import { beforeAll, describe, expect, it } from 'vitest';
import type { Media } from '../../../lib/media/schemas.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
let odd: Media;
beforeAll(async () => {
  const table = await createTestTable();
  fixture = await openFixture(table);
  // As plain ffmpeg encodes it.
  odd = await storeMedia(table, fixture.context.workspaceId, {
    filename: 'odd.mp4',
    contentType: 'video/mp4',
    probe: { hasEditList: true, moovFirst: true },
  });
});

const warning = (field: string) => ({
  accountId: fixture.instagram.id,
  platform: 'instagram',
  field,
  code: 'media_structure',
  message: expect.stringContaining('the video has an edit list, which Instagram advises against'),
});
const withOddVideo = (changes: object = {}) => ({ mediaItems: [mediaItem(odd)], ...changes });

describe('a warning', () => {
  it('is reported by validating, which finds no problem', async () => {
    const { context, body } = fixture;
    expect(await validatePost(context, body(withOddVideo()))).toEqual({
      problems: [],
      warnings: [warning('mediaItems[0]')],
      adaptations: [],
      cards: [],
    });
  });

  it('is reported by creating, which stores the post all the same', async () => {
    const { post, warnings } = await fixture.create(withOddVideo({ scheduledFor: inOneHour }));
    expect(warnings).toEqual([warning('mediaItems[0]')]);
    const stored = await findPost(fixture.context.table, fixture.context.workspaceId, post.id);
    expect(stored?.post).toEqual(post);
    expect(JSON.stringify(stored)).not.toContain('edit list');
  });

  it('is not repeated for a replay, nor made for a draft, which is not checked', async () => {
    const key = { idempotencyKey: 'odd' };
    const scheduled = withOddVideo({ scheduledFor: inOneHour, ...key });
    expect((await fixture.create(scheduled)).warnings).toHaveLength(1);
    expect(await fixture.create(scheduled)).toMatchObject({ replayed: true, warnings: [] });
    expect((await fixture.create(withOddVideo())).warnings).toEqual([]);
  });

  it('is reported by an edit that brings the file, or schedules the draft', async () => {
    const { post } = await fixture.create(withOddVideo());
    expect((await editPost(fixture.context, post.id, { content: 'New' })).warnings).toEqual([]);
    const edited = await editPost(fixture.context, post.id, { scheduledFor: inOneHour });
    expect(edited.warnings).toEqual([warning('mediaItems[0]')]);
  });

  it('names the place of the file: a destination’s own media, or a step of the chain', async () => {
    const { instagram, youtube, context, body } = fixture;
    const platforms = [{ accountId: instagram.id, customMedia: [mediaItem(odd)] }];
    const chain = [
      { kind: 'followUp', accountIds: [instagram.id], content: 'More', mediaItems: [mediaItem(odd)] },
    ];
    expect((await validatePost(context, body({ platforms, chain }))).warnings).toEqual([
      warning('platforms[0].customMedia[0]'),
      warning('chain[0].mediaItems[0]'),
    ]);
    const elsewhere = [{ accountId: youtube.id, platformSpecificData: { title: 'T' } }];
    expect((await validatePost(context, body(withOddVideo({ platforms: elsewhere })))).warnings).toEqual([]);
  });
});
