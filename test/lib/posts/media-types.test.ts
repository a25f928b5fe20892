import { beforeAll, describe, expect, it } from 'vitest';
import type { Media } from '../../../lib/media/schemas.ts';
import { publicUrl } from '../../../lib/media/urls.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../lib/table/table.ts';
import { storeAccount, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaBaseUrl, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let linkedin: string;
let files: Record<'image' | 'video' | 'pdf' | 'pendingPdf' | 'pendingVideo', Media>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
  const { workspaceId } = fixture.context;
  linkedin = (await storeAccount(table, workspaceId, { platform: 'linkedin' })).id;
  const video = { contentType: 'video/mp4', sizeBytes: 100_000 };
  const pdf = { filename: 'report.pdf', contentType: 'application/pdf' };
  files = {
    image: fixture.image,
    video: await storeMedia(table, workspaceId, { ...video, filename: 'film.mp4' }),
    pdf: await storeMedia(table, workspaceId, pdf),
    pendingPdf: await storeMedia(table, workspaceId, { ...pdf, status: 'pending' }),
    pendingVideo: await storeMedia(table, workspaceId, { ...video, filename: 'film', status: 'pending' }),
  };
});

type Name = keyof typeof files;
const item = (name: Name, type?: string) => ({
  ...(type !== undefined && { type }),
  url: publicUrl(mediaBaseUrl, files[name].objectKey),
});

/** A file as a request names it, and the type that responses show. */
const accepted: readonly (readonly [Name, sent: string | undefined, shown: string])[] = [
  ['image', undefined, 'image'],
  ['image', 'image', 'image'],
  ['video', undefined, 'video'],
  ['video', 'video', 'video'],
  ['pendingVideo', undefined, 'video'],
  ['pdf', undefined, 'image'],
  ['pdf', 'image', 'image'],
  ['pdf', 'document', 'document'],
  ['pendingPdf', 'document', 'document'],
];

/** The places of a request that name files: how to fill them, and what the response shows there. */
const places: readonly (readonly [string, (file: object) => object, (post: Shown) => unknown])[] = [
  ['mediaItems', (file) => ({ mediaItems: [file] }), (post) => post.mediaItems],
  [
    'customMedia',
    (file) => ({ platforms: [{ accountId: linkedin, customMedia: [file] }] }),
    (post) => post.platforms[0]?.customMedia,
  ],
  [
    'a step of the chain',
    (file) => ({ chain: [{ kind: 'followUp', accountIds: [linkedin], mediaItems: [file] }] }),
    (post) => post.chain[0]?.mediaItems,
  ],
];
type Shown = ReturnType<typeof toPostView>;

describe.each(places)('a file in %s', (_place, request, shownAt) => {
  it.each(accepted)(
    '%s, sent as %s, is shown as %s, also after another change',
    async (name, sent, shown) => {
      const body = {
        platforms: [{ accountId: linkedin }],
        mediaItems: [],
        scheduledFor: inOneHour,
        ...request(item(name, sent)),
      };
      const { post, targets } = await fixture.create(body);
      const changed = await editPost(fixture.context, post.id, { timezone: 'Asia/Tokyo' });
      for (const each of [{ post, targets }, changed])
        expect(shownAt(toPostView(each.post, mediaBaseUrl, each.targets))).toEqual([item(name, shown)]);
      expect(JSON.stringify(post) + JSON.stringify(targets)).not.toContain('"type":"document"');
    },
  );
});

describe('a file is refused', () => {
  it.each<readonly [Name, string, string]>([
    ['image', 'document', 'image/jpeg'],
    ['video', 'document', 'video/mp4'],
    ['pendingVideo', 'document', 'video/mp4'],
    ['video', 'image', 'video/mp4'],
    ['image', 'video', 'image/jpeg'],
    ['pdf', 'video', 'application/pdf'],
  ])('%s, sent as %s', async (name, sent, contentType) => {
    const platforms = [{ accountId: linkedin }];
    const attempt = fixture.create({ platforms, mediaItems: [item(name, sent)] });
    expect(await refusalsOf(attempt)).toEqual([`mediaItems[0].type: the file is ${contentType}`]);
  });

  it('as a document, by a platform that publishes none', async () => {
    const attempt = fixture.create({ mediaItems: [item('pdf', 'document')], scheduledFor: inOneHour });
    expect((await refusalsOf(attempt)).join()).toContain('mediaItems[0]');
  });
});
