import type { AskedShape } from '../../../../media/renditions/adapt.ts';
import type { Platform } from '../../../../platforms/contract/names.ts';
import { ownCoverOptions } from '../../../media/cover.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import { type Kept, parseKept, type WorkKind } from '../../../unfinished/kept-work.ts';
import type { WallClock } from '../../../wall-clock.ts';

/** `platformSpecificData` of a destination. It may have options that no control shows: they are kept. */
export type Options = Readonly<Record<string, unknown>>;

/** A time as a person types it. `exact` is the instant that the post had when it was read, which has seconds. */
export interface PlannedTime extends WallClock {
  /** ISO 8601. */
  readonly exact?: string;
}

/** The plan of a post. `at` without a time: nobody has chosen one yet. */
export type When =
  | { readonly kind: 'at'; readonly time?: PlannedTime | undefined }
  | { readonly kind: 'slot' }
  | { readonly kind: 'now' };

/** An account that the post goes to, and what is other there than in the rest of the post. */
export interface Destination {
  readonly accountId: string;
  readonly platform: Platform;
  /** Replaces the shared text; absent: inherited. */
  readonly content?: string;
  /** Replaces the shared files; absent: inherited. */
  readonly media?: readonly DraftMedia[];
  /** Its own time; absent: the post's. */
  readonly time?: PlannedTime;
  /** The change of shape of its pictures. It wins over that of a shared file, and loses to that of a file of its own. */
  readonly shape?: AskedShape;
  readonly options: Options;
}

/** A step of the chain, which follows the post. */
export interface Step {
  /** Tells it from the others while they are moved; the service does not know it. */
  readonly key: string;
  readonly kind: 'followUp' | 'crossPost';
  readonly accountIds: readonly string[];
  readonly afterMinutes: number;
  /** Only of a follow-up, as are the files. */
  readonly content: string;
  readonly media: readonly DraftMedia[];
  /** Options by account. */
  readonly options: Readonly<Record<string, Options>>;
}

/** All that a person has put into the composer. It is plain data, which the browser keeps as JSON. */
export interface Draft {
  /** Also the idempotency key: however often it is sent, it becomes one post. */
  readonly id: string;
  /** The zone of all its wall-clock times. */
  readonly timezone: string;
  readonly content: string;
  readonly media: readonly DraftMedia[];
  /** `coverUrl` of the post. */
  readonly cover?: DraftMedia;
  /** The frame that becomes the cover, in milliseconds, for all destinations with one video that have no own choice. */
  readonly frameMs?: number;
  /** The comment of all destinations that can have one and have none of their own. */
  readonly firstComment: string;
  readonly destinations: readonly Destination[];
  /** Accounts that were taken out, with what was typed for them: they may come back. */
  readonly parked: readonly Destination[];
  readonly when: When;
  readonly chain: readonly Step[];
  /** The behaviour at a platform's daily limit; absent: wait. This and the fields below are absent in drafts of older releases. */
  readonly onQuota?: 'fail';
  /** A program's own id of the post; absent or empty: none. */
  readonly externalId?: string;
  /** True if no other post may have the id. */
  readonly isExternalIdUnique?: boolean;
  /** Names of its tags. */
  readonly tags?: readonly string[];
  /** Pairs of texts for programs, in the order in which they were typed. */
  readonly metadata?: readonly MetadataPair[];
}

export interface MetadataPair {
  readonly name: string;
  readonly value: string;
}

export const newDraft = (id: string, timezone: string): Draft => ({
  id,
  timezone,
  content: '',
  media: [],
  firstComment: '',
  destinations: [],
  parked: [],
  when: { kind: 'at' },
  chain: [],
});

/** Returns true if somebody would miss the draft. Accounts and a time alone are chosen again in a moment. */
export function isWorthKeeping({
  content,
  media,
  cover,
  firstComment,
  destinations,
  parked,
  chain,
  externalId = '',
  metadata = [],
  tags = [],
}: Draft): boolean {
  return (
    content.trim() !== '' ||
    media.length > 0 ||
    cover !== undefined ||
    firstComment.trim() !== '' ||
    chain.length > 0 ||
    externalId !== '' ||
    metadata.length > 0 ||
    tags.length > 0 ||
    [...destinations, ...parked].some(hasOwn)
  );
}

/** Returns true if a destination has anything of its own. */
export const hasOwn = ({ content, media, time, shape, options }: Destination): boolean =>
  [content, media, time, shape].some((own) => own !== undefined) || Object.keys(options).length > 0;

export const contentOf = (draft: Draft, { content }: Destination): string => content ?? draft.content;
export const mediaOf = (draft: Draft, { media }: Destination): readonly DraftMedia[] => media ?? draft.media;

const commenting: readonly Platform[] = ['instagram', 'facebook', 'threads', 'youtube', 'linkedin'];
/** Returns true if the platform lets an account comment on its own post. */
export const takesFirstComment = (platform: Platform): boolean => commenting.includes(platform);

const isStory = ({ options }: Destination): boolean =>
  (options['contentType'] ?? options['type']) === 'story';
const privacyNames = ['privacy', 'privacyStatus', 'visibility'];

/**
 * Returns true if a destination gets the comment that all share: nobody can comment on a story, a draft, or a private or children's video,
 * and the replies to a thread are its own parts.
 */
export function inheritsComment(destination: Destination): boolean {
  const { platform, options } = destination;
  if (!takesFirstComment(platform)) return false;
  switch (platform) {
    case 'instagram':
      return !isStory(destination);
    case 'facebook':
      return !isStory(destination) && options['draft'] !== true;
    case 'threads':
      return options['thread'] === undefined;
    case 'youtube':
      return options['madeForKids'] !== true && !privacyNames.some((name) => options[name] === 'private');
    default:
      return true;
  }
}

/** Returns true if a person has said that a post on TikTok promotes something, even if not yet whom: then the first option is `false`. */
export const isTiktokDisclosure = ({ brandOrganicToggle, brandContentToggle }: Options): boolean =>
  brandOrganicToggle !== undefined || brandContentToggle === true;

/** Returns true if a destination gets the frame that all share as the cover of a video. */
export const inheritsFrame = (destination: Destination, media: readonly DraftMedia[]): boolean =>
  canHaveFrame(destination, media) && !hasOwnCover(destination);

/** Returns true if a frame can be its cover. A story and a draft at TikTok have none. */
export function canHaveFrame(destination: Destination, media: readonly DraftMedia[]): boolean {
  if (!isSingleVideo(media)) return false;
  return destination.platform === 'tiktok' ? destination.options['draft'] !== true : !isStory(destination);
}

/** Returns true if a destination has a frame or an image of its own as the cover. A platform takes one of the two. */
export const hasOwnCover = ({ platform, options }: Pick<Destination, 'platform' | 'options'>): boolean =>
  ownCoverOptions(platform).some((name) => options[name] !== undefined);

/** Returns true if a frame of the video can be its cover: then it is the only file. */
export const isSingleVideo = (media: readonly DraftMedia[]): boolean =>
  media.length === 1 && media[0]?.type === 'video';

/** Posts, and changes of posts, that are not sent. */
export const postWork: WorkKind<Draft> = {
  prefix: 'compose',
  isDraft: (value): value is Draft => {
    if (typeof value !== 'object' || value === null) return false;
    const { id, content, media, destinations, parked, when, chain } = value as Partial<Draft>;
    return (
      typeof id === 'string' &&
      typeof content === 'string' &&
      typeof when === 'object' &&
      [media, destinations, parked, chain].every(Array.isArray)
    );
  },
};

/** A post as this browser keeps it. */
export type KeptPost = Kept<Draft>;

/** Reads what another tab has kept. */
export const parsePost = (text: string | null): KeptPost | undefined => parseKept(text, postWork, Date.now());
