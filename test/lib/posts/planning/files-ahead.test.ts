import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import type { PlatformRules, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { createPost, type PostsContext } from '../../../../lib/posts/create.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { EditPostBody } from '../../../../lib/posts/request/schemas.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { changeTarget, startMs, storeMedia } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, mediaItem, openFixture } from '../fixture.ts';

const leadMs = 10 * minuteMs;
const until = toTimestamp(startMs + hourMs - leadMs);
const since = toTimestamp(startMs);

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let context: PostsContext;
let png: Media;
let awaited: Media;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
  const { workspaceId } = fixture.context;
  const probe = { width: 800, height: 600 };
  png = await storeMedia(table, workspaceId, { filename: 'a.png', contentType: 'image/png', probe });
  awaited = await storeMedia(table, workspaceId, { status: 'pending' });
  const real = await fixture.context.rulesFor('instagram');
  if (!real) throw new Error('Instagram has no rules');
  // Its preparation begins ten minutes ahead, and it takes JPEG alone.
  const rules: PlatformRules = {
    ...{ options: real.options, leadSeconds: () => leadMs / secondMs },
    check: ({ media }: PublishableContent) =>
      media.flatMap(({ contentType }, index) =>
        contentType === 'image/jpeg'
          ? []
          : [{ field: `mediaItems[${index}]`, code: 'media_type', message: 'must be a JPEG' }],
      ),
    fileLimits: ({ media }: PublishableContent) => ({
      media: media.map(() => ({ contentTypes: ['image/jpeg'], bytes: 8_000_000 })),
    }),
  } as PlatformRules;
  context = { ...fixture.context, rulesFor: () => rules };
});

const create = (file: Media, changes: object = {}) => {
  const body = fixture.body({ mediaItems: [mediaItem(file)], scheduledFor: inOneHour, ...changes });
  return createPost(context, body, { rawBody: '{}' });
};
const at = (milliseconds: number) => toTimestamp(startMs + milliseconds);

describe('a planned destination', () => {
  it('is woken at once if a file must be converted', async () => {
    const { targets } = await create(png);
    expect(targets).toMatchObject([
      { wakeAt: since, awaitsFiles: { since, until }, scheduledFor: inOneHour },
    ]);
  });

  it('is woken a moment later if a file has not arrived', async () => {
    const { targets } = await create(awaited);
    expect(targets).toMatchObject([{ wakeAt: at(15 * secondMs), awaitsFiles: { since, until } }]);
  });

  it.each([
    ['its files fit', () => create(fixture.image), until],
    ['it has no files', () => create(fixture.image, { mediaItems: [] }), until],
    ['it is due at once', () => create(png, { scheduledFor: undefined, publishNow: true }), since],
    ['its preparation begins at once', () => create(png, { scheduledFor: at(leadMs) }), since],
  ] as const)('has its usual wake if %s', async (_case, attempt, wakeAt) => {
    const { targets } = await attempt();
    expect(targets).toMatchObject([{ wakeAt }]);
    expect(targets[0]?.awaitsFiles).toBeUndefined();
  });

  it('has no wake as a draft', async () => {
    const { targets } = await create(png, { scheduledFor: undefined });
    expect(targets[0]).toMatchObject({ status: 'draft' });
    expect(targets[0]).not.toHaveProperty('wakeAt');
    expect(targets[0]).not.toHaveProperty('awaitsFiles');
  });
});

describe('an edit', () => {
  const edit = (id: string, patch: object) =>
    editPost({ ...context, now: startMs + minuteMs }, id, EditPostBody.parse(patch));

  it('that changes nothing leaves a destination that waits for its files alone', async () => {
    const { post, targets } = await create(png);
    const [edited] = (await edit(post.id, { scheduledFor: inOneHour })).targets;
    expect(edited).toMatchObject({
      wakeAt: since,
      wakeNumber: targets[0]?.wakeNumber,
      awaitsFiles: { since },
    });
  });

  it('that moves a destination wakes it again for its files', async () => {
    const { post } = await create(png);
    const { targets } = await edit(post.id, { scheduledFor: at(3 * hourMs) });
    const begun = at(minuteMs);
    expect(targets).toMatchObject([
      { wakeAt: begun, awaitsFiles: { since: begun, until: at(3 * hourMs - leadMs) } },
    ]);
  });

  it('that moves a destination which is being prepared does not', async () => {
    const { post, targets } = await create(png);
    const [target] = targets;
    if (!target) throw new Error('no target');
    await changeTarget(table, target, {
      preparation: { containerId: 'c1' },
      preparingSince: since,
      awaitsFiles: null,
    });
    const moved = (await edit(post.id, { scheduledFor: at(3 * hourMs) })).targets;
    expect(moved).toMatchObject([{ wakeAt: at(3 * hourMs - leadMs), preparation: { containerId: 'c1' } }]);
    expect(moved[0]?.awaitsFiles).toBeUndefined();
  });
});
