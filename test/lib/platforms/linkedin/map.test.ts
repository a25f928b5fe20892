import { describe, expect, it } from 'vitest';
import type { MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import {
  likenessOf,
  postRequest,
  type ReadPost,
  urnCreatedMs,
} from '../../../../lib/platforms/linkedin/map.ts';
import type { Likeness } from '../../../../lib/platforms/shared/find-listed.ts';

const account = { platformAccountId: 'urn:li:organization:42', username: 'harbour', meta: {} };
const job = (options = {}, content = 'Six (a.m.) #coffee') => ({ account, content, options, media: [] });
const [first, second] = ['urn:li:image:A', 'urn:li:image:B'] as const;

describe('the request that creates a post', () => {
  it('has every field that LinkedIn requires', () => {
    expect(postRequest(job(), [])).toEqual({
      author: 'urn:li:organization:42',
      commentary: String.raw`Six \(a.m.\) #coffee`,
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    });
  });

  it('has the audience that the post is for', () => {
    const geoLocations = ['103644278', 'urn:li:geo:101282230', 'urn:li:geo:103644278'];
    expect(postRequest(job({ geoLocations }), [])['distribution']).toMatchObject({
      targetEntities: [{ geoLocations: ['urn:li:geo:103644278', 'urn:li:geo:101282230'] }],
    });
  });

  it.each([
    ['one image', {}, [first], { media: { id: first } }],
    ['one image with its text', { altText: 'a cup' }, [first], { media: { id: first, altText: 'a cup' } }],
    [
      'a video or document with a title',
      { title: ' Slides ' },
      [first],
      { media: { id: first, title: 'Slides' } },
    ],
    [
      'several images',
      { altText: ['', 'a boat'] },
      [first, second],
      { multiImage: { images: [{ id: first }, { id: second, altText: 'a boat' }] } },
    ],
    [
      'a link',
      { link: 'https://example.com/', title: 'A page', description: 'More' },
      [],
      { article: { source: 'https://example.com/', title: 'A page', description: 'More' } },
    ],
    [
      'a link with its preview',
      { link: 'https://example.com/', title: 'A page' },
      [first],
      { article: { source: 'https://example.com/', title: 'A page', thumbnail: first } },
    ],
  ])('shows %s', (_name, options, assets, content) => {
    expect(postRequest(job(options), assets)).toMatchObject({ content });
  });

  it('has the texts of its images, unless an option has another', () => {
    const media = [{ altText: 'a cup' }, { altText: 'a boat' }, {}] as unknown as MediaSource[];
    const sent = (options: object) =>
      postRequest({ ...job(options), media }, [first, second, 'urn:li:image:C'])['content'];
    expect(sent({})).toEqual({
      multiImage: {
        images: [
          { id: first, altText: 'a cup' },
          { id: second, altText: 'a boat' },
          { id: 'urn:li:image:C' },
        ],
      },
    });
    expect(sent({ altText: ['', 'two boats', 'a pier'] })).toMatchObject({
      multiImage: { images: [{ altText: 'a cup' }, { altText: 'two boats' }, { altText: 'a pier' }] },
    });
  });

  it('has no alternative text of a document or of the preview of a link', () => {
    const media = [{ altText: 'a cup', url: '' }] as unknown as MediaSource[];
    const sent = [
      postRequest({ ...job({ title: 'A' }), media }, ['urn:li:document:A']),
      postRequest({ ...job({ title: 'A', link: 'https://example.com/' }), media }, [first]),
    ];
    expect(JSON.stringify(sent)).not.toContain('a cup');
  });

  it('has a poll', () => {
    const poll = { question: 'Coffee?', options: ['Yes', 'No '], duration: 'ONE_DAY' };
    expect(postRequest(job({ poll }), [])).toMatchObject({
      content: {
        poll: {
          question: 'Coffee?',
          options: [{ text: 'Yes' }, { text: 'No' }],
          settings: { duration: 'ONE_DAY' },
        },
      },
    });
  });

  it('has the parent of a reshare, and no content', () => {
    const request = postRequest(job({ reshare: 'urn:li:share:7' }), []);
    expect(request).toMatchObject({ reshareContext: { parent: 'urn:li:share:7' } });
    expect(request).not.toHaveProperty('content');
  });

  it.each([
    ['its title', { title: 'Slides' }, 'report.pdf', 'Slides'],
    ['its documentTitle', { documentTitle: 'Slides' }, 'report.pdf', 'Slides'],
    ['the name of its file', {}, 'Quarterly-report_2026.pdf', 'Quarterly report 2026'],
    ['the first line, if the name of the file says nothing', {}, 'file.pdf', 'Six (a.m.) #coffee'],
    [
      'the first line, if the file is named by a number',
      {},
      '0f8fad5bd9cb469fa165.pdf',
      'Six (a.m.) #coffee',
    ],
  ])('gives a document %s as its title', (_name, options, file, title) => {
    const media = [{ url: `https://media.example/media/1/${file}` }] as unknown as MediaSource[];
    expect(postRequest({ ...job(options), media }, ['urn:li:document:A'])).toMatchObject({
      content: { media: { id: 'urn:li:document:A', title } },
    });
  });

  it('gives a document a title even if neither file nor text has words', () => {
    expect(postRequest({ ...job({}, ''), media: [] }, ['urn:li:document:A'])).toMatchObject({
      content: { media: { title: 'Document' } },
    });
  });

  it('is not made for options that the rules refuse', () => {
    expect(() => postRequest(job({ visibility: 'friends' }), [])).toThrow('platformSpecificData.visibility');
  });
});

describe('a post that the API returns', () => {
  const content = 'Six (a.m.) #coffee https://example.com/a_b?c=1';
  const shortened = String.raw`Six \(a.m.\) {hashtag|\#|coffee} https://lnkd.in/dX3k9`;
  const post: ReadPost = { id: 'urn:li:share:1', commentary: shortened, createdMs: 0, assets: [] };
  const link = { link: 'https://example.com/', title: 'A page' };
  const poll = { question: 'Coffee?', options: ['Yes', 'No'] };
  const reshare = { reshare: 'urn:li:share:7' };
  const preview = { assets: [first], link: link.link };
  it.each<[string, Partial<ReadPost>, ReturnType<typeof job>, string[], Likeness]>([
    ['has the text with a shortened URL', {}, job({}, content), [], 'text'],
    ['has another text', { commentary: 'Six' }, job({}, content), [], undefined],
    ['has the text and media', { assets: [first] }, job({}, content), [], undefined],
    ['shows our image with a changed text', { commentary: 'x', assets: [first] }, job(), [first], 'media'],
    ['shows one of our images', { assets: [second] }, job({}, content), [first, second], 'media'],
    ['has our text with another image', { assets: [second] }, job({}, content), [first], undefined],
    ['has our text without our image', {}, job({}, content), [first], undefined],
    ['shows our link with our preview', { ...preview, commentary: 'x' }, job(link), [first], 'media'],
    ['has our text and a link', { ...preview, assets: [second] }, job(link, content), [first], 'text'],
    [
      'has our text, and another page of the same site',
      { link: 'https://example.com/2' },
      job(link, content),
      [],
      undefined,
    ],
    ['has our text, and a link that we did not send', { link: link.link }, job({}, content), [], undefined],
    ['has our text without a link', {}, job(link, content), [], undefined],
    ['has our text and our poll', { poll }, job({ poll }, content), [], 'text'],
    [
      'has our poll with changed spaces',
      { poll: { ...poll, question: ' Coffee?' } },
      job({ poll }, content),
      [],
      'text',
    ],
    ['has our poll and no text', { poll, commentary: '' }, job({ poll }, ''), [], 'text'],
    [
      'has our text and another poll',
      { poll: { ...poll, options: ['Yes', 'Later'] } },
      job({ poll }, content),
      [],
      undefined,
    ],
    ['has our text without our poll', {}, job({ poll }, content), [], undefined],
    ['has our text, and a poll that we did not send', { poll }, job({}, content), [], undefined],
    ['has our text and parent', { reshared: ['urn:li:share:7'] }, job(reshare, content), [], 'text'],
    [
      'has no text, and our parent',
      { commentary: '', reshared: ['urn:li:ugcPost:7'] },
      job(reshare, ''),
      [],
      'text',
    ],
    [
      'has our text and another parent',
      { reshared: ['urn:li:share:8'] },
      job(reshare, content),
      [],
      undefined,
    ],
    ['has our text without our parent', {}, job(reshare, content), [], undefined],
    ['reshares, which we did not', { reshared: ['urn:li:share:7'] }, job({}, content), [], undefined],
    ['has no text, and our link', { commentary: '', link: link.link }, job(link, ''), [], 'text'],
    [
      'has no text, and another link',
      { commentary: '', link: 'https://b.example/' },
      job(link, ''),
      [],
      undefined,
    ],
  ])('%s', (_name, changes, sent, assets, likeness) => {
    expect(likenessOf({ ...post, ...changes }, sent, assets)).toBe(likeness);
  });
});

it('knows from its URN when a post was created', () => {
  // A recorded response of the API has this URN with the creation time 1679663763610.
  expect(urnCreatedMs('urn:li:share:7045020441609936898')).toBe(1_679_663_763_430);
});
