import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import { askedShapes } from '../../../../lib/media/renditions/adapt.ts';
import { duplicatePost } from '../../../../lib/posts/duplicate.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { readPost } from '../../../../lib/posts/read.ts';
import { CreatePostBody, DuplicatePostBody, EditPostBody } from '../../../../lib/posts/request/schemas.ts';
import type { PostWithTargets } from '../../../../lib/posts/stored/store.ts';
import { validatePost } from '../../../../lib/posts/validate.ts';
import { PostView } from '../../../../lib/posts/view/schemas.ts';
import { toPostView } from '../../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { changeTarget, startMs, storeAccount, storeMedia } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openFixture, refusalsOf } from '../fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let photo: ReturnType<typeof mediaItem>;
let png: ReturnType<typeof mediaItem>;
let tiktokId: string;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
  const { workspaceId } = fixture.context;
  const probe = { width: 3_024, height: 4_032, hasAlpha: false, isAnimated: false };
  photo = mediaItem(await storeMedia(table, workspaceId, { probe }));
  png = mediaItem(
    await storeMedia(table, workspaceId, {
      filename: 'screen.png',
      contentType: 'image/png',
      probe: { ...probe, height: 3_024 },
    }),
  );
  const tiktok = { platform: 'tiktok', platformAccountId: 'tt1' } as const;
  tiktokId = (await storeAccount(table, workspaceId, tiktok)).id;
});

const read = ({ post, targets }: PostWithTargets) => PostView.parse(toPostView(post, mediaBaseUrl, targets));
const scheduled = (changes: object) => ({ scheduledFor: inOneHour, mediaItems: [photo], ...changes });
const entries = () => ({
  instagram: { accountId: fixture.instagram.id },
  tiktok: { accountId: tiktokId, platformSpecificData: { privacyLevel: 'SELF_ONLY' } },
});

describe('a picture of another shape than the platform takes', () => {
  it('is refused, and the problem names fit', async () => {
    expect(await refusalsOf(fixture.create(scheduled({})))).toEqual([
      'mediaItems[0]: an image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop',
    ]);
  });

  it.each<[string, () => object]>([
    ['the item', () => ({ mediaItems: [{ ...photo, fit: 'crop' }] })],
    ['the destination', () => ({ platforms: [{ ...entries().instagram, fit: 'crop' }] })],
    [
      'its own media',
      () => ({ platforms: [{ ...entries().instagram, customMedia: [{ ...photo, fit: 'crop' }] }] }),
    ],
  ])('is accepted if %s says how to change it', async (_where, changes) => {
    const created = await fixture.create(scheduled(changes()));
    expect(read(created).platforms[0]?.adaptations).toMatchObject([
      { changes: ['shape'], message: 'cropped to 3024 × 3780 pixels', width: 3_024, height: 3_780 },
    ]);
  });

  it('needs a word for the cover too, which only the destination can say', async () => {
    const platforms = [{ ...entries().instagram, padColor: '#000000' }];
    const cover = { mediaItems: [mediaItem(fixture.video)], coverUrl: png.url, platforms };
    const { targets } = await fixture.create(scheduled(cover));
    expect(targets[0]?.adaptations).toMatchObject([{ field: 'coverUrl', changes: ['format'] }]);
  });
});

describe('a post', () => {
  const shape = { fit: 'pad', padColor: '#1A2b3c', focalPoint: { x: 0.25, y: 1 } };

  it('shows what was asked for, and what each destination gets', async () => {
    const { instagram, tiktok } = entries();
    const item = { ...photo, fit: 'crop', padColor: '#ffffff' };
    const platforms = [{ ...instagram, ...shape }, tiktok];
    const created = await fixture.create(scheduled({ mediaItems: [item], platforms }));
    const shown = read(await readPost(fixture.context, created.post.id));
    expect(shown.mediaItems).toEqual([item]);
    const url = expect.stringMatching(/^https:\/\/media\.example\.com\/media\/.+\/[0-9a-f]{32}\.jpg$/);
    expect(shown.platforms).toMatchObject([
      {
        ...shape,
        adaptations: [
          {
            field: 'mediaItems[0]',
            changes: ['shape'],
            message: 'padded with #1a2b3c to 3226 × 4032 pixels',
            contentType: 'image/jpeg',
            width: 3_226,
            height: 4_032,
            url,
          },
        ],
      },
      {
        fit: null,
        padColor: null,
        focalPoint: null,
        adaptations: [{ changes: ['pixels'], message: 'scaled to 1080 × 1440 pixels', url }],
      },
    ]);
    expect(askedShapes(created.targets[0] ?? {}, created.post.mediaItems).media).toEqual([shape]);
  });

  it('that is a draft shows no address, because nothing is made for a draft', async () => {
    const draft = read(await fixture.create({ mediaItems: [png] }));
    expect(draft.platforms[0]?.adaptations).toMatchObject([{ message: 'converted to JPEG', url: null }]);
  });

  it('names the field of the request', async () => {
    const { instagram, tiktok } = entries();
    const platforms = [tiktok, { ...instagram, customMedia: [mediaItem(fixture.image), png] }];
    const { targets } = await fixture.create(scheduled({ platforms }));
    const fields = targets.flatMap(({ adaptations = [] }) => adaptations.map(({ field }) => field));
    expect(fields).toEqual(['mediaItems[0]', 'platforms[1].customMedia[1]']);
  });

  it('waits for a file of a type that is converted, once it is known whether it moves', async () => {
    const { workspaceId } = fixture.context;
    const store = async (filename: string, contentType: string) =>
      mediaItem(await storeMedia(table, workspaceId, { filename, contentType, status: 'pending' }));
    const awaited = await store('a.webp', 'image/webp');
    const { targets } = await fixture.create(scheduled({ mediaItems: [awaited] }));
    expect(targets[0]).not.toHaveProperty('adaptations');
    const moving = await store('a.gif', 'image/gif');
    expect(await refusalsOf(fixture.create(scheduled({ mediaItems: [moving] })))).toEqual([
      'mediaItems[0]: an image must be image/jpeg, not image/gif',
    ]);
  });

  it('keeps what was asked for when it is edited and copied, and its crossPost inherits it', async () => {
    const platforms = [{ ...entries().instagram, ...shape }];
    const chain = [{ kind: 'crossPost', accountIds: [fixture.second.id] }];
    const request = scheduled({ mediaItems: [{ ...photo, fit: 'crop' }], platforms, chain });
    const { post } = await fixture.create(request);
    const edited = await editPost(fixture.context, post.id, EditPostBody.parse({ content: 'New' }));
    const copy = await duplicatePost(
      fixture.context,
      post.id,
      DuplicatePostBody.parse({ scheduledFor: inOneHour }),
      { rawBody: '{}' },
    );
    for (const shown of [read(edited), read(copy)]) {
      expect(shown.mediaItems).toEqual([{ ...photo, fit: 'crop' }]);
      expect(shown.platforms).toMatchObject([shape]);
    }
  });

  it('takes away what was asked for if a change sends the destination without it', async () => {
    const created = await fixture.create(
      scheduled({ mediaItems: [png], platforms: [{ ...entries().instagram, ...shape }] }),
    );
    const patch = EditPostBody.parse({ platforms: [entries().instagram] });
    const { targets } = await editPost(fixture.context, created.post.id, patch);
    expect(targets[0]).not.toHaveProperty('fit');
  });

  it.each<[string, object, object]>([
    ['the shape', { fit: 'crop' }, {}],
    ['the color', { fit: 'pad', padColor: '#000000' }, {}],
    ['the focal point', { fit: 'pad', focalPoint: { x: 0, y: 0 } }, {}],
    ['the shape of an item', { fit: 'pad' }, { fit: 'pad' }],
  ])('is prepared again if a change is about %s', async (_what, changed, ofItem) => {
    const { instagram } = entries();
    const { post, targets } = await fixture.create(scheduled({ platforms: [{ ...instagram, fit: 'pad' }] }));
    for (const target of targets)
      await changeTarget(table, target, {
        preparation: { containerId: '1' },
        preparingSince: toTimestamp(startMs),
      });
    const same = { platforms: [{ ...instagram, fit: 'pad' }] };
    const kept = await editPost(fixture.context, post.id, EditPostBody.parse(same));
    expect(kept.targets[0]).toHaveProperty('preparation');
    const patch = { platforms: [{ ...instagram, ...changed }], mediaItems: [{ ...photo, ...ofItem }] };
    const edited = await editPost(fixture.context, post.id, EditPostBody.parse(patch));
    expect(edited.targets[0]).not.toHaveProperty('preparation');
  });

  it('has renditions with equal ids for equal wishes', async () => {
    const platforms = [
      { ...entries().instagram, fit: 'crop' },
      { accountId: fixture.second.id, fit: 'crop', padColor: '#123456' },
      { accountId: fixture.third.id, fit: 'crop', focalPoint: { x: 0, y: 0 } },
    ];
    const { targets } = await fixture.create(scheduled({ platforms }));
    const ids = targets.map(({ adaptations = [] }) => adaptations[0]?.renditionId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });
});

describe('validating', () => {
  const validate = (changes: object) => validatePost(fixture.context, fixture.body(changes));

  it('says what would be adapted for which destination, in its chain too', async () => {
    const { instagram, tiktok } = entries();
    const chain = [{ kind: 'followUp', accountIds: [fixture.second.id], mediaItems: [png] }];
    const found = await validate({ mediaItems: [png], platforms: [instagram, tiktok], chain });
    expect(found).toMatchObject({
      problems: [],
      adaptations: [
        { accountId: instagram.accountId, platform: 'instagram', message: 'converted to JPEG' },
        {
          accountId: tiktokId,
          platform: 'tiktok',
          field: 'mediaItems[0]',
          message: 'converted to JPEG and scaled to 1080 × 1080 pixels',
        },
        { accountId: fixture.second.id, field: 'chain[0].mediaItems[0]' },
      ],
    });
  });

  it('warns about a shape for a destination without pictures', async () => {
    const { youtube, video } = fixture;
    const entry = { accountId: youtube.id, platformSpecificData: { title: 'A film' } };
    const film = { mediaItems: [mediaItem(video)], platforms: [{ ...entry, fit: 'pad' }] };
    const { problems, warnings } = await validate(film);
    expect(problems).toEqual([]);
    expect(warnings).toMatchObject([{ field: 'platforms[0].fit', code: 'option_not_applicable' }]);
  });

  it.each(['fit', 'padColor', 'focalPoint'])('refuses %s for a video and for a document', async (name) => {
    const value = { fit: 'pad', padColor: '#ffffff', focalPoint: { x: 0, y: 0 } }[name];
    const document = mediaItem(
      await storeMedia(table, fixture.context.workspaceId, {
        filename: 'a.pdf',
        contentType: 'application/pdf',
      }),
    );
    const items = [mediaItem(fixture.video), document].map((item) => ({ ...item, [name]: value }));
    const { problems } = await validate({ mediaItems: items });
    expect(problems.filter(({ code }) => code === 'option_not_applicable')).toMatchObject([
      { field: `mediaItems[0].${name}` },
      { field: `mediaItems[1].${name}` },
    ]);
  });
});

describe('a request is malformed', () => {
  it.each<[string, unknown]>([
    ['fit', 'stretch'],
    ['padColor', 'white'],
    ['padColor', '#fff'],
    ['focalPoint', { x: 1.1, y: 0 }],
    ['focalPoint', { x: -0.1, y: 0 }],
    ['focalPoint', { x: 0.5 }],
    ['focalPoint', 'top'],
  ])('if %s is %j, at an item, a destination and a step', (name, value) => {
    const item = { url: 'https://example.com/a.jpg', [name]: value };
    const accountId = '019ca9a0-4e00-7000-8000-000000000001';
    const places = [
      { mediaItems: [item] },
      { platforms: [{ accountId, [name]: value }] },
      { platforms: [{ accountId, customMedia: [item] }] },
      { chain: [{ kind: 'followUp', accountIds: [accountId], mediaItems: [item] }] },
    ];
    for (const place of places) {
      const { error } = CreatePostBody.safeParse(place);
      expect(error?.issues.length).toBeGreaterThan(0);
      for (const { path } of error?.issues ?? []) expect(path).toContain(name);
    }
  });

  it('but a focal point may be a fraction of any precision', () => {
    const point = { x: 1e-200, y: 0.123_456_789 };
    const body = CreatePostBody.parse({ mediaItems: [{ url: 'https://a.example', focalPoint: point }] });
    expect(body.mediaItems[0]?.focalPoint).toEqual({ x: 0, y: 0.123_46 });
  });
});
