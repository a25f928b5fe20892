import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageReading } from '../../../../lib/link-cards/fetch.ts';
import type { LinkCard } from '../../../../lib/platforms/contract/link-card.ts';
import { createPost, type PostsContext } from '../../../../lib/posts/create.ts';
import { dryRunEdit, editPost } from '../../../../lib/posts/edit.ts';
import { CreatePostBody, EditPostBody } from '../../../../lib/posts/request/schemas.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { dryRunPost, validatePost } from '../../../../lib/posts/validate.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { storeAccount } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, mediaItem, openFixture } from '../fixture.ts';

const url = 'https://example.com/harbour';
const card: LinkCard = { url, title: 'Harbour', imageUrl: 'https://cdn.example.com/a.jpg' };
const content = `At six: ${url}.`;

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let context: PostsContext;
let linkedin: string;
let threads: string;
let read: string[];
let reading: PageReading;
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(async () => {
  fixture = await openFixture(table);
  const { workspaceId } = fixture.context;
  linkedin = (
    await storeAccount(table, workspaceId, {
      platform: 'linkedin',
      platformAccountId: 'urn:li:organization:1',
    })
  ).id;
  threads = (await storeAccount(table, workspaceId, { platform: 'threads' })).id;
  read = [];
  reading = { card };
  context = {
    ...fixture.context,
    readPage: async (asked) => {
      read.push(asked);
      return reading;
    },
  };
});

const bodyOf = (changes: object = {}) =>
  CreatePostBody.parse({
    content,
    platforms: [{ accountId: linkedin }],
    scheduledFor: inOneHour,
    ...changes,
  });
const create = (changes?: object) => createPost(context, bodyOf(changes), { rawBody: '{}' });
const edit = (postId: string, patch: object) => editPost(context, postId, EditPostBody.parse(patch));
const cardsOf = ({ targets }: { readonly targets: readonly { readonly card?: LinkCard | undefined }[] }) =>
  targets.map((target) => target.card);

describe('a link in the text of a LinkedIn post', () => {
  it('becomes a card, which is stored with the destination', async () => {
    const { post, warnings } = await create();
    expect(warnings).toEqual([]);
    expect(read).toEqual([url]);
    const stored = await findPost(table, context.workspaceId, post.id);
    expect(stored && cardsOf(stored)).toEqual([card]);
  });

  it('has its picture sent before the due time', async () => {
    const [target] = (await create()).targets;
    expect(target).toMatchObject({ sendsFile: true, wakeAt: '2026-03-01T12:59:00.000Z' });
    reading = { card: { url, title: 'Harbour' } };
    const [plain] = (await create({ content: `${content} Or not` })).targets;
    expect(plain?.sendsFile).toBeUndefined();
    expect(plain?.wakeAt).toBe(inOneHour);
  });

  it('has no card and a warning if its page cannot be read', async () => {
    reading = { problem: 'the server responded 404' };
    const created = await create({
      content: 'Hello',
      platforms: [{ accountId: linkedin, customContent: content }],
    });
    expect(cardsOf(created)).toEqual([undefined]);
    expect(created.warnings).toEqual([
      {
        accountId: linkedin,
        platform: 'linkedin',
        field: 'platforms[0].customContent',
        code: 'link_unreadable',
        message:
          'the page of the first link could not be read, so the post has no card: the server responded 404',
      },
    ]);
  });

  it.each<[string, object]>([
    ['a text without a link', { content: 'At six' }],
    ['a draft', { scheduledFor: undefined }],
    ['a post that switches it off', { platformSpecificData: { linkPreview: false } }],
    ['a post with a link of its own', { platformSpecificData: { link: url, title: 'A' } }],
    ['a reshare', { platformSpecificData: { reshare: 'urn:li:share:1' } }],
    ['a poll', { platformSpecificData: { poll: { question: 'Coffee?', options: ['Yes', 'No'] } } }],
  ])(
    'is not read for %s',
    async (_name, { platformSpecificData, ...changes }: { platformSpecificData?: object }) => {
      const created = await create({
        platforms: [{ accountId: linkedin, ...(platformSpecificData && { platformSpecificData }) }],
        ...changes,
      });
      expect(cardsOf(created)).toEqual([undefined]);
      expect(read).toEqual([]);
    },
  );

  it('is not read for a post with media, nor for other platforms', async () => {
    await create({ mediaItems: [mediaItem(fixture.image)] });
    await create({ platforms: [{ accountId: threads }] });
    expect(read).toEqual([]);
  });

  it('is read for a validation and a dry run, which say what the card is', async () => {
    const { cards } = await validatePost(context, bodyOf({ scheduledFor: undefined, isDraft: true }));
    expect(cards).toEqual([{ ...card, accountId: linkedin, platform: 'linkedin' }]);
    expect(cardsOf(await dryRunPost(context, bodyOf()))).toEqual([card]);
  });

  it('is not read again for a replay', async () => {
    await createPost(context, bodyOf(), { rawBody: '{}', idempotencyKey: 'once' });
    await createPost(context, bodyOf(), { rawBody: '{}', idempotencyKey: 'once' });
    expect(read).toEqual([url]);
  });
});

describe('an edit', () => {
  const later = { card: { url, title: 'Changed since' } };

  it('of the time keeps the card, whatever the page is by then', async () => {
    const { post } = await create();
    reading = later;
    expect(cardsOf(await edit(post.id, { scheduledFor: '2026-03-01T14:00:00.000Z' }))).toEqual([card]);
    expect(read).toEqual([url]);
  });

  it('of the text reads the page again', async () => {
    const { post } = await create();
    reading = later;
    expect(cardsOf(await edit(post.id, { content: `${content} And seven.` }))).toEqual([later.card]);
    const other = 'https://example.com/other';
    await edit(post.id, { content: other });
    expect(read).toEqual([url, url, other]);
  });

  it('that switches the card off removes it, and what was prepared for it', async () => {
    const { post } = await create();
    const platforms = [{ accountId: linkedin, platformSpecificData: { linkPreview: false } }];
    const edited = await edit(post.id, { platforms });
    expect(cardsOf(edited)).toEqual([undefined]);
    expect(edited.targets[0]?.sendsFile).toBeUndefined();
  });

  it('looks again for a card that could not be had', async () => {
    reading = { problem: 'the server responded 503' };
    const { post } = await create();
    reading = { card };
    expect(cardsOf(await edit(post.id, { metadata: { a: 'b' } }))).toEqual([card]);
  });

  it('that schedules a draft reads the page', async () => {
    const { post } = await create({ scheduledFor: undefined });
    const patch = EditPostBody.parse({ scheduledFor: inOneHour });
    expect(cardsOf(await dryRunEdit(context, post.id, patch))).toEqual([card]);
    expect(cardsOf(await edit(post.id, patch))).toEqual([card]);
  });
});
