import type { Platform } from '../../lib/platforms/contract/names.ts';
import type { JobChanges } from './fixture.ts';
import { type PlatformRow, rowOf, rows } from './rows.ts';

/** A kind of post with its own rule about unknown outcomes. */
export interface PostKind {
  readonly title: string;
  readonly row: PlatformRow;
  readonly changes: JobChanges;
  /** The names under which faults hit the last call after and before its effect. */
  readonly calls: { readonly after: string; readonly before: string };
  /** Reason why no lookup can show a post of this kind. */
  readonly withoutReading?: string;
  /** Reason why the same call is made again before reads have caught up with it. */
  readonly repeatsAtOnce?: string;
  /** Reason why a live post never has an id. */
  readonly withoutId?: string;
  /** Reason why a lookup cannot show when the post went live. */
  readonly withoutTime?: string;
}

/** Texts that platforms return changed: they have a link and more than one space. */
const text = 'The harbour at six\n\nin the  morning: https://example.com/harbour?from=herald #coffee';
const images = ['image.jpg', 'square.jpg'];

function kind(
  platform: Platform,
  name: string,
  changes: JobChanges,
  call?: string,
  row: PlatformRow = rowOf(platform),
): PostKind {
  const { operations, lastCall } = row;
  return {
    title: `${platform}: ${name}`,
    row,
    changes: { content: text, options: {}, ...changes },
    calls: { after: call ?? operations.live, before: call ?? lastCall },
  };
}

const story = { contentType: 'story' };
const organization = rowOf('linkedin', 'organization');
const member = rowOf('linkedin', 'member');
const poll = { question: 'Which one is yours?', options: ['The first', 'The second'], duration: 'ONE_DAY' };
const reshare = 'urn:li:ugcPost:7045020441609936898';
const { options: board } = rowOf('pinterest');
const { options: privacy } = rowOf('tiktok');

/** Every kind of post with a rule of its own, at least one for each row. */
export const postKinds: readonly PostKind[] = [
  kind('facebook', 'a text', { media: [] }),
  kind('facebook', 'photos', { media: images }),
  kind('facebook', 'a video', { media: ['video.mp4'] }, 'videos.finish'),
  kind(
    'facebook',
    'a reel',
    { media: ['video.mp4'], options: { contentType: 'reel' } },
    'video_reels.finish',
  ),
  kind('facebook', 'a photo story', { media: ['image.jpg'], options: story }, 'photo_stories'),
  kind('facebook', 'a video story', { media: ['video.mp4'], options: story }, 'video_stories.finish'),
  {
    ...kind('facebook', 'a draft', { media: images, options: { draft: true } }),
    withoutReading: 'no list of drafts is documented',
  },
  {
    ...kind(
      'facebook',
      'a draft of a reel',
      { media: ['video.mp4'], options: { contentType: 'reel', draft: true } },
      'video_reels.finish',
    ),
    withoutTime: 'a draft is not published yet',
  },
  kind('instagram', 'an image', { media: ['image.jpg'] }),
  kind('instagram', 'a carousel', { media: images }),
  kind('instagram', 'a reel', { media: ['video.mp4'] }),
  kind('instagram', 'a story', { media: ['image.jpg'], options: story }),
  kind('threads', 'a text', { media: [] }),
  kind('threads', 'an image', { media: ['image.jpg'] }),
  {
    ...kind('youtube', 'a video', { media: ['video.mp4'], options: { title: 'The  harbour' } }),
    repeatsAtOnce: 'making a video public again changes nothing',
  },
  {
    ...kind('youtube', 'a video of an account that may only upload', {
      media: ['video.mp4'],
      options: { title: 'The  harbour' },
      scopes: ['https://www.googleapis.com/auth/youtube.upload'],
    }),
    calls: { after: 'videos.insert', before: 'videos.insert.chunk' },
  },
  {
    ...kind('tiktok', 'a video', { media: ['video.mp4'], options: privacy }),
    withoutTime: 'the status of a post has no time',
  },
  kind(
    'tiktok',
    'photos',
    { media: images, options: { privacyLevel: 'PUBLIC_TO_EVERYONE' } },
    'content.init',
  ),
  {
    ...kind('tiktok', 'a draft of a video', { media: ['video.mp4'], options: { draft: true } }),
    withoutId: 'a draft is no post yet',
    withoutTime: 'the status of a draft has no time',
  },
  {
    ...kind('tiktok', 'a draft of photos', { media: images, options: { draft: true } }, 'content.init'),
    withoutId: 'a draft is no post yet',
    withoutReading: 'without the lost publish id, nothing shows a draft',
  },
  kind('pinterest', 'an image', { media: ['image.jpg'], options: board }),
  kind('pinterest', 'a video', { options: { boardId: board['boardId'] ?? null } }),
  kind('linkedin', 'a text of an organization', { media: [] }, undefined, organization),
  kind('linkedin', 'a video of an organization', { media: ['video.mp4'] }, undefined, organization),
  kind('linkedin', 'a poll of an organization', { media: [], options: { poll } }, undefined, organization),
  kind(
    'linkedin',
    'a reshare of an organization',
    { media: [], options: { reshare } },
    undefined,
    organization,
  ),
  {
    ...kind('linkedin', 'a text of a member', { media: [] }, undefined, member),
    withoutReading: "nobody may read a member's posts",
  },
];

const isMissing = (row: PlatformRow) => !postKinds.some((one) => one.row === row);
const missing = rows.filter(isMissing).map(({ platform, as }) => as ?? platform);
if (missing.length > 0) throw new Error(`no kind of post for ${missing.join(', ')}`);
