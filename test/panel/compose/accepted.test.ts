import { describe, expect, it } from 'vitest';
import type { DraftMedia } from '../../../lib/panel/media/draft-media.ts';
import { type Action, act } from '../../../lib/panel/pages/compose/draft/actions.ts';
import { type Draft, newDraft } from '../../../lib/panel/pages/compose/draft/draft.ts';
import { type Intent, toRequest } from '../../../lib/panel/pages/compose/draft/to-request.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PublishableContent } from '../../../lib/platforms/contract/rules.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { checkOptionNames } from '../../../lib/posts/planning/check-rules.ts';
import { checkShape } from '../../../lib/posts/request/check-shape.ts';
import { CreatePostBody } from '../../../lib/posts/request/schemas.ts';
import { idOf } from '../support/ids.ts';

const mediaBaseUrl = 'https://media.test';
const workspaceId = idOf(7);
const fileOf = (number: number, name: string, type: DraftMedia['type']): DraftMedia => ({
  url: `${mediaBaseUrl}/media/${workspaceId}/${idOf(number)}/${name}`,
  type,
});
const image = fileOf(1, 'beans.jpg', 'image');
const another = fileOf(2, 'cups.jpg', 'image');
const video = fileOf(3, 'roast.mp4', 'video');

const accountId = idOf(9);
const option = (name: string, value: unknown): Action => ({ do: 'option', accountId, name, value });
const attach = (...media: readonly DraftMedia[]): Action => ({ do: 'attach', media });
/** The part of a draft that all accounts share, whatever an account makes of it. */
const shared: readonly Action[] = [
  { do: 'write', content: 'Fresh beans' },
  { do: 'comment', text: 'Link in bio' },
  { do: 'plan', when: { kind: 'at', time: { date: '2027-03-14', time: '09:30' } } },
];
const frame: Action = { do: 'cover', cover: { frameMs: 1_500 } };
const draftOf = (platform: Platform, actions: readonly Action[]): Draft =>
  [{ do: 'toggle', account: { id: accountId, platform } } as const, ...shared, ...actions].reduce<Draft>(
    act,
    newDraft(idOf(5), 'Europe/Berlin'),
  );

/** All that the service says against a draft, without what is stored. */
async function problemsOf(draft: Draft, intent: Intent): Promise<readonly unknown[]> {
  const body = CreatePostBody.parse(toRequest(draft, intent));
  const shape = await checkShape(body, {
    workspaceId,
    actor: { kind: 'person', id: 'a-person' },
    mediaBaseUrl,
    now: Date.parse('2027-03-01'),
  });
  const rules = await rulesFor(draft.destinations[0]?.platform ?? 'instagram');
  const [destination] = shape.destinations;
  if (rules === undefined || destination === undefined) throw new Error('no rules');
  const { entry, customMedia } = destination;
  const options = (entry.platformSpecificData ?? {}) as PublishableContent['options'];
  const described = (customMedia ?? shape.mediaItems).map(({ type = 'image', altText }) => ({
    type,
    ...(altText !== undefined && { altText }),
  }));
  const names = checkOptionNames(rules.options, options, 'The platform');
  const content = { content: entry.customContent ?? body.content, media: described, options };
  return [...names.problems, ...names.warnings, ...rules.check(content)];
}

const kids = option('madeForKids', false);
const privacy = option('privacyLevel', 'PUBLIC_TO_EVERYONE');
const story = option('contentType', 'story');
const board = option('boardId', '5');

describe('what the composer makes is taken by the service', () => {
  it.each([
    ['an image', 'instagram', [attach(image)]],
    [
      'a carousel with tags',
      'instagram',
      [
        attach(image, another),
        option('userTags', [{ username: 'nordlicht', x: 0.5, y: 0.5, mediaIndex: 1 }]),
      ],
    ],
    ['a reel', 'instagram', [attach(video), frame]],
    ['a story', 'instagram', [attach(video), frame, story]],
    ['a text', 'facebook', []],
    ['a story', 'facebook', [attach(image), story]],
    ['a draft', 'facebook', [option('draft', true)]],
    ['a video', 'facebook', [attach(video), frame]],
    ['a text', 'threads', []],
    ['a poll', 'threads', [option('poll', { options: ['Yes', 'No'] })]],
    ['hidden words', 'threads', [option('textSpoilers', [{ offset: 0, length: 5 }])]],
    ['a carousel', 'threads', [attach(image, video)]],
    ['a video', 'youtube', [attach(video), frame, kids]],
    ['a private video', 'youtube', [attach(video), kids, option('privacy', 'private')]],
    ['a video for children', 'youtube', [attach(video), option('madeForKids', true)]],
    ['an image', 'pinterest', [attach(image), board]],
    [
      'an image that AI has modified',
      'pinterest',
      [attach(image), board, option('aiDisclosures', ['AI_MODIFIED'])],
    ],
    ['a text for two countries', 'facebook', [option('countries', ['DE', 'at'])]],
    ['a video', 'pinterest', [attach(video), frame, board]],
    [
      'a carousel',
      'pinterest',
      [attach(image, another), board, option('carouselItems', [{}, { title: 'Cups' }])],
    ],
    ['a video', 'tiktok', [attach(video), frame, privacy, option('disableComment', false)]],
    ['a draft of a video', 'tiktok', [attach(video), frame, option('draft', true)]],
    ['photos', 'tiktok', [attach(image, another), frame, privacy, option('photoCoverIndex', 1)]],
    ['a text', 'linkedin', []],
    [
      'a poll',
      'linkedin',
      [option('poll', { question: 'Filter?', options: ['Yes', 'No'], duration: 'SEVEN_DAYS' })],
    ],
    ['a video', 'linkedin', [attach(video), frame]],
  ] as const)('%s at %s', async (_what, platform, actions) => {
    const draft = draftOf(platform, actions);
    expect(await problemsOf(draft, 'send')).toEqual([]);
    expect(await problemsOf({ ...draft, when: { kind: 'slot' } }, 'send')).toEqual([]);
    expect(await problemsOf({ ...draft, when: { kind: 'now' } }, 'send')).toEqual([]);
    expect(await problemsOf({ ...draft, when: { kind: 'now' } }, 'keep')).toEqual([]);
  });
});
