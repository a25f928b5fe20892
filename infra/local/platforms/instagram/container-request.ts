import {
  booleanField,
  type Fields,
  integerField,
  jsonField,
  listField,
  textField,
} from '../meta/parameters.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { ContainerKind } from './state.ts';

/** The parameters of `POST /<IG_ID>/media`, after all checks that do not need the file. */
export interface ContainerRequest {
  readonly kind: ContainerKind;
  readonly isCarouselItem: boolean;
  readonly caption: string;
  readonly children: readonly string[];
  readonly imageUrl?: string;
  readonly videoUrl?: string;
  readonly coverUrl?: string;
  readonly thumbOffsetMilliseconds?: number;
  readonly altText?: string;
  /** The tags of this file, as they were sent. */
  readonly userTags?: readonly unknown[];
  /** The id of a Facebook Page with an address. */
  readonly locationId?: string;
  readonly shareToFeed: boolean;
}

const limits = { caption: 2200, mentions: 20, altText: 1000, collaborators: 3, userTags: 20 };

/** Parameters that exist only for some kinds of media. */
const onlyFor: Readonly<Record<string, readonly ContainerKind[]>> = {
  share_to_feed: ['REELS'],
  thumb_offset: ['REELS', 'VIDEO', 'STORIES'],
  cover_url: ['REELS'],
  audio_name: ['REELS'],
  trial_params: ['REELS'],
  alt_text: ['IMAGE'],
  // "Required for user tagging in images, videos, and stories. Videos in carousels are not supported." ("IG User Media")
  user_tags: ['IMAGE', 'REELS', 'STORIES'],
  // Meta's generated SDK lists it for accounts with Instagram Login (`IGUserForIGOnlyAPI`); the guide says "Facebook Login". The
  // setting `takesLocations` makes either true.
  location_id: ['IMAGE', 'REELS', 'CAROUSEL'],
  children: ['CAROUSEL'],
};

/** The rules that are not certain. */
export interface ChangingRules {
  readonly takesLocations: boolean;
  readonly hashtags: number;
}

/** Reads and checks the parameters. @throws Refusal with Instagram's error */
export function readContainerRequest(
  fields: Fields,
  { takesLocations, hashtags }: ChangingRules,
): ContainerRequest {
  const isCarouselItem = booleanField(fields, 'is_carousel_item') ?? false;
  const kind = readKind(fields, isCarouselItem);
  for (const [name, kinds] of Object.entries(onlyFor)) {
    if (fields[name] !== undefined && !kinds.includes(kind)) {
      refuseParameter(`Param ${name} is not supported for this media type.`);
    }
  }
  if (isCarouselItem) refuseAtChildren(fields);
  // These parameters exist only in the API with Facebook Login.
  // https://developers.facebook.com/docs/instagram-platform/content-publishing#partnership-ads-label
  for (const name of ['upload_type', 'product_tags', 'is_paid_partnership', 'branded_content_sponsor_ids']) {
    if (fields[name] !== undefined) refuseParameter(`Param ${name} is not supported.`);
  }
  const locationId = textField(fields, 'location_id');
  if (locationId !== undefined && (!takesLocations || !/^\d+$/.test(locationId)))
    refuseParameter('Param location_id must be the id of a Page with a location.');
  const userTags = checkPeople(fields, kind);
  checkTrial(fields);
  booleanField(fields, 'is_ai_generated');

  const [imageUrl, videoUrl] = [textField(fields, 'image_url'), textField(fields, 'video_url')];
  const coverUrl = textField(fields, 'cover_url');
  const altText = textField(fields, 'alt_text');
  if ((altText?.length ?? 0) > limits.altText) {
    refuseParameter(`Param alt_text must be at most ${limits.altText} characters.`);
  }
  const thumbOffset = readThumbOffset(fields);
  return {
    kind,
    isCarouselItem,
    // A story has no caption: Instagram ignores the parameter.
    caption: kind === 'STORIES' ? '' : readCaption(fields, hashtags),
    children: kind === 'CAROUSEL' ? readChildren(fields) : [],
    shareToFeed: booleanField(fields, 'share_to_feed') ?? true,
    ...(imageUrl !== undefined && { imageUrl }),
    ...(videoUrl !== undefined && { videoUrl }),
    ...(coverUrl !== undefined && { coverUrl }),
    ...(altText !== undefined && { altText }),
    ...(userTags.length > 0 && { userTags }),
    ...(locationId !== undefined && { locationId }),
    // `cover_url` takes precedence over `thumb_offset`.
    ...(thumbOffset !== undefined && coverUrl === undefined && { thumbOffsetMilliseconds: thumbOffset }),
  };
}

function readKind(fields: Fields, isCarouselItem: boolean): ContainerKind {
  const type = textField(fields, 'media_type');
  const hasImage = textField(fields, 'image_url') !== undefined;
  const hasVideo = textField(fields, 'video_url') !== undefined;
  switch (type) {
    case undefined:
      if (!hasImage) refuseParameter('The parameter image_url is required.');
      if (hasVideo) refuseParameter('Only one of image_url and video_url is allowed.');
      return 'IMAGE';
    case 'VIDEO':
      // Since November 2023, a single video must be a reel.
      if (!isCarouselItem) refuse('100/2207023');
      break;
    case 'REELS':
      if (isCarouselItem) refuseParameter('Reels cannot appear in carousels.');
      break;
    case 'STORIES':
      if (isCarouselItem) refuseParameter('Stories cannot appear in carousels.');
      if (hasImage === hasVideo) refuseParameter('One of image_url and video_url is required.');
      return type;
    case 'CAROUSEL':
      if (isCarouselItem) refuseParameter('A carousel cannot appear in a carousel.');
      if (hasImage || hasVideo) refuseParameter('A carousel takes its media from its children.');
      return type;
    default:
      return refuse('100/2207023');
  }
  if (!hasVideo) refuseParameter('The parameter video_url is required.');
  if (hasImage) refuseParameter('Only one of image_url and video_url is allowed.');
  return type;
}

function readCaption(fields: Fields, maxHashtags: number): string {
  const caption = textField(fields, 'caption') ?? '';
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const mentions = caption.match(/(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_.]+/gu)?.length ?? 0;
  if ([...caption].length > limits.caption || hashtags > maxHashtags) refuse('36004/2207010');
  if (mentions > limits.mentions) refuse('100/2207040');
  return caption;
}

function readChildren(fields: Fields): readonly string[] {
  const children = listField(fields, 'children') ?? [];
  if (children.length < 2 || children.length > 10) refuse('100/2207028');
  return children;
}

function readThumbOffset(fields: Fields): number | undefined {
  const offset = textField(fields, 'thumb_offset');
  if (offset !== undefined && Number(offset) < 0) refuse('1/2207057');
  return integerField(fields, 'thumb_offset', 0);
}

function refuseAtChildren(fields: Fields): void {
  // "Content Publishing": `is_ai_generated` belongs to the container of the carousel, and is an error on its children.
  for (const name of ['caption', 'collaborators', 'location_id', 'share_to_feed', 'is_ai_generated']) {
    if (fields[name] !== undefined) refuseParameter(`Param ${name} is not supported for carousel items.`);
  }
}

/** Checks the collaborators and the tags. @returns the tags */
function checkPeople(fields: Fields, kind: ContainerKind): readonly unknown[] {
  const collaborators = listField(fields, 'collaborators') ?? [];
  const isBad = (name: string) => !/^[\w.]{1,30}$/.test(name);
  if (collaborators.length > limits.collaborators || collaborators.some(isBad)) refuse('110/2207018');

  const tags = fields['user_tags'] === undefined ? [] : jsonField(fields, 'user_tags');
  if (!Array.isArray(tags)) refuseParameter('Param user_tags must be an array.');
  if (tags.length > limits.userTags) refuse('100/2207040');
  if (tags.some((tag: unknown) => !isUserTag(tag, kind))) refuseParameter('Param user_tags is invalid.');
  return tags;
}

/** `x` and `y` are required for images. */
function isUserTag(tag: unknown, kind: ContainerKind): boolean {
  if (typeof tag !== 'object' || tag === null || !('username' in tag)) return false;
  const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
  const coordinates = ['x', 'y'].map((name) => Object.entries(tag).find(([key]) => key === name)?.[1]);
  return (
    typeof tag.username === 'string' &&
    coordinates.every((value) => (value === undefined && kind !== 'IMAGE') || isShare(value))
  );
}

function checkTrial(fields: Fields): void {
  if (fields['trial_params'] === undefined) return;
  const trial = jsonField(fields, 'trial_params');
  const strategy = typeof trial === 'object' && trial !== null && 'graduation_strategy' in trial;
  if (!strategy || !['MANUAL', 'SS_PERFORMANCE'].includes(String(trial.graduation_strategy))) {
    refuseParameter('Param trial_params needs a graduation_strategy of MANUAL or SS_PERFORMANCE.');
  }
}
