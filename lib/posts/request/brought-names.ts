import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { shapeNames } from '../../platforms/shared/brought-names.ts';

/*
 * The names that people bring to a post, its destinations, its files and the steps of its chain. A platform's own options have
 * their tables beside the platform's rules. `test/functions/api/client-names.test.ts` compares all of them with the parameters
 * of the clients on npm.
 */

const { ayrshare, blotato, buffer, postForMe, postiz, uploadPost, zernio } = clients;

const account = 'platforms[].accountId';
const comment = 'platforms[].platformSpecificData.firstComment';
const options = 'platforms[].platformSpecificData';
const ownText = 'platforms[].customContent';
const parts = 'chain';

/** Returns the names with a platform's name before each: `instagramMediaType`. */
const prefixed = (platform: string, names: readonly string[]): string[] =>
  names.map((name) => `${platform}${name}`);

const alike = (names: readonly string[], use: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, use]));

/** The names of platforms' options, in every place that is not `platformSpecificData`. A test holds them to the platforms' schemas. */
const optionNames = [
  'aiDisclosures',
  'altText',
  'audioName',
  'autoAddMusic',
  'boardId',
  'boardSectionId',
  'brandContentToggle',
  'brandOrganicToggle',
  'captions',
  'carouselCoverIndex',
  'carouselItems',
  'categoryId',
  'collaborators',
  'commentsEnabled',
  'containsSyntheticMedia',
  'contentType',
  'countries',
  'coverImageKeyFrameTime',
  'coverImageUrl',
  'coverKeyFrameSeconds',
  'defaultLanguage',
  'description',
  'disableComment',
  'disableDuet',
  'disableReshare',
  'disableStitch',
  'documentTitle',
  'dominantColor',
  'draft',
  'embeddable',
  'firstComment',
  'geoLocations',
  'hasPaidProductPlacement',
  'isAiGenerated',
  'isAigc',
  'isSpoiler',
  'license',
  'link',
  'linkPreview',
  'locationId',
  'madeForKids',
  'notifySubscribers',
  'photoCoverIndex',
  'playlistId',
  'poll',
  'privacy',
  'privacyLevel',
  'privacyStatus',
  'publicStatsViewable',
  'quotePostId',
  'replyApprovals',
  'replyControl',
  'reshare',
  'shareToFeed',
  'tags',
  'textSpoilers',
  'thumbOffset',
  'title',
  'topicTag',
  'trialReel',
  'type',
  'userTags',
  'videoCoverTimestampMs',
  'visibility',
] as const;

const time = 'scheduledFor';

/** Names for the account, the audience, the time and the state, which clients use for a whole post and for a destination. */
const anywhere: BroughtNames = {
  ...namesOfSource(zernio, ['audience', 'geoRestriction', 'hashtags', 'mentions'], {
    pageId: account,
    profileId: account,
  }),
  ...namesOfSource(
    ayrshare,
    [
      'autoRepost',
      'autoSchedule',
      'disableComments',
      'isVideo',
      'requiresApproval',
      'shortenLinks',
      'targeting',
      'validateScheduled',
    ],
    { profileKey: account, profileKeys: account, scheduleDate: time },
  ),
  ...namesOfSource(buffer, ['schedulingType'], {
    channelId: account,
    dueAt: time,
    now: 'publishNow',
    saveToDraft: 'isDraft',
    shareNow: 'publishNow',
  }),
  ...namesOfSource(postForMe, [], { publishAt: time, scheduledAt: time, socialAccountId: account }),
  ...namesOfSource(postiz, [], { date: time, integration: account, integrationId: account }),
  ...namesOfSource(blotato, [], { scheduledTime: time }),
  ...namesOfSource(uploadPost, [], { scheduledDate: time, uploadToDraft: 'isDraft' }),
  ...namesOfSource('names that people guess', ['validateOnly'], {
    postAt: time,
    publishDate: time,
    publishTime: time,
    scheduleAt: time,
    scheduleTime: time,
  }),
};

/** Names for a whole post. */
const atRoot: BroughtNames = {
  ...anywhere,
  ...shapeNames((field) => `platforms[].${field} or mediaItems[].${field}`),
  ...namesOfSource('options of platforms, in the wrong place', [], {
    ...alike(optionNames, options),
    // Whoever says it of a whole post means the post's own state.
    draft: 'isDraft',
    firstComment: comment,
  }),
  ...namesOfSource(
    'Facebook: https://developers.facebook.com/docs/graph-api/reference/page/feed',
    ['feedTargeting'],
    {
      published: 'isDraft',
      scheduledPublishTime: time,
      unpublishedContentType: 'isDraft',
    },
  ),
  ...namesOfSource('fields of a destination, in the wrong place', [], {
    accountId: account,
    customContent: ownText,
    customMedia: 'platforms[].customMedia',
    fit: 'platforms[].fit or mediaItems[].fit',
    focalPoint: 'platforms[].focalPoint or mediaItems[].focalPoint',
    padColor: 'platforms[].padColor or mediaItems[].padColor',
    platform: account,
    platformSpecificData: options,
  }),
  ...namesOfSource(
    zernio,
    ['crosspostingEnabled', 'queueId', 'queuedFromProfile', 'recurrence', 'recycling', 'threadItems'],
    {
      facebookSettings: options,
      platformSpecificContent: ownText,
      tiktokSettings: options,
    },
  ),
  ...namesOfSource(ayrshare, ['autoHashtag', 'randomMediaUrl', 'randomPost', 'unsplash'], {
    ...alike(
      [
        'faceBookOptions',
        'instagramOptions',
        'linkedInOptions',
        'pinterestOptions',
        'threadsOptions',
        'tikTokOptions',
        'youTubeOptions',
      ],
      options,
    ),
    mediaUrls: 'mediaItems',
    thread: parts,
  }),
  // An object is the post of an answer.
  post: { from: ayrshare, use: 'content', isText: true },
  ...namesOfSource(postiz, ['inter', 'shortLink'], {
    image: 'mediaItems',
    integrations: 'platforms',
    posts: 'POST /v1/posts/bulk, or chain for further parts',
    settings: options,
    type: 'isDraft',
  }),
  ...namesOfSource(postForMe, [], {
    accountConfigurations: 'platforms',
    accounts: 'platforms',
    caption: 'content',
    media: 'mediaItems',
    platformConfigurations: 'platforms',
    socialAccounts: 'platforms',
  }),
  ...namesOfSource(blotato, [], {
    accountIds: 'platforms',
    additionalPosts: parts,
    mediaUrl: 'mediaItems',
    postContentText: 'content',
    target: 'platforms',
    targets: 'platforms',
    text: 'content',
    useNextFreeSlot: 'scheduledFor: auto',
  }),
  ...namesOfSource(buffer, ['mode', 'shorten'], {
    assets: 'mediaItems',
    attachment: 'mediaItems',
    profileIds: 'platforms',
  }),
  ...namesOfSource('names that people guess', [], {
    attachments: 'mediaItems',
    channelIds: 'platforms',
    channels: 'platforms',
    images: 'mediaItems',
    imageUrl: 'mediaItems',
    imageUrls: 'mediaItems',
    mediaIds: 'mediaItems',
    message: 'content',
    options,
    socialAccountIds: 'platforms',
    thumbnail: 'coverUrl',
    thumbnailUrl: 'coverUrl',
    videos: 'mediaItems',
    videoUrl: 'mediaItems',
  }),
  ...namesOfSource(
    uploadPost,
    [
      'allowedCountries',
      'blockedCountries',
      'defaultAudioLanguage',
      'maxPostsPerSlot',
      'placeId',
      'recordingDate',
      'replyToId',
      ...prefixed('linkedinTarget', [
        'CheckAudience',
        'Degrees',
        'Entities',
        'FieldsOfStudy',
        'Industries',
        'InterfaceLocales',
        'JobFunctions',
        'Organizations',
        'Seniorities',
        'StaffCountRanges',
      ]),
      ...prefixed('linkedin', ['Subtitles', 'SubtitlesText', 'SubtitlesUrl', 'ThumbnailAltText']),
      ...prefixed('facebook', [
        'CallToAction',
        'ChildAttachments',
        'Collaborators',
        'FeedTargeting',
        'MultiShareEndCard',
        'NoStory',
        'PlaceId',
        'Secret',
        'IsAiGenerated',
      ]),
      ...prefixed('tiktok', [
        'CoverImageUrl',
        'FirstComment',
        'IsAdsOnly',
        'LocationId',
        'LocationName',
        'MusicEnd',
        'MusicId',
        'MusicStart',
        'MusicVolume',
        'OriginalSoundVolume',
        'TtoInviteLink',
      ]),
      ...prefixed('youtube', [
        'AllowedCountries',
        'BlockedCountries',
        'DefaultAudioLanguage',
        'RecordingDate',
        'Subtitles',
      ]),
      ...prefixed('threads', ['LongTextAsPost', 'ReplyToId', 'ThreadMediaLayout']),
      ...prefixed('pinterest', ['CoverImageContentType', 'CoverImageData']),
      'instagramLocationId',
    ],
    {
      addToQueue: 'scheduledFor: auto',
      description: 'content',
      photos: 'mediaItems',
      postMode: 'isDraft',
      user: account,
      video: 'mediaItems',
      ...alike(['coverTimestamp', 'mediaType', 'selfDeclaredMadeForKids', 'videoState'], options),
      ...alike(
        ['facebookPageId', 'targetLinkedinPageId', 'facebookPageIdManual', 'targetLinkedinPageIdManual'],
        account,
      ),
      ...alike(
        [
          ...['facebook', 'instagram', 'linkedin', 'pinterest', 'threads', 'tiktok', 'youtube'].map(
            (platform) => `${platform}Description`,
          ),
          'instagramTitle',
          'facebookTitle',
          'linkedinTitle',
          'threadsTitle',
          'tiktokTitle',
          'tiktokPhotoDescription',
          'facebookVideoDescription',
        ],
        ownText,
      ),
      ...alike(prefixed('facebook', ['FirstComment']), comment),
      ...alike(
        [
          ...prefixed('facebook', [
            'AltText',
            'Link',
            'LinkUrl',
            'MediaType',
            'Targeting',
            'UnpublishedContentType',
            'VideoState',
          ]),
          ...prefixed('instagram', [
            'AltText',
            'AudioName',
            'Collaborators',
            'CoverImageUrl',
            'CoverUrl',
            'FirstComment',
            'MediaType',
            'ShareToFeed',
            'ThumbOffset',
            'UserTags',
          ]),
          ...prefixed('linkedin', [
            'AltText',
            'DisableReshare',
            'TargetGeoLocations',
            'LinkDescription',
            'LinkTitle',
            'LinkUrl',
            'PageId',
            'Visibility',
          ]),
          'linkUrl',
          ...prefixed('pinterest', [
            'AiDisclosures',
            'AltText',
            'BoardId',
            'BoardIdManual',
            'BoardSectionId',
            'CarouselDescriptions',
            'CarouselIndex',
            'CarouselLinks',
            'CarouselTitles',
            'CoverImageKeyFrameTime',
            'CoverImageUrl',
            'Link',
            'Title',
          ]),
          ...prefixed('threads', [
            'AltText',
            'AutoPublishText',
            'FirstComment',
            'LinkAttachment',
            'PollOptions',
            'QuotePostId',
            'ReplyControl',
            'TopicTag',
          ]),
          ...prefixed('tiktok', [
            'AutoAddMusic',
            'CoverTimestamp',
            'DisableComment',
            'DisableDuet',
            'DisableStitch',
            'IsAiGenerated',
            'IsAigc',
            'PhotoCoverIndex',
            'PostMode',
            'PrivacyLevel',
            'UploadToDraft',
          ]),
          ...prefixed('youtube', [
            'CategoryId',
            'ContainsSyntheticMedia',
            'DefaultLanguage',
            'Embeddable',
            'FirstComment',
            'HasPaidProductPlacement',
            'License',
            'MadeForKids',
            'NotifySubscribers',
            'PlaylistId',
            'PrivacyStatus',
            'PublicStatsViewable',
            'PublishAt',
            'SelfDeclaredMadeForKids',
            'Tags',
            'Thumbnail',
            'ThumbnailUrl',
            'Title',
          ]),
        ],
        options,
      ),
    },
  ),
};

/** Names for an entry of `platforms`. */
const inEntry: BroughtNames = {
  ...anywhere,
  ...shapeNames((field) => field),
  ...namesOfSource(
    'options of platforms, in the wrong place',
    [],
    alike(optionNames, 'platformSpecificData'),
  ),
  ...namesOfSource('fields of a post, in the wrong place', ['chain', 'publishNow', 'isDraft', 'dryRun'], {
    content: 'customContent',
    coverUrl: 'coverUrl of the post',
    mediaItems: 'customMedia',
    timezone: 'timezone of the post',
  }),
  ...namesOfSource('other clients and guesses: see the names for a whole post', ['thread', 'threadItems'], {
    additionalPosts: 'chain of the post',
    caption: 'customContent',
    configuration: 'platformSpecificData',
    image: 'customMedia',
    images: 'customMedia',
    media: 'customMedia',
    mediaUrl: 'customMedia',
    mediaUrls: 'customMedia',
    message: 'customContent',
    options: 'platformSpecificData',
    organizationUrn: 'accountId',
    platformSpecificContent: 'customContent',
    post: 'customContent',
    settings: 'platformSpecificData',
    text: 'customContent',
    value: 'customContent',
    video: 'customMedia',
  }),
};

/** Names for an element of `mediaItems` or `customMedia`. */
const inMediaItem: BroughtNames = {
  ...shapeNames((field) => field),
  ...namesOfSource(zernio, ['instagramThumbnail'], { thumbnail: 'coverUrl of the post' }),
  ...namesOfSource(postForMe, [], {
    tags: 'platforms[].platformSpecificData.userTags',
    thumbnailTimestampMs: 'platforms[].platformSpecificData',
    thumbnailUrl: 'coverUrl of the post',
  }),
  ...namesOfSource(postiz, [], { path: 'url' }),
  ...namesOfSource(uploadPost, [], { coverUrl: 'coverUrl of the post' }),
  ...namesOfSource('names that people guess', ['caption', 'description', 'title'], {
    alt: 'altText',
    alternativeText: 'altText',
    contentType: 'mimeType',
    cover: 'coverUrl of the post',
    mediaUrl: 'url',
    src: 'url',
    userTags: 'platforms[].platformSpecificData.userTags',
  }),
};

/** Names for a step of the chain. */
const inStep: BroughtNames = {
  ...shapeNames((field) => `mediaItems[].${field}`),
  ...namesOfSource(
    'fields of a post or a destination, in the wrong place',
    ['coverUrl', 'customMedia', 'dryRun', 'isDraft', 'publishNow', 'timezone', ...Object.keys(anywhere)],
    {
      accountId: 'accountIds',
      fit: 'mediaItems[].fit',
      focalPoint: 'mediaItems[].focalPoint',
      padColor: 'mediaItems[].padColor',
      customContent: 'content',
      platformSpecificData: 'options[accountId]',
      platforms: 'accountIds',
      scheduledFor: 'afterMinutes',
    },
  ),
  ...namesOfSource(
    'other clients and guesses: see the names for a whole post',
    ['draft', 'firstComment', 'geoRestriction', 'thread', 'threadItems', 'title', 'type'],
    {
      accounts: 'accountIds',
      after: 'afterMinutes',
      caption: 'content',
      delay: 'afterMinutes',
      delayMinutes: 'afterMinutes',
      delaySeconds: 'afterMinutes',
      image: 'mediaItems',
      images: 'mediaItems',
      media: 'mediaItems',
      mediaUrls: 'mediaItems',
      message: 'content',
      minutes: 'afterMinutes',
      post: 'content',
      settings: 'options[accountId]',
      socialAccounts: 'accountIds',
      text: 'content',
    },
  ),
};

/** A duplicate takes all this from its post. */
const inDuplicate: BroughtNames = {
  ...atRoot,
  ...namesOfSource('fields of the post that is copied: change the duplicate afterwards', [
    'chain',
    'content',
    'coverUrl',
    'mediaItems',
  ]),
  platforms: { from: 'the destinations of the post that is copied', use: 'accountIds' },
};

export const broughtNames = { atRoot, inEntry, inMediaItem, inStep, inDuplicate };
