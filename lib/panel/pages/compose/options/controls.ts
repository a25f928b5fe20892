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
import { type Draft, isTiktokDisclosure, type Options } from '../draft/draft.ts';
import type { Placed } from '../draft/places.ts';
import type { Choice, Control, ControlsOf, Facts, Flag, List, Special, Text } from './control.ts';

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

type Applies = (facts: Facts) => boolean;
const isNoStory = ({ contentType }: Facts): boolean => contentType !== 'story';
const isOneVideo = ({ videos, images, hasDocument }: Facts): boolean =>
  videos === 1 && images === 0 && !hasDocument;
const hasNoMedia = ({ images, videos, hasDocument }: Facts): boolean => images + videos === 0 && !hasDocument;
const hasMedia = (facts: Facts): boolean => !hasNoMedia(facts);
const isCarousel = ({ images, videos }: Facts): boolean => images + videos > 1;
const hasVideo = ({ videos }: Facts): boolean => videos > 0;
const hasImages = ({ images }: Facts): boolean => images > 0;
const hasNoVideo = ({ videos }: Facts): boolean => videos === 0;
const isReel = (facts: Facts): boolean => isOneVideo(facts) && isNoStory(facts);

interface Said {
  readonly label: string;
  readonly help?: string;
}

type More = Pick<Control, 'applies' | 'isRare' | 'needs'>;

/** Shows an option where all of these are true. */
const when = (...all: readonly Applies[]): More => ({ applies: (facts) => all.every((is) => is(facts)) });
const rare = (...all: readonly Applies[]): More => ({ ...when(...all), isRare: true });
const flag = (usual: boolean, said: Said, more?: More): Flag => ({ kind: 'flag', usual, ...said, ...more });
const text = (said: Said, more?: More & Partial<Text>): Text => ({ kind: 'text', ...said, ...more });
const list = (said: Said, more?: More): List => ({ kind: 'list', ...said, ...more });
const special = (control: Special['control'], said: Said, more?: More): Special => ({
  kind: 'special',
  control,
  ...said,
  ...more,
});
/** Creates a choice. @param usual the value that counts if the post says nothing; absent if the platform has none */
const choice = <Value extends string>(
  said: Said & { readonly choices: Readonly<Record<Value, string>> },
  usual?: NoInfer<Value>,
  more?: More,
): Choice<Value> => ({ kind: 'choice', ...said, ...(usual !== undefined && { usual }), ...more });

const firstComment = (...all: readonly Applies[]): Special =>
  special(
    'firstComment',
    { label: words.options.firstComment.label },
    { needs: 'comments', ...when(...all) },
  );

/*
 * The controls of each platform's options, in the order in which they are shown. Options without one are named as excluded:
 * - aliases (`type`, `privacyStatus`, `visibility`, `coverImageKeyFrameTime`);
 * - `altText`, because each file has its own text in the editor of files;
 * - the frame of a cover, which is chosen there too.
 */

const instagramWords = words.options.instagram;
const instagram = {
  contentType: choice(instagramWords.contentType, 'feed'),
  firstComment: firstComment(isNoStory),
  collaborators: list(instagramWords.collaborators, rare(isNoStory)),
  userTags: special('userTags', instagramWords.userTags, rare(hasMedia)),
  shareToFeed: flag(true, instagramWords.shareToFeed, when(isReel)),
  trialReel: choice(instagramWords.trialReel, undefined, rare(isReel)),
  audioName: text(instagramWords.audioName, { most: 255, ...rare(isReel) }),
  locationId: text(instagramWords.locationId, rare(isNoStory)),
  isAiGenerated: flag(false, instagramWords.isAiGenerated, rare()),
  commentsEnabled: flag(true, instagramWords.commentsEnabled, { needs: 'comments', ...rare(isNoStory) }),
} satisfies ControlsOf<InstagramOptions, 'type' | 'altText' | 'thumbOffset'>;

const facebookWords = words.options.facebook;
const facebook = {
  contentType: choice(facebookWords.contentType, 'feed'),
  link: text(facebookWords.link, { type: 'url', ...when(hasNoMedia) }),
  title: text(facebookWords.title, { most: facebookTitle, ...when(isReel) }),
  firstComment: firstComment(isNoStory),
  countries: list(
    facebookWords.countries,
    rare(isNoStory, ({ contentType }) => contentType !== 'reel'),
  ),
  collaborators: list(
    facebookWords.collaborators,
    rare(({ contentType }) => contentType === 'reel'),
  ),
  draft: flag(false, facebookWords.draft, rare(isNoStory)),
} satisfies ControlsOf<FacebookOptions, 'type' | 'altText'>;

const threadsWords = words.options.threads;
const threads = {
  replyControl: choice(threadsWords.replyControl, 'everyone'),
  topicTag: text(threadsWords.topicTag, { most: topicTagCharacters }),
  thread: special('thread', threadsWords.thread, { needs: 'comments' }),
  firstComment: firstComment(),
  link: text(threadsWords.link, { type: 'url', ...rare(hasNoMedia) }),
  poll: special('threadsPoll', threadsWords.poll, rare(hasNoMedia)),
  gifId: text(threadsWords.gifId, rare(hasNoMedia)),
  textAttachment: special('textAttachment', threadsWords.textAttachment, rare(hasNoMedia)),
  isGhostPost: flag(false, threadsWords.isGhostPost, rare(hasNoMedia)),
  isSpoiler: flag(false, threadsWords.isSpoiler, rare(hasMedia)),
  textSpoilers: special('spoilers', threadsWords.textSpoilers, rare()),
  replyApprovals: flag(false, threadsWords.replyApprovals, rare()),
  quotePostId: text(threadsWords.quotePostId, rare()),
} satisfies ControlsOf<ThreadsOptions, 'altText'>;

const youtubeWords = words.options.youtube;
const youtube = {
  title: text(youtubeWords.title, { most: youtubeTitle }),
  madeForKids: special('madeForKids', youtubeWords.madeForKids),
  privacy: choice(youtubeWords.privacy, 'public'),
  playlistId: special('playlist', youtubeWords.playlistId, { needs: 'playlists' }),
  captions: special('captions', youtubeWords.captions, { needs: 'captions', ...rare() }),
  firstComment: firstComment(),
  tags: list({ ...youtubeWords.tags, help: words.options.comma }, rare()),
  categoryId: choice(
    { label: youtubeWords.categoryId.label, choices: youtubeWords.categories },
    '22',
    rare(),
  ),
  notifySubscribers: flag(true, youtubeWords.notifySubscribers, rare()),
  containsSyntheticMedia: flag(false, youtubeWords.containsSyntheticMedia, rare()),
  hasPaidProductPlacement: flag(false, youtubeWords.hasPaidProductPlacement, rare()),
  embeddable: flag(true, youtubeWords.embeddable, rare()),
  publicStatsViewable: flag(true, youtubeWords.publicStatsViewable, rare()),
  license: choice(youtubeWords.license, 'youtube', rare()),
  defaultLanguage: text(youtubeWords.defaultLanguage, { most: 35, ...rare() }),
} satisfies Omit<ControlsOf<YoutubeOptions, 'privacyStatus' | 'visibility'>, 'categoryId'> & {
  readonly categoryId: Control;
};

const pinterestWords = words.options.pinterest;
const pinterest = {
  boardId: special('board', pinterestWords.boardId),
  boardSectionId: special('boardSection', pinterestWords.boardSectionId),
  title: text(pinterestWords.title, { most: pinTitle }),
  link: text(pinterestWords.link, { type: 'url' }),
  carouselItems: special('carouselTexts', { label: pinterestWords.carouselItems.label }, rare(isCarousel)),
  carouselCoverIndex: special('fileIndex', pinterestWords.carouselCoverIndex, rare(isCarousel)),
  coverImageUrl: text(pinterestWords.coverImageUrl, { type: 'url', ...rare(isOneVideo) }),
  aiDisclosures: special('aiDisclosures', { label: pinterestWords.aiDisclosures.label }, rare()),
  dominantColor: text(pinterestWords.dominantColor, { most: 7, ...rare() }),
} satisfies ControlsOf<PinterestOptions, 'altText' | 'coverKeyFrameSeconds' | 'coverImageKeyFrameTime'>;

const isNoTiktokDraft = ({ options }: Facts) => options['draft'] !== true;
const isDisclosed = ({ options }: Facts) => isTiktokDisclosure(options);

const tiktokWords = words.options.tiktok;
const tiktok = {
  draft: flag(false, tiktokWords.draft, { needs: 'drafts', isRare: true }),
  privacyLevel: special('privacyLevel', { label: tiktokWords.privacyLevel.label }, when(isNoTiktokDraft)),
  title: text(tiktokWords.title, { most: photoTitleUnits, isCountedInUnits: true, ...when(hasImages) }),
  disableComment: special('interaction', tiktokWords.disableComment, when(isNoTiktokDraft)),
  disableDuet: special('interaction', tiktokWords.disableDuet, when(hasVideo, isNoTiktokDraft)),
  disableStitch: special('interaction', tiktokWords.disableStitch, when(hasVideo, isNoTiktokDraft)),
  brandOrganicToggle: special('disclosure', tiktokWords.brandOrganicToggle, when(isNoTiktokDraft)),
  brandContentToggle: special('branded', tiktokWords.brandContentToggle, when(isNoTiktokDraft, isDisclosed)),
  isAigc: flag(false, tiktokWords.isAigc, rare(hasVideo, isNoTiktokDraft)),
  autoAddMusic: flag(false, tiktokWords.autoAddMusic, rare(hasImages, isNoTiktokDraft)),
  photoCoverIndex: special('fileIndex', tiktokWords.photoCoverIndex, rare(hasNoVideo, isCarousel)),
} satisfies ControlsOf<TiktokOptions, 'videoCoverTimestampMs'>;

const hasLink = ({ options }: Facts) => typeof options['link'] === 'string' && options['link'] !== '';

const linkedinWords = words.options.linkedin;
const linkedin = {
  visibility: choice(linkedinWords.visibility, 'PUBLIC'),
  link: text(linkedinWords.link, {
    type: 'url',
    ...when(hasNoVideo, ({ hasDocument, images }) => !hasDocument && images <= 1),
  }),
  title: text(linkedinWords.title, {
    most: articleCharacters.title,
    ...when((facts) => hasLink(facts) || hasVideo(facts) || facts.hasDocument),
  }),
  description: text(linkedinWords.description, {
    most: articleCharacters.description,
    rows: 2,
    ...when(hasLink),
  }),
  linkPreview: flag(
    true,
    linkedinWords.linkPreview,
    rare(hasNoMedia, (facts) => !hasLink(facts)),
  ),
  firstComment: firstComment(),
  documentTitle: text(
    linkedinWords.documentTitle,
    when(() => false),
  ),
  poll: special('linkedinPoll', linkedinWords.poll, rare(hasNoMedia)),
  reshare: text(linkedinWords.reshare, rare(hasNoMedia)),
  geoLocations: list(linkedinWords.geoLocations, rare()),
  disableReshare: flag(false, linkedinWords.disableReshare, rare()),
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
    ([name, { applies }]) =>
      !omitted.includes(name) && (isSet(name) || applies === undefined || applies(facts)),
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
