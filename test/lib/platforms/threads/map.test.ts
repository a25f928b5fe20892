import { expect, it } from 'vitest';
import type { MediaSource, PublishJob } from '../../../../lib/platforms/contract/adapter.ts';
import { containerPlan } from '../../../../lib/platforms/threads/map.ts';

const file = (type: 'image' | 'video', altText?: string): MediaSource => ({
  type,
  altText,
  url: `https://media.example/${type}`,
  contentType: type === 'video' ? 'video/mp4' : 'image/jpeg',
  sizeBytes: 1,
  openRange: () => Promise.reject(new Error('not read')),
});

function plan(media: MediaSource[], options: PublishJob['options']) {
  const { children, container } = containerPlan({ content: 'Hello', media, options });
  return { children, container: container(['1', '2', '3']) };
}

it('gives each file its alternative text, of which the option’s wins', () => {
  const media = [file('image', 'a boat'), file('video', 'a pier'), file('image')];
  const texts = (options: PublishJob['options']) =>
    plan(media, options).children.map(({ alt_text }) => alt_text);
  expect(texts({})).toEqual(['a boat', 'a pier', undefined]);
  expect(texts({ altText: ['a ship', '', 'a rope'] })).toEqual(['a ship', 'a pier', 'a rope']);
  expect(plan([file('video', 'a pier')], {}).container).toMatchObject({ alt_text: 'a pier' });
});

it('hides the media of a carousel at its container, not at those of its items', () => {
  const { children, container } = plan([file('image'), file('video')], { isSpoiler: true });
  expect(container).toMatchObject({ is_spoiler_media: 'true' });
  expect(children.flatMap(Object.keys)).not.toContain('is_spoiler_media');
});
