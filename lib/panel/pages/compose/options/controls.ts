import type { Platform } from '../../../../platforms/contract/names.ts';
import { titleCharacters as facebookTitle } from '../../../../platforms/facebook/limits.ts';
import type { FacebookOptions } from '../../../../platforms/facebook/options.ts';
import type { InstagramOptions } from '../../../../platforms/instagram/options.ts';
import { articleCharacters } from '../../../../platforms/linkedin/limits.ts';
import type { LinkedinOptions } from '../../../../platforms/linkedin/options.ts';
import { titleCharacters as pinTitle } from '../../../../platforms/pinterest/limits.ts';
import type { PinterestOptions } from '../../../../platforms/pinterest/options.ts';
import { topicTagCharacters } from '../../../../platforms/threads/limits.ts';
import type { ThreadsOptions } from '../../../../platforms/threads/options.ts';
import { photoTitleUnits } from '../../../../platforms/tiktok/limits.ts';
import type { TiktokOptions } from '../../../../platforms/tiktok/options.ts';
import { titleCharacters as youtubeTitle } from '../../../../platforms/youtube/limits.ts';
import type { YoutubeOptions } from '../../../../platforms/youtube/options.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import { words } from '../../../words/words.ts';
import type { Draft, Options } from '../draft/draft.ts';
import type { Placed } from '../draft/places.ts';
import type { Control, ControlsOf, Facts, Special } from './control.ts';

export function factsOf(media: readonly DraftMedia[], options: Options): Facts {
  const contentType = options['contentType'] ?? options['type'];
  return {
    images: media.filter(({ type, isDocument }) => type === 'image' && !isDocument).length,
    videos: media.filter(({ type }) => type === 'video').length,
    hasDocument: media.some(({ isDocument }) => isDocument === true),
    contentType: typeof contentType === 'string' ? contentType : undefined,
    options,
  };
}

const isStory = ({ contentType }: Facts): boolean => contentType === 'story';
const isNoStory = (facts: Facts): boolean => !isStory(facts);
const isOneVideo = ({ videos, images, hasDocument }: Facts): boolean =>
  videos === 1 && images === 0 && !hasDocument;
const hasNoMedia = ({ images, videos, hasDocument }: Facts): boolean => images + videos === 0 && !hasDocument;
const hasMedia = (facts: Facts): boolean => !hasNoMedia(facts);
const isCarousel = ({ images, videos }: Facts): boolean => images + videos > 1;
const hasVideo = ({ videos }: Facts): boolean => videos > 0;
const hasImages = ({ images }: Facts): boolean => images > 0;
const hasNoVideo = ({ videos }: Facts): boolean => videos === 0;
const isInstagramReel = (facts: Facts): boolean => isOneVideo(facts) && isNoStory(facts);

/*
 * The controls of each platform's options, in the order in which they are shown. Options without one are named as excluded:
 * - aliases (`type`, `privacyStatus`, `visibility`, `coverImageKeyFrameTime`);
 * - `altText`, because each file has its own text in the editor of files;
 * - the frame of a cover, which is chosen there too.
 */

const firstComment = (applies: (facts: Facts) => boolean): Special => ({
  kind: 'special',
  control: 'firstComment',
  label: words.options.firstComment.label,
  applies,
  needs: 'comments',
});

const always = () => true;

const instagram = {
  contentType: { kind: 'choice', ...words.options.instagram.contentType, usual: 'feed' },
  firstComment: firstComment(isNoStory),
  collaborators: { kind: 'list', ...words.options.instagram.collaborators, applies: isNoStory, isRare: true },
  userTags: {
    kind: 'special',
    control: 'userTags',
    ...words.options.instagram.userTags,
    applies: hasMedia,
    isRare: true,
  },
  shareToFeed: {
    kind: 'flag',
    usual: true,
    ...words.options.instagram.shareToFeed,
    applies: isInstagramReel,
  },
  trialReel: { kind: 'choice', ...words.options.instagram.trialReel, applies: isInstagramReel, isRare: true },
  audioName: {
    kind: 'text',
    most: 255,
    ...words.options.instagram.audioName,
    applies: isInstagramReel,
    isRare: true,
  },
  isAiGenerated: { kind: 'flag', usual: false, ...words.options.instagram.isAiGenerated, isRare: true },
} satisfies ControlsOf<InstagramOptions, 'type' | 'altText' | 'thumbOffset'>;

const facebook = {
  contentType: { kind: 'choice', ...words.options.facebook.contentType, usual: 'feed' },
  link: { kind: 'text', type: 'url', ...words.options.facebook.link, applies: hasNoMedia },
  title: { kind: 'text', most: facebookTitle, ...words.options.facebook.title, applies: isInstagramReel },
  firstComment: firstComment(isNoStory),
  draft: { kind: 'flag', usual: false, ...words.options.facebook.draft, applies: isNoStory, isRare: true },
} satisfies ControlsOf<FacebookOptions, 'type' | 'altText'>;

const threads = {
  replyControl: { kind: 'choice', ...words.options.threads.replyControl, usual: 'everyone' },
  topicTag: { kind: 'text', most: topicTagCharacters, ...words.options.threads.topicTag },
  firstComment: firstComment(always),
  link: { kind: 'text', type: 'url', ...words.options.threads.link, applies: hasNoMedia, isRare: true },
  poll: {
    kind: 'special',
    control: 'threadsPoll',
    ...words.options.threads.poll,
    applies: hasNoMedia,
    isRare: true,
  },
  isSpoiler: {
    kind: 'flag',
    usual: false,
    ...words.options.threads.isSpoiler,
    applies: hasMedia,
    isRare: true,
  },
  textSpoilers: { kind: 'special', control: 'spoilers', ...words.options.threads.textSpoilers, isRare: true },
  replyApprovals: { kind: 'flag', usual: false, ...words.options.threads.replyApprovals, isRare: true },
  quotePostId: { kind: 'text', ...words.options.threads.quotePostId, isRare: true },
} satisfies ControlsOf<ThreadsOptions, 'altText'>;

const youtube = {
  title: { kind: 'text', most: youtubeTitle, ...words.options.youtube.title },
  madeForKids: { kind: 'special', control: 'madeForKids', ...words.options.youtube.madeForKids },
  privacy: { kind: 'choice', ...words.options.youtube.privacy, usual: 'public' },
  playlistId: {
    kind: 'special',
    control: 'playlist',
    ...words.options.youtube.playlistId,
    needs: 'playlists',
  },
  firstComment: firstComment(always),
  tags: { kind: 'list', ...words.options.youtube.tags, help: words.options.comma, isRare: true },
  categoryId: {
    kind: 'choice',
    label: words.options.youtube.categoryId.label,
    choices: words.options.youtube.categories,
    usual: '22',
    isRare: true,
  },
  notifySubscribers: { kind: 'flag', usual: true, ...words.options.youtube.notifySubscribers, isRare: true },
  containsSyntheticMedia: {
    kind: 'flag',
    usual: false,
    ...words.options.youtube.containsSyntheticMedia,
    isRare: true,
  },
  hasPaidProductPlacement: {
    kind: 'flag',
    usual: false,
    ...words.options.youtube.hasPaidProductPlacement,
    isRare: true,
  },
  embeddable: { kind: 'flag', usual: true, ...words.options.youtube.embeddable, isRare: true },
  publicStatsViewable: {
    kind: 'flag',
    usual: true,
    ...words.options.youtube.publicStatsViewable,
    isRare: true,
  },
  license: { kind: 'choice', ...words.options.youtube.license, usual: 'youtube', isRare: true },
  defaultLanguage: { kind: 'text', most: 35, ...words.options.youtube.defaultLanguage, isRare: true },
} satisfies Omit<ControlsOf<YoutubeOptions, 'privacyStatus' | 'visibility'>, 'categoryId'> & {
  readonly categoryId: Control;
};

const pinterest = {
  boardId: { kind: 'special', control: 'board', ...words.options.pinterest.boardId },
  boardSectionId: { kind: 'special', control: 'boardSection', ...words.options.pinterest.boardSectionId },
  title: { kind: 'text', most: pinTitle, ...words.options.pinterest.title },
  link: { kind: 'text', type: 'url', ...words.options.pinterest.link },
  carouselItems: {
    kind: 'special',
    control: 'carouselTexts',
    label: words.options.pinterest.carouselItems.label,
    applies: isCarousel,
    isRare: true,
  },
  carouselCoverIndex: {
    kind: 'special',
    control: 'fileIndex',
    ...words.options.pinterest.carouselCoverIndex,
    applies: isCarousel,
    isRare: true,
  },
  coverImageUrl: {
    kind: 'text',
    type: 'url',
    ...words.options.pinterest.coverImageUrl,
    applies: isOneVideo,
    isRare: true,
  },
  dominantColor: { kind: 'text', most: 7, ...words.options.pinterest.dominantColor, isRare: true },
} satisfies ControlsOf<PinterestOptions, 'altText' | 'coverKeyFrameSeconds' | 'coverImageKeyFrameTime'>;

const isNoTiktokDraft = ({ options }: Facts) => options['draft'] !== true;

const tiktok = {
  draft: { kind: 'flag', usual: false, ...words.options.tiktok.draft, needs: 'drafts', isRare: true },
  privacyLevel: {
    kind: 'special',
    control: 'privacyLevel',
    label: words.options.tiktok.privacyLevel.label,
    applies: isNoTiktokDraft,
  },
  title: {
    kind: 'text',
    most: photoTitleUnits,
    isCountedInUnits: true,
    ...words.options.tiktok.title,
    applies: hasImages,
  },
  disableComment: {
    kind: 'special',
    control: 'interaction',
    ...words.options.tiktok.disableComment,
    applies: isNoTiktokDraft,
  },
  disableDuet: {
    kind: 'special',
    control: 'interaction',
    ...words.options.tiktok.disableDuet,
    applies: (facts) => hasVideo(facts) && isNoTiktokDraft(facts),
  },
  disableStitch: {
    kind: 'special',
    control: 'interaction',
    ...words.options.tiktok.disableStitch,
    applies: (facts) => hasVideo(facts) && isNoTiktokDraft(facts),
  },
  brandOrganicToggle: {
    kind: 'flag',
    usual: false,
    ...words.options.tiktok.brandOrganicToggle,
    applies: isNoTiktokDraft,
  },
  brandContentToggle: {
    kind: 'flag',
    usual: false,
    ...words.options.tiktok.brandContentToggle,
    applies: isNoTiktokDraft,
  },
  isAigc: {
    kind: 'flag',
    usual: false,
    ...words.options.tiktok.isAigc,
    applies: (facts) => hasVideo(facts) && isNoTiktokDraft(facts),
    isRare: true,
  },
  autoAddMusic: {
    kind: 'flag',
    usual: false,
    ...words.options.tiktok.autoAddMusic,
    applies: (facts) => hasImages(facts) && isNoTiktokDraft(facts),
    isRare: true,
  },
  photoCoverIndex: {
    kind: 'special',
    control: 'fileIndex',
    ...words.options.tiktok.photoCoverIndex,
    applies: (facts) => hasNoVideo(facts) && isCarousel(facts),
    isRare: true,
  },
} satisfies ControlsOf<TiktokOptions, 'videoCoverTimestampMs'>;

const hasLink = ({ options }: Facts) => typeof options['link'] === 'string' && options['link'] !== '';

const linkedin = {
  visibility: { kind: 'choice', ...words.options.linkedin.visibility, usual: 'PUBLIC' },
  link: {
    kind: 'text',
    type: 'url',
    ...words.options.linkedin.link,
    applies: (facts) => hasNoVideo(facts) && !facts.hasDocument && facts.images <= 1,
  },
  title: {
    kind: 'text',
    most: articleCharacters.title,
    ...words.options.linkedin.title,
    applies: (facts) => hasLink(facts) || hasVideo(facts) || facts.hasDocument,
  },
  description: {
    kind: 'text',
    most: articleCharacters.description,
    rows: 2,
    ...words.options.linkedin.description,
    applies: hasLink,
  },
  firstComment: firstComment(always),
  documentTitle: { kind: 'text', ...words.options.linkedin.documentTitle, applies: () => false },
  poll: {
    kind: 'special',
    control: 'linkedinPoll',
    ...words.options.linkedin.poll,
    applies: hasNoMedia,
    isRare: true,
  },
  reshare: { kind: 'text', ...words.options.linkedin.reshare, applies: hasNoMedia, isRare: true },
  disableReshare: { kind: 'flag', usual: false, ...words.options.linkedin.disableReshare, isRare: true },
} satisfies ControlsOf<LinkedinOptions, 'altText'>;

/** The controls of a platform's options by name. */
const controls: Readonly<Record<Platform, Readonly<Record<string, Control>>>> = {
  instagram,
  facebook,
  threads,
  youtube,
  pinterest,
  tiktok,
  linkedin,
};

/** The options of a destination that are shown: at once, behind *More options*, and as something that no control is for. */
interface Shown {
  readonly usual: readonly (readonly [name: string, control: Control])[];
  readonly rare: readonly (readonly [name: string, control: Control])[];
  readonly others: readonly string[];
}

/** Chooses what is shown. An option that is set is shown even where it does not apply, because that may be what is wrong. Pure. */
export function shownControls(platform: Platform, facts: Facts, omitted: readonly string[] = []): Shown {
  const known = controls[platform];
  const isSet = (name: string) => facts.options[name] !== undefined;
  const fitting = Object.entries(known).filter(
    ([name, { applies = always }]) => !omitted.includes(name) && (isSet(name) || applies(facts)),
  );
  return {
    usual: fitting.filter(([, { isRare }]) => !isRare),
    rare: fitting.filter(([, { isRare }]) => isRare),
    others: Object.keys(facts.options).filter(
      (name) => !Object.hasOwn(known, name) && isSet(name) && !omitted.includes(name),
    ),
  };
}

/** Returns the control that a finding is about; `undefined` if it is about something else. */
export function controlOf({ place }: Placed, { destinations, chain }: Draft): Control | undefined {
  const [, owner = '', name = ''] = /^(.*)-option-(.*)$/.exec(place.key) ?? [];
  if (name === '') return undefined;
  const destination = destinations.find(({ accountId }) => accountId === owner);
  if (destination !== undefined) return controls[destination.platform][name];
  // The platform of a step's account is not known here, so the first control of that name says what it is.
  const isStep = chain.some(({ key }) => owner.startsWith(`step-${key}-`));
  return isStep ? Object.values(controls).find((each) => Object.hasOwn(each, name))?.[name] : undefined;
}
