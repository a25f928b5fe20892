import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/**
 * Names that people bring to `platformSpecificData` of an Instagram destination. Only the API with Facebook Login has product tags,
 * the label of a paid partnership and music.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-media/product_tags
 * https://developers.facebook.com/docs/instagram-platform/content-publishing#partnership-ads-label
 * https://developers.facebook.com/documentation/instagram-platform/content-publishing/audio-api
 */
export const instagramNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource('options of other platforms', [], {
    aiDisclosures: 'isAiGenerated',
    allowComment: 'commentsEnabled',
    allowComments: 'commentsEnabled',
    commentEnabled: 'commentsEnabled',
    containsSyntheticMedia: 'isAiGenerated',
    disableComment: 'commentsEnabled',
    disableComments: 'commentsEnabled',
    videoMadeWithAi: 'isAiGenerated',
  }),
  ...namesOfSource(
    'Instagram, POST /{ig-user-id}/media: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
    ['audioConfiguration', 'brandedContentSponsorIds', 'isPaidPartnership', 'productTags', 'uploadType'],
    {
      caption: "the post's content",
      coverUrl: "the post's coverUrl",
      mediaType: 'contentType',
      trialParams: 'trialReel',
    },
  ),
  ...namesOfSource(clients.zernio, ['muteAudio'], {
    instagramThumbnail: "the post's coverUrl",
    reelCover: "the post's coverUrl",
  }),
  ...namesOfSource(clients.ayrshare, ['autoResize', 'mediaCaptions'], {
    reels: 'contentType',
    shareReelsFeed: 'shareToFeed',
    stories: 'contentType',
    thumbNailOffset: 'thumbOffset',
  }),
  ...namesOfSource(clients.postForMe, [], { placement: 'contentType', trialReelType: 'trialReel' }),
  ...namesOfSource(clients.postiz, ['audio'], {
    graduationStrategy: 'trialReel',
    isTrialReel: 'trialReel',
    postType: 'contentType',
  }),
  ...namesOfSource(clients.blotato, [], { coverImageUrl: "the post's coverUrl" }),
};
