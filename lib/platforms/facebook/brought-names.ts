import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/** Names that people bring to `platformSpecificData` of a Facebook destination. */
export const facebookNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource(
    // https://developers.facebook.com/docs/graph-api/reference/page/videos has those of videos and reels.
    'Facebook, a Page’s feed, photos and videos: https://developers.facebook.com/docs/graph-api/reference/page/feed',
    [
      'actions',
      'backdatedTime',
      'backdatedTimeGranularity',
      'callToAction',
      'childAttachments',
      'contentCategory',
      'contentTags',
      'crosspostingActions',
      'customLabels',
      'description',
      'embeddable',
      'expiration',
      'feedTargeting',
      'isExplicitShare',
      'multiShareEndCard',
      'multiShareOptimized',
      'name',
      'noStory',
      'objectAttachment',
      'picture',
      'place',
      'secret',
      'socialActions',
      'sponsorId',
      'sponsorRelationship',
      'textFormatPresetId',
      'videoState',
    ],
    {
      altTextCustom: 'altText',
      attachedMedia: "the post's mediaItems",
      caption: "the post's content",
      coverUrl: "the post's coverUrl",
      message: "the post's content",
      published: 'draft',
      targeting: 'countries',
      scheduledPublishTime: "the post's scheduledFor",
      thumb: "the post's coverUrl",
      thumbnail: "the post's coverUrl",
      unpublishedContentType: 'draft',
    },
  ),
  ...namesOfSource(clients.zernio, ['carouselCards'], {
    facebookSettings: 'the options themselves',
    geoRestriction: 'countries',
  }),
  ...namesOfSource(clients.ayrshare, ['carousel', 'mediaCaptions'], {
    allowedCountries: 'countries',
    reels: 'contentType',
    stories: 'contentType',
  }),
  ...namesOfSource(clients.postForMe, ['setCaptionForEachImage'], {
    isDraft: 'draft',
    placement: 'contentType',
  }),
  ...namesOfSource(clients.postiz, [], { postType: 'contentType', url: 'link' }),
  ...namesOfSource(clients.uploadPost, [], {
    linkUrl: 'link',
    mediaType: 'contentType',
    saveToDraft: 'draft',
  }),
};
