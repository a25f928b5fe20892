import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FetchedPicture } from '../../../../lib/platforms/contract/link-card.ts';
import type { AccountKind } from '../../../../lib/platforms/contract/names.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const url = 'https://example.com/harbour';
const content = `At six: ${url}`;
const bytesOf = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures', name));
const picture = { contentType: 'image/jpeg', bytes: bytesOf('image.jpg') };

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
afterEach(() => fixture.close());

/** Opens a publisher of a text whose link has a card. @param fetched `undefined` for a page without a picture */
async function publisherOf(as: AccountKind, fetched?: FetchedPicture) {
  fixture = await openFixture(rowOf('linkedin', as), fixtures);
  let fetches = 0;
  const card = {
    ...{ url, title: 'Harbour', description: 'Boats in the fog' },
    ...(fetched && {
      imageUrl: 'https://cdn.example.com/a.jpg',
      fetchPicture: async () => {
        fetches += 1;
        return fetched;
      },
    }),
  };
  const publisher = await fixture.publisher({ content, media: [], options: {}, card });
  return { publisher, fetches: () => fetches };
}

const article = { source: url, title: 'Harbour', description: 'Boats in the fog' };
const live = async () =>
  (await fixture.posts()).map(({ content: text, details, cover }) => ({ text, details, cover }));

describe.each<AccountKind>(['member', 'organization'])('the card of a link, as %s', (as) => {
  it('is shown with its picture, below the unchanged text', async () => {
    const { publisher, fetches } = await publisherOf(as, picture);
    expect(fixture.adapter.sendsFile?.(publisher.job)).toBe(true);
    const { warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    expect(fixture.adapter.sendsFile?.(publisher.job)).toBe(false);
    expect(fetches()).toBe(1);
    const thumbnail = expect.stringMatching(/^urn:li:image:/);
    expect(await live()).toMatchObject([
      {
        text: content,
        details: { content: { article: { ...article, thumbnail } } },
        cover: { type: 'image/jpeg', bytes: picture.bytes.length },
      },
    ]);
  });

  it.each<[string, FetchedPicture | undefined]>([
    ['the page has none', undefined],
    ['it cannot be fetched', { problem: 'the server responded 404' }],
    ['LinkedIn cannot process it', { contentType: 'image/jpeg', bytes: bytesOf('broken.jpg') }],
  ])('is shown without a picture if %s', async (_name, fetched) => {
    const { publisher } = await publisherOf(as, fetched);
    await publisher.publish();
    expect(await live()).toMatchObject([{ text: content, details: { content: { article } } }]);
    expect(JSON.stringify(await live())).not.toContain('urn:li:image:');
  });

  it('is shown without a picture if LinkedIn refuses the upload', async () => {
    const { publisher } = await publisherOf(as, picture);
    await fixture.plan('images.initializeUpload', 'error:INVALID_VALUE_FOR_FIELD');
    await publisher.publish();
    expect(await live()).toMatchObject([{ details: { content: { article } } }]);
  });
});

it('a picture that cannot be had is told to the timeline', async () => {
  const { publisher } = await publisherOf('organization', { problem: 'the server responded 404' });
  const step = await fixture.adapter.prepare(publisher.job, fixture.tools);
  expect(step).toMatchObject({
    state: 'continue',
    remark: 'The card of the link has no picture: the server responded 404',
  });
});

it.each<AccountKind>(['organization', 'member'])(
  'a picture that stays in processing is left out after a minute, as %s',
  async (as) => {
    const { publisher } = await publisherOf(as, picture);
    await fixture.plan('processing', 'timeout');
    const begun = fixture.clock.time;
    await publisher.publish();
    expect(fixture.clock.time - begun).toBeLessThan(120_000);
    expect(await live()).toMatchObject([{ details: { content: { article } } }]);
    expect(JSON.stringify(await live())).not.toContain('urn:li:image:');
  },
);

it.each([
  ['does not answer', 'error:503'],
  ['limits uploads', 'error:429'],
  ['forbids uploads', 'error:ACCESS_DENIED'],
])('a picture is left out after a minute if LinkedIn %s', async (_name, fault) => {
  const { publisher } = await publisherOf('organization', picture);
  await fixture.plan('images.initializeUpload', fault, 100);
  const begun = fixture.clock.time;
  await publisher.publish();
  expect(fixture.clock.time - begun).toBeLessThanOrEqual(60_000);
  expect(await live()).toMatchObject([{ details: { content: { article } } }]);
});

it('a picture is not fetched if too little time of the step is left', async () => {
  const { publisher, fetches } = await publisherOf('organization', picture);
  const job = { ...publisher.job, deadline: fixture.clock.time + 25_000 };
  expect(await fixture.adapter.prepare(job, fixture.tools)).toMatchObject({ state: 'continue' });
  expect(fetches()).toBe(0);
});

it('a lost upload is repeated, and the same picture is sent', async () => {
  const { publisher, fetches } = await publisherOf('organization', picture);
  await fixture.plan('images.upload', 'error:503');
  await publisher.publish();
  expect(fetches()).toBe(2);
  expect(await live()).toMatchObject([{ cover: { bytes: picture.bytes.length } }]);
});

it('a post with a card is found after a lost response', async () => {
  const { publisher } = await publisherOf('organization', { problem: 'gone' });
  await publisher.prepare();
  await publisher.crashAtLastCall(true);
  expect(await publisher.resume()).toMatchObject({ state: 'live', isFound: true });
  expect(await fixture.posts()).toHaveLength(1);
});
