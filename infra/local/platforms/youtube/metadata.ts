import type { GoogleErrorReason } from './errors.ts';

/** The checked metadata of `videos.insert`. Times are epoch milliseconds. */
export interface VideoMetadata {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly categoryId: string;
  readonly defaultLanguage?: string;
  readonly privacyStatus: PrivacyStatus;
  readonly publishAt?: number;
  readonly selfDeclaredMadeForKids: boolean;
  readonly containsSyntheticMedia: boolean;
  readonly license: string;
  readonly embeddable: boolean;
  readonly publicStatsViewable: boolean;
  readonly hasPaidProductPlacement?: boolean;
}

export type PrivacyStatus = 'public' | 'unlisted' | 'private';

export type MetadataVerdict =
  | { readonly metadata: VideoMetadata }
  | { readonly reason: GoogleErrorReason; readonly message?: string };

export const metadataLimits = { titleCharacters: 100, descriptionBytes: 5000, tagsCharacters: 500 } as const;

/** The parts that the reference of `videos.insert` lists for its `part` parameter. */
const videoParts = new Set([
  'contentDetails',
  'fileDetails',
  'id',
  'liveStreamingDetails',
  'localizations',
  'paidProductPlacementDetails',
  'player',
  'processingDetails',
  'recordingDetails',
  'snippet',
  'statistics',
  'status',
  'suggestions',
  'topicDetails',
]);

/** The categories that `videoCategories.list` marks as assignable for most regions. */
const assignableCategories = new Set(
  [1, 2, 10, 15, 17, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29].map((category) => String(category)),
);

/**
 * Reads the `part` parameter, a list separated by commas. Returns `unknownPart` for a name that the resource does not have, and
 * `missingRequiredParameter` if there is none.
 */
export function readParts(
  part: string | null,
  known: ReadonlySet<string> = videoParts,
): readonly string[] | GoogleErrorReason {
  const parts = (part ?? '').split(',').filter((name) => name !== '');
  if (parts.length === 0) return 'missingRequiredParameter';
  return parts.every((name) => known.has(name)) ? parts : 'unknownPart';
}

/**
 * Checks the body of `videos.insert`, as Google does at the start of a session, before the upload. The reference
 * defines the lengths: the title in characters, the description in UTF-8 bytes, tags as in `countTagCharacters`.
 */
export function checkMetadata(body: unknown, parts: readonly string[]): MetadataVerdict {
  if (!isRecord(body)) return { reason: 'invalidVideoMetadata' };
  if (Object.keys(body).some((name) => videoParts.has(name) && name !== 'id' && !parts.includes(name))) {
    return { reason: 'unexpectedPart' };
  }
  const { snippet = {}, status = {}, localizations } = body;
  if (!isRecord(snippet) || !isRecord(status)) return { reason: 'invalidVideoMetadata' };
  if (localizations !== undefined && snippet.defaultLanguage === undefined) {
    return { reason: 'defaultLanguageNotSet' };
  }
  const fromSnippet = checkSnippet(snippet);
  if ('reason' in fromSnippet) return fromSnippet;
  const fromStatus = checkStatus(status);
  if ('reason' in fromStatus) return fromStatus;
  const placement = readPlacement(body['paidProductPlacementDetails']);
  if (placement === undefined) return { reason: 'invalidVideoMetadata' };
  return { metadata: { ...fromSnippet, ...fromStatus, ...placement } };
}

/** The parts that `videos.update` changes here. */
const changeableParts = ['snippet', 'status', 'paidProductPlacementDetails'];

/**
 * Checks the body of `videos.update`, and returns the metadata with the named parts replaced. The body must have the title and the
 * category if it replaces the snippet. https://developers.google.com/youtube/v3/docs/videos/update#request-body
 */
export function changeMetadata(
  before: VideoMetadata,
  body: Readonly<Record<string, unknown>>,
  parts: readonly string[],
): MetadataVerdict {
  if (parts.some((part) => part !== 'id' && !changeableParts.includes(part))) return { reason: 'badRequest' };
  if (Object.keys(body).some((name) => videoParts.has(name) && name !== 'id' && !parts.includes(name))) {
    return { reason: 'unexpectedPart' };
  }
  const { snippet = {}, status = {}, paidProductPlacementDetails = {} } = body;
  if (!isRecord(snippet) || !isRecord(status)) return { reason: 'invalidVideoMetadata' };
  let after = before;
  if (parts.includes('snippet')) {
    if (snippet['categoryId'] === undefined) return { reason: 'invalidCategoryId' };
    const changed = checkSnippet(snippet);
    if ('reason' in changed) return changed;
    const { defaultLanguage: _former, ...rest } = after;
    after = { ...rest, ...changed };
  }
  if (parts.includes('status')) {
    const changed = checkStatus(status);
    if ('reason' in changed) return changed;
    const { publishAt: _former, ...rest } = after;
    after = { ...rest, ...changed };
  }
  if (parts.includes('paidProductPlacementDetails')) {
    const changed = readPlacement(paidProductPlacementDetails);
    if (changed === undefined) return { reason: 'invalidVideoMetadata' };
    after = { ...after, ...changed };
  }
  return { metadata: after };
}

type SnippetPart = Pick<VideoMetadata, 'title' | 'description' | 'tags' | 'categoryId' | 'defaultLanguage'>;
type StatusPart = Omit<VideoMetadata, keyof SnippetPart | 'hasPaidProductPlacement'>;
type Refusal = { readonly reason: GoogleErrorReason };

function readPlacement(details: unknown): Pick<VideoMetadata, 'hasPaidProductPlacement'> | undefined {
  if (details === undefined) return {};
  const { hasPaidProductPlacement } = isRecord(details) ? details : {};
  return typeof hasPaidProductPlacement === 'boolean' ? { hasPaidProductPlacement } : undefined;
}

function checkSnippet(snippet: Readonly<Record<string, unknown>>): SnippetPart | Refusal {
  const { title, description = '', tags = [], categoryId = '22', defaultLanguage } = snippet;
  if (typeof title !== 'string' || !isTitle(title)) return { reason: 'invalidTitle' };
  if (typeof description !== 'string' || !isDescription(description)) return { reason: 'invalidDescription' };
  if (
    !isTextList(tags) ||
    tags.some((tag) => control.test(tag)) ||
    countTagCharacters(tags) > metadataLimits.tagsCharacters
  ) {
    return { reason: 'invalidTags' };
  }
  if (typeof categoryId !== 'string' || !assignableCategories.has(categoryId)) {
    return { reason: 'invalidCategoryId' };
  }
  if (defaultLanguage === undefined) return { title, description, tags, categoryId };
  if (typeof defaultLanguage !== 'string') return { reason: 'invalidVideoMetadata' };
  return { title, description, tags, categoryId, defaultLanguage };
}

function checkStatus(status: Readonly<Record<string, unknown>>): StatusPart | Refusal {
  const { privacyStatus = 'public', license = 'youtube', publishAt } = status;
  if (!isPrivacyStatus(privacyStatus)) return { reason: 'forbiddenPrivacySetting' };
  if (license !== 'youtube' && license !== 'creativeCommon') return { reason: 'forbiddenLicenseSetting' };
  const { selfDeclaredMadeForKids = false, containsSyntheticMedia = false } = status;
  const { embeddable = true, publicStatsViewable = true } = status;
  if (
    typeof selfDeclaredMadeForKids !== 'boolean' ||
    typeof containsSyntheticMedia !== 'boolean' ||
    typeof embeddable !== 'boolean' ||
    typeof publicStatsViewable !== 'boolean'
  ) {
    return { reason: 'invalidVideoMetadata' };
  }
  const flags = { selfDeclaredMadeForKids, containsSyntheticMedia, embeddable, publicStatsViewable };
  if (publishAt === undefined) return { privacyStatus, license, ...flags };
  const publishTime = typeof publishAt === 'string' ? parseDateTime(publishAt) : undefined;
  if (publishTime === undefined || privacyStatus !== 'private') return { reason: 'invalidPublishAt' };
  return { privacyStatus, license, ...flags, publishAt: publishTime };
}

function isTitle(title: string): boolean {
  const characters = [...title].length;
  const isAccepted = !/[<>]/.test(title) && !control.test(title);
  return title.trim() !== '' && characters <= metadataLimits.titleCharacters && isAccepted;
}

function isDescription(description: string): boolean {
  const isAccepted = !/[<>]/.test(description) && !control.test(description.replace(/[\t\n\r]/g, ''));
  return Buffer.byteLength(description) <= metadataLimits.descriptionBytes && isAccepted;
}

/** YouTube refuses control characters too, without documenting it. https://github.com/FriendTeamInc/VodBot/issues/46 */
const control = /\p{Cc}/u;

/** Returns the length of all tags as YouTube counts it: with commas between tags, and quotation marks for tags with a space. */
export function countTagCharacters(tags: readonly string[]): number {
  const characters = tags.map((tag) => [...tag].length + (tag.includes(' ') ? 2 : 0));
  return characters.reduce((sum, count) => sum + count, Math.max(0, tags.length - 1));
}

/** Parses an ISO 8601 date and time with an offset to epoch milliseconds. Undefined for anything else. */
function parseDateTime(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function isPrivacyStatus(value: unknown): value is PrivacyStatus {
  return value === 'public' || value === 'unlisted' || value === 'private';
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
