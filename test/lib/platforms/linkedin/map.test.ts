import { describe, expect, it } from 'vitest';
import { matchesJob, postRequest } from '../../../../lib/platforms/linkedin/map.ts';

const account = { platformAccountId: 'urn:li:organization:42', username: 'harbour', meta: {} };
const job = (options = {}, content = 'Six (a.m.) #coffee') => ({ account, content, options });
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

  it('has the same bytes every time, so that reconcile can send it again', () => {
    const bytes = () =>
      JSON.stringify(postRequest(job({ altText: 'a', visibility: 'CONNECTIONS' }), [first]));
    expect(bytes()).toBe(bytes());
  });

  it('is not made for options that the rules refuse', () => {
    expect(() => postRequest(job({ visibility: 'friends' }), [])).toThrow('platformSpecificData.visibility');
  });
});

describe('a post that the API returns', () => {
  const since = Date.parse('2026-11-20T12:00:00Z');
  const post = {
    id: 'urn:li:share:1',
    commentary: String.raw`Six \(a.m.\) {hashtag|\#|coffee}`,
    publishedAt: since,
    assets: [first],
  };

  it.each([
    ['matches', {}, true],
    ['matches although the clocks differ', { publishedAt: since - 20_000 }, true],
    ['is older', { publishedAt: since - 60_000 }, false],
    ['has another text', { commentary: 'Six' }, false],
    ['shows other media', { assets: [second] }, false],
    ['has no time', { publishedAt: undefined }, false],
  ])('%s', (_name, changes, expected) => {
    expect(matchesJob({ ...post, ...changes }, job(), [first], since)).toBe(expected);
  });
});
