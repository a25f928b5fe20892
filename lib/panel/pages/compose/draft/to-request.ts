import type { createPostOperation, editPostOperation } from '../../../../posts/request/operations.ts';
import type { RequestOf } from '../../../api/operation-types.ts';
import { coverOptions } from '../../../media/cover.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import { instantOf } from '../../../wall-clock.ts';
import {
  type Destination,
  type Draft,
  inheritsComment,
  inheritsFrame,
  mediaOf,
  type Options,
  type PlannedTime,
  type Step,
} from './draft.ts';

export type CreateRequest = NonNullable<RequestOf<typeof createPostOperation>['body']>;
export type EditRequest = NonNullable<RequestOf<typeof editPostOperation>['body']>;

/** `keep`: it stays a draft at the service. `send`: it goes out as the draft's `when` says. */
export type Intent = 'keep' | 'send';

/** The request that creates the post of a draft. A time that is not complete yet is left out. */
export function toRequest(draft: Draft, intent: Intent): CreateRequest {
  const { id, timezone, content, media, cover, destinations, chain } = draft;
  return {
    content,
    mediaItems: media.map(toMediaItem),
    ...(cover !== undefined && { coverUrl: cover.url }),
    platforms: destinations.map((each) => toEntry(draft, each)),
    chain: chain.map(toChainStep),
    timezone,
    ...timingOf(draft, intent),
    ...forPrograms(draft),
    idempotencyKey: id,
  };
}

type ForPrograms = Pick<CreateRequest, 'onQuota' | 'externalId' | 'externalIdUnique' | 'metadata' | 'tags'>;

/** A row without a name and a value is one that nobody has filled in. */
function forPrograms({
  onQuota,
  externalId = '',
  isExternalIdUnique,
  metadata = [],
  tags = [],
}: Draft): ForPrograms {
  const pairs = metadata.filter(({ name, value }) => name !== '' || value !== '');
  return {
    ...(onQuota !== undefined && { onQuota }),
    ...(externalId !== '' && { externalId, ...(isExternalIdUnique && { externalIdUnique: true }) }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(pairs.length > 0 && { metadata: Object.fromEntries(pairs.map(({ name, value }) => [name, value])) }),
  };
}

/** Returns the instant of a time, as the service reads it; `undefined` while it is not complete. */
export function instantText(time: PlannedTime | undefined, timezone: string): string | undefined {
  if (time === undefined) return undefined;
  return time.exact ?? instantOf(time, timezone)?.at.toISOString();
}

type Timing = Pick<CreateRequest, 'scheduledFor' | 'publishNow' | 'isDraft'>;

function timingOf({ when, timezone }: Draft, intent: Intent): Timing {
  const scheduledFor = when.kind === 'at' ? instantText(when.time, timezone) : undefined;
  const at = scheduledFor !== undefined && { scheduledFor };
  if (intent === 'keep') return { ...at, isDraft: true };
  if (when.kind === 'slot') return { scheduledFor: 'auto' };
  return when.kind === 'now' ? { publishNow: true } : { ...at };
}

type Entry = NonNullable<CreateRequest['platforms']>[number];

function toEntry(draft: Draft, destination: Destination): Entry {
  const { accountId, content, media, time, shape } = destination;
  const options = optionsOf(draft, destination);
  const scheduledFor = instantText(time, draft.timezone);
  return {
    accountId,
    ...(content !== undefined && { customContent: content }),
    ...(media !== undefined && { customMedia: media.map(toMediaItem) }),
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...shape,
    ...(Object.keys(options).length > 0 && {
      platformSpecificData: options as Entry['platformSpecificData'],
    }),
  };
}

/** The options of a destination with what it inherits. An empty text means none, so that one account can do without. */
export function optionsOf(draft: Draft, destination: Destination): Options {
  const { platform, options } = destination;
  const inherited = {
    ...(inheritsFrame(destination, mediaOf(draft, destination)) && coverOptions(platform, draft.frameMs)),
    ...(inheritsComment(destination) && { firstComment: draft.firstComment }),
  };
  return withoutEmpty({ ...inherited, ...options });
}

const withoutEmpty = (options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '' && value !== undefined));

export function toMediaItem({ url, type, isDocument, fileName, altText, shape }: DraftMedia) {
  return {
    url,
    type: isDocument ? ('document' as const) : type,
    ...(fileName !== undefined && { filename: fileName }),
    ...(altText !== undefined && altText !== '' && { altText }),
    ...shape,
  };
}

type RequestedStep = NonNullable<CreateRequest['chain']>[number];

function toChainStep({ kind, accountIds, afterMinutes, content, media, options }: Step): RequestedStep {
  const own = Object.entries(options)
    .filter(([accountId]) => accountIds.includes(accountId))
    .map(([accountId, each]) => [accountId, withoutEmpty(each)] as const)
    .filter(([, each]) => Object.keys(each).length > 0);
  return {
    kind,
    accountIds: [...accountIds],
    afterMinutes,
    ...(kind === 'followUp' && {
      ...(content !== '' && { content }),
      ...(media.length > 0 && { mediaItems: media.map(toMediaItem) }),
    }),
    ...(own.length > 0 && { options: Object.fromEntries(own) as RequestedStep['options'] }),
  };
}

/** The post, as far as {@link changesOf} has to know it. */
export interface Stored {
  readonly isDraft: boolean;
  /** The post as a {@link Draft}. */
  readonly draft: Draft;
}

const parts = ['content', 'mediaItems', 'platforms', 'chain'] as const;

/** Parts that a request leaves out, by what a change says to take them away. */
const removable = {
  coverUrl: null,
  onQuota: 'wait',
  metadata: null,
  tags: null,
  externalId: null,
  externalIdUnique: false,
} as const;

/**
 * The change that makes a stored post what the draft says, with nothing that stays as it is. Undefined if nothing changes.
 *
 * @param intent `keep`: the post becomes or stays a draft
 */
export function changesOf(
  { draft: before, isDraft }: Stored,
  after: Draft,
  intent: Intent,
): EditRequest | undefined {
  const from = toRequest(before, 'keep');
  const to = toRequest(after, 'keep');
  const changed = parts.filter((part) => !isSame(from[part], to[part]));
  const timing = timingChange({ before, isDraft }, after, intent);
  // A new time of the post takes the own times of its destinations away, unless they are sent too.
  const losesTimes = 'scheduledFor' in timing && after.destinations.some(({ time }) => time !== undefined);
  const sent = losesTimes && !changed.includes('platforms') ? [...changed, 'platforms' as const] : changed;
  const request: EditRequest = {
    ...Object.fromEntries(sent.map((part) => [part, to[part]])),
    ...removableChanges(from, to),
    ...timing,
    ...(Object.keys(timing).length > 0 && before.timezone !== after.timezone && { timezone: after.timezone }),
  };
  return Object.keys(request).length > 0 ? request : undefined;
}

function removableChanges(from: CreateRequest, to: CreateRequest): EditRequest {
  const names = Object.keys(removable) as (keyof typeof removable)[];
  return Object.fromEntries(
    names.filter((name) => !isSame(from[name], to[name])).map((name) => [name, to[name] ?? removable[name]]),
  );
}

type TimingChange = Pick<EditRequest, 'scheduledFor' | 'publishNow' | 'isDraft'>;

function timingChange(
  { before, isDraft }: { readonly before: Draft; readonly isDraft: boolean },
  after: Draft,
  intent: Intent,
): TimingChange {
  const { when, timezone } = after;
  if (intent === 'send' && when.kind === 'now') return { publishNow: true };
  if (intent === 'send' && when.kind === 'slot') return { scheduledFor: 'auto' };
  const timeOf = ({ when, timezone }: Draft) =>
    when.kind === 'at' ? instantText(when.time, timezone) : undefined;
  const time = timeOf({ ...after, timezone });
  const isMoved = when.kind === 'at' && time !== timeOf(before);
  const moved = isMoved && { scheduledFor: time ?? null };
  if (intent === 'keep') {
    // Without a time, the post is a draft anyway, and the service refuses to be told so twice.
    return { ...moved, ...(isMoved && time === undefined ? {} : (isMoved || !isDraft) && { isDraft: true }) };
  }
  return { ...moved, ...(isDraft && !isMoved && { isDraft: false }) };
}

/** Returns true if two requests say the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const defined = (value: object) => Object.entries(value).filter(([, each]) => each !== undefined);
  const [left, right] = [defined(one), defined(other)];
  return (
    left.length === right.length &&
    left.every(
      ([key, value]) => Object.hasOwn(other, key) && isSame(value, (other as Record<string, unknown>)[key]),
    )
  );
}
