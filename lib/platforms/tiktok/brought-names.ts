import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/** Names that people bring to `platformSpecificData` of a TikTok destination. */
export const tiktokNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource('options of other platforms', [], {
    aiDisclosures: 'isAigc',
    commentsEnabled: 'disableComment',
    containsSyntheticMedia: 'isAigc',
    isAiGenerated: 'isAigc',
    visibility: 'privacyLevel',
  }),
  ...namesOfSource(
    'TikTok, Content Posting API: https://developers.tiktok.com/doc/content-posting-api-reference-direct-post',
    ['mediaType', 'source'],
    {
      description: "the post's content",
      photoImages: "the post's mediaItems",
      postMode: 'draft',
      videoUrl: "the post's mediaItems",
    },
  ),
  ...namesOfSource(
    clients.zernio,
    // The law requires the disclosure of advertisements, of which `commercialContentType` is another form.
    ['commercialContentType', 'isAdsOnly', 'videoOriginalSoundVolume'],
    {
      allowComment: 'disableComment',
      allowDuet: 'disableDuet',
      allowStitch: 'disableStitch',
      brandPartnerPromote: 'brandContentToggle',
      isBrandOrganicPost: 'brandOrganicToggle',
      videoCoverImageUrl: 'videoCoverTimestampMs',
      videoMadeWithAi: 'isAigc',
    },
  ),
  ...namesOfSource(clients.ayrshare, [], {
    disableComments: 'disableComment',
    imageCoverIndex: 'photoCoverIndex',
    isBrandOrganic: 'brandOrganicToggle',
    isBrandedContent: 'brandContentToggle',
    thumbNailOffset: 'videoCoverTimestampMs',
  }),
  ...namesOfSource(clients.postForMe, [], {
    discloseBrandedContent: 'brandContentToggle',
    discloseYourBrand: 'brandOrganicToggle',
    isDraft: 'draft',
    privacyStatus: 'privacyLevel',
  }),
  ...namesOfSource(clients.postiz, ['disclose', 'music'], {
    comment: 'disableComment',
    contentPostingMethod: 'draft',
    duet: 'disableDuet',
    stitch: 'disableStitch',
  }),
  ...namesOfSource(clients.blotato, [], {
    disabledComments: 'disableComment',
    disabledDuet: 'disableDuet',
    disabledStitch: 'disableStitch',
    isYourBrand: 'brandOrganicToggle',
    videoCoverTimestamp: 'videoCoverTimestampMs',
  }),
  ...namesOfSource(
    clients.uploadPost,
    ['musicEnd', 'musicId', 'musicStart', 'musicVolume', 'originalSoundVolume', 'ttoInviteLink'],
    {
      coverImageUrl: 'videoCoverTimestampMs',
      coverTimestamp: 'videoCoverTimestampMs',
      uploadToDraft: 'draft',
    },
  ),
};
