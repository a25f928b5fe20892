import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';

const text = "the post's content, or customContent of the destination";
const media = "the post's mediaItems, or customMedia of the destination";
const time = 'scheduledFor of the post or of the destination';

/** Names that people guess for the shape of pictures, by what they mean. */
const guessedShapes = {
  fit: [
    'aspectRatio',
    'autoCrop',
    'autoResize',
    'crop',
    'cropMode',
    'fitMode',
    'imageFit',
    'objectFit',
    'resize',
    'resizeMode',
    'scaleMode',
  ],
  padColor: ['background', 'backgroundColor', 'bgColor', 'fillColor', 'paddingColor'],
  focalPoint: ['cropPosition', 'focus', 'focusPoint', 'gravity', 'hotspot'],
} as const;

/**
 * Returns other names for `fit`, `padColor` and `focalPoint`.
 *
 * @param instead returns what to use in the place of the name
 */
export const shapeNames = (instead: (field: string) => string): BroughtNames =>
  namesOfSource(
    'names that people guess',
    [],
    Object.fromEntries(
      Object.entries(guessedShapes).flatMap(([field, names]) => names.map((name) => [name, instead(field)])),
    ),
  );

/**
 * Names that people bring to `platformSpecificData`, whatever the platform: other names of fields of the post or of its
 * destination, and names that limit who sees the post, or label it. The platform's own table comes first.
 */
export const anyPlatformNames: BroughtNames = {
  ...shapeNames((field) => `${field} of the destination`),
  ...namesOfSource('fields of a post or a destination, in the wrong place', [], {
    accountId: 'accountId of the destination',
    content: text,
    coverUrl: "the post's coverUrl",
    customContent: 'customContent of the destination',
    customMedia: 'customMedia of the destination',
    dryRun: 'dryRun of the request',
    fit: 'fit of the destination',
    focalPoint: 'focalPoint of the destination',
    isDraft: "the post's isDraft",
    mediaItems: media,
    padColor: 'padColor of the destination',
    publishNow: "the post's publishNow",
    scheduledFor: time,
    timezone: "the post's timezone",
  }),
  ...namesOfSource(
    clients.zernio,
    [
      'audience',
      'brandPartnerPromote',
      'brandedContentSponsors',
      'commercialContentType',
      'geoRestriction',
      'isAdsOnly',
      'isBrandOrganicPost',
      'isPaidPartnership',
      'locationId',
      'locationName',
      'mentions',
      'musicSoundInfo',
    ],
    {
      organizationUrn: 'accountId of the destination',
      pageId: 'accountId of the destination',
      threadItems: "a followUp in the post's chain",
    },
  ),
  ...namesOfSource(
    clients.ayrshare,
    ['allowedCountries', 'blockedCountries', 'countries', 'subTitleUrl', 'targeting', 'thumbNailOffset'],
    {
      mediaUrls: media,
      post: text,
      publishAt: time,
      scheduleDate: time,
      thread: "a followUp in the post's chain",
      thumbNail: "the post's coverUrl",
    },
  ),
  ...namesOfSource(clients.postForMe, ['discloseBrandedContent', 'discloseYourBrand', 'location'], {
    caption: text,
    media,
    scheduledAt: time,
    thumbnailUrl: "the post's coverUrl",
  }),
  ...namesOfSource(clients.postiz, ['organicTargeting'], {
    companyId: 'accountId of the destination',
    date: time,
    image: media,
    postsAndComments: "a followUp in the post's chain",
    thumbnail: "the post's coverUrl",
  }),
  ...namesOfSource(clients.blotato, ['isYourBrand', 'isBrandedContent'], {
    additionalPosts: "a followUp in the post's chain",
    mediaUrl: media,
    scheduledTime: time,
    text,
  }),
  ...namesOfSource(clients.buffer, [], {
    assets: media,
    channelId: 'accountId of the destination',
    dueAt: time,
    message: text,
    profileId: 'accountId of the destination',
    saveToDraft: "the post's isDraft",
  }),
  ...namesOfSource(clients.uploadPost, [], {
    photos: media,
    scheduledDate: time,
    uploadToDraft: "the post's isDraft",
    video: media,
  }),
  ...namesOfSource(
    'labels, comments and audiences of the other platforms',
    [
      'aiDisclosures',
      'allowComment',
      'allowComments',
      'brandContentToggle',
      'brandOrganicToggle',
      'commentsEnabled',
      'containsSyntheticMedia',
      'disableComment',
      'disableComments',
      'hasPaidProductPlacement',
      'isAiGenerated',
      'privacyStatus',
      'replyControl',
      'targetEntities',
      'videoMadeWithAi',
      'visibility',
    ],
    {
      attachments: media,
      draft: "the post's isDraft",
      images: media,
      imageUrl: media,
      videoUrl: media,
    },
  ),
};
