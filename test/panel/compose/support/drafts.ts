import * as fc from 'fast-check';
import type * as z from 'zod';
import type { Account } from '../../../../lib/panel/accounts/account.ts';
import type { DraftMedia } from '../../../../lib/panel/media/draft-media.ts';
import { act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import {
  type Destination,
  type Draft,
  newDraft,
  type Step,
} from '../../../../lib/panel/pages/compose/draft/draft.ts';

import type { CreatePostBody } from '../../../../lib/posts/request/schemas.ts';
import { some } from '../../support/accounts.ts';
import { idOf } from '../../support/ids.ts';
import { listedPostOf, postOf, targetOf } from '../../support/posts.ts';

export const zone = 'Europe/Berlin';

/** A draft for these accounts, with nothing in it yet. */
export const draftFor = (...accounts: readonly Pick<Account, 'id' | 'platform'>[]): Draft =>
  accounts.reduce<Draft>((draft, account) => act(draft, { do: 'toggle', account }), newDraft(idOf(1), zone));

export const image: DraftMedia = {
  url: 'https://media.test/media/1/beans.jpg',
  type: 'image',
  fileName: 'beans.jpg',
};
export const video: DraftMedia = {
  url: 'https://media.test/media/2/roast.mp4',
  type: 'video',
  fileName: 'roast.mp4',
  durationMs: 12_000,
};

const text = fc.oneof(fc.constant(''), fc.string({ maxLength: 20, unit: 'grapheme' }));
const shape: fc.Arbitrary<NonNullable<DraftMedia['shape']>> = fc
  .record(
    {
      fit: fc.constantFrom('pad' as const, 'crop' as const),
      padColor: fc.constant('#1a2b3c'),
      focalPoint: fc.constant({ x: 0.5, y: 0.2 }),
    },
    { requiredKeys: [] },
  )
  .filter((some) => Object.keys(some).length > 0);
const media: fc.Arbitrary<DraftMedia> = fc.oneof(
  fc.record(
    {
      url: fc.constant(image.url),
      type: fc.constant('image' as const),
      altText: fc.string({ minLength: 1, maxLength: 9 }),
      shape,
    },
    { requiredKeys: ['url', 'type'] },
  ),
  fc.constant(video),
  fc.constant({
    url: 'https://media.test/media/3/menu.pdf',
    type: 'image' as const,
    isDocument: true as const,
  }),
);
const files = fc.array(media, { maxLength: 3 });
const time = fc
  .record({
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 3, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
  })
  .map(({ day, hour, minute }) => ({ date: `2026-03-${pad(day)}`, time: `${pad(hour)}:${pad(minute)}` }));
const pad = (number: number) => String(number).padStart(2, '0');
const options: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    firstComment: fc.constantFrom('One', 'Two'),
    thumbOffset: fc.constantFrom(1_000, 1_500),
    videoCoverTimestampMs: fc.constantFrom(1_000, 1_500),
    coverKeyFrameSeconds: fc.constantFrom(1, 2),
    coverImageUrl: fc.constant('https://covers.test/a.jpg'),
    title: fc.string({ minLength: 1, maxLength: 9 }),
    somethingNew: fc
      .json()
      .map((json) => JSON.parse(json))
      .filter((value) => value !== ''),
  },
  { requiredKeys: [] },
);

const destination = (place: number): fc.Arbitrary<Destination> =>
  fc
    .record({ content: text, media: files, time, shape, options }, { requiredKeys: ['options'] })
    .map((own) => ({
      accountId: some[place]?.id ?? '',
      platform: some[place]?.platform ?? 'instagram',
      ...own,
    }));
const destinations = fc
  .subarray([0, 1, 2, 3, 4, 5])
  .chain((places) => fc.tuple(...places.map(destination)))
  .map((all) => all as Destination[]);

const step: fc.Arbitrary<Step> = fc
  .record({
    key: fc.uuid(),
    kind: fc.constantFrom('followUp' as const, 'crossPost' as const),
    accountIds: fc.subarray(
      some.map(({ id }) => id),
      { minLength: 1 },
    ),
    afterMinutes: fc.integer({ min: 0, max: 1_440 }),
    content: fc.string({ minLength: 1, maxLength: 9 }),
    media: files,
    options: fc.constant({}),
  })
  .chain((each) => options.map((own) => ({ ...each, options: { [each.accountIds[0] ?? '']: own } })))
  .map((each) => (each.kind === 'followUp' ? each : { ...each, content: '', media: [] }));

/** Any draft whose times are complete. */
export const drafts: fc.Arbitrary<Draft> = fc
  .record({
    content: text,
    media: files,
    hasCover: fc.boolean(),
    frameMs: fc.constantFrom(undefined, 0, 1_500, 2_000),
    firstComment: fc.constantFrom('', 'One'),
    destinations,
    time: fc.option(time, { nil: undefined }),
    chain: fc.array(step, { maxLength: 3 }),
    programs: fc.record(
      {
        onQuota: fc.constant('fail' as const),
        externalId: fc.constantFrom('', 'order-7'),
        isExternalIdUnique: fc.boolean(),
        metadata: fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c'), value: text }), {
          selector: ({ name }) => name,
        }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ hasCover, frameMs, time, programs, ...rest }) => ({
    ...newDraft(idOf(1), zone),
    ...rest,
    ...programs,
    ...(hasCover && { cover: { url: 'https://media.test/media/4/cover.jpg', type: 'image' as const } }),
    ...(frameMs !== undefined && { frameMs }),
    when: { kind: 'at' as const, ...(time && { time }) },
  }));

/** The post that the service makes of a request. */
export function storedAs(request: z.output<typeof CreatePostBody>, { destinations }: Draft) {
  const shown = (item: { readonly type?: unknown }) => ({ ...item, type: item.type ?? 'image' });
  const listed = listedPostOf(1, {
    content: request.content,
    mediaItems: request.mediaItems.map(shown) as never,
    coverUrl: request.coverUrl ?? null,
    scheduledFor: request.scheduledFor ?? null,
    onQuota: request.onQuota ?? 'wait',
    metadata: request.metadata ?? {},
    externalId: request.externalId ?? null,
    externalIdUnique: request.externalIdUnique ?? false,
    status: 'draft',
    platforms: (request.platforms ?? []).map(({ accountId }, place) =>
      targetOf(
        { id: accountId, platform: destinations[place]?.platform ?? 'instagram' },
        { status: 'draft' },
      ),
    ),
    chain: request.chain.map(
      ({ kind, accountIds, afterMinutes = 0, content = null, mediaItems = [], options = {} }) => ({
        kind,
        status: 'waiting',
        postId: null,
        error: null,
        accountIds,
        afterMinutes,
        content: content ?? null,
        mediaItems: mediaItems.map(shown) as never,
        options,
      }),
    ),
  });
  return postOf(listed, {
    platforms: listed.platforms.map((target, place) => {
      const entry = request.platforms?.[place];
      return {
        ...target,
        scheduledFor: entry?.scheduledFor ?? request.scheduledFor ?? null,
        customContent: entry?.customContent ?? null,
        customMedia: (entry?.customMedia?.map(shown) ?? null) as never,
        fit: entry?.fit ?? null,
        padColor: entry?.padColor ?? null,
        focalPoint: entry?.focalPoint ?? null,
        adaptations: [],
        linkCard: null,
        platformSpecificData: entry?.platformSpecificData ?? {},
        takeDown: null,
      };
    }),
  });
}
