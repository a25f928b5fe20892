import { describe, expect, it } from 'vitest';
import type { MediaSource, PublishJob } from '../../../../lib/platforms/contract/adapter.ts';
import { containerPlan, matchesJob } from '../../../../lib/platforms/instagram/map.ts';

const source = (type: MediaSource['type'], name: string): MediaSource => ({
  type,
  url: `https://media.example/${name}`,
  contentType: 'x/y',
  sizeBytes: 1,
  openRange: () => Promise.reject(new Error('Instagram fetches for itself')),
});
const image = source('image', 'a.jpg');
const video = source('video', 'b.mp4');

/** The parameters that are sent: those without a value are omitted. */
const sent = (job: Partial<PublishJob>) => {
  const plan = containerPlan({ content: 'Caption', media: [image], options: {}, ...job });
  return JSON.parse(JSON.stringify({ children: plan.children, container: plan.container(['1', '2']) }));
};

describe('the containers of a post', () => {
  it('are a single one for an image', () => {
    expect(sent({ options: { altText: 'a cup', collaborators: ['@one'] } })).toEqual({
      children: [],
      container: { image_url: image.url, alt_text: 'a cup', caption: 'Caption', collaborators: '["one"]' },
    });
  });

  it('are a reel for a single video, shared to the feed by default', () => {
    expect(sent({ media: [video] }).container).toEqual({
      media_type: 'REELS',
      video_url: video.url,
      share_to_feed: 'true',
      caption: 'Caption',
    });
    expect(sent({ media: [video], options: { shareToFeed: false } }).container.share_to_feed).toBe('false');
  });

  it('have either a cover or an offset', () => {
    const options = { thumbOffset: 1500 };
    expect(sent({ media: [video], options }).container).toMatchObject({ thumb_offset: '1500' });
    const withCover = sent({ media: [video], cover: image, options }).container;
    expect(withCover).toMatchObject({ cover_url: image.url });
    expect(withCover).not.toHaveProperty('thumb_offset');
  });

  it('are children and a parent for a carousel; only the parent has the caption and the place', () => {
    expect(sent({ media: [image, video], options: { altText: ['a cup'], locationId: '110' } })).toEqual({
      children: [
        { is_carousel_item: 'true', image_url: image.url, alt_text: 'a cup' },
        { is_carousel_item: 'true', media_type: 'VIDEO', video_url: video.url },
      ],
      container: { media_type: 'CAROUSEL', children: '1,2', caption: 'Caption', location_id: '110' },
    });
  });

  it('are a story without a caption', () => {
    expect(sent({ media: [video], options: { type: 'story' } }).container).toEqual({
      media_type: 'STORIES',
      video_url: video.url,
    });
  });

  it('are not made for options that the rules refuse', () => {
    const refused = () => containerPlan({ content: '', media: [image], options: { shareToFeed: 'yes' } });
    expect(refused).toThrow('platformSpecificData.shareToFeed: must be true or false');
  });
});

describe('an item of the account’s list', () => {
  const reel = { id: '1', caption: 'Caption', media_type: 'VIDEO', media_product_type: 'REELS' };

  it.each([
    ['matches', 'Caption', {}, true],
    ['matches if only whitespace differs', 'Two  lines\nhere', { caption: '\nTwo lines here ' }, true],
    [
      'matches if a link is shortened',
      'See https://a.example/x',
      { caption: 'See https://l.instagram.com/b' },
      true,
    ],
    ['does not match if its caption differs', 'Caption', { caption: 'Caption!' }, false],
    ['does not match if it is of another kind', 'Caption', { media_product_type: 'FEED' }, false],
    ['does not match without its caption', 'Caption', { caption: undefined }, false],
  ])('%s', (_name, content, changes, expected) => {
    expect(matchesJob({ ...reel, ...changes }, 'reel', { content, media: [video] })).toBe(expected);
  });

  it('is a story of the same type of file', () => {
    const story = { id: '1', media_type: 'IMAGE', media_product_type: 'STORY' };
    expect(matchesJob(story, 'story', { content: 'Caption', media: [image] })).toBe(true);
    expect(matchesJob(story, 'story', { content: 'Caption', media: [video] })).toBe(false);
  });
});
