import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/** Names that people bring to `platformSpecificData` of a LinkedIn destination. */
export const linkedinNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource(
    'LinkedIn, Posts API: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api',
    [
      'adContext',
      'carousel',
      'celebration',
      'container',
      'contentCallToActionLabel',
      'contentLandingPage',
      'distribution',
      'event',
      'feedDistribution',
      'thirdPartyDistributionChannels',
    ],
    {
      author: 'accountId of the destination',
      commentary: "the post's content",
      isReshareDisabledByAuthor: 'disableReshare',
      lifecycleState: "the post's isDraft",
      reshareContext: 'reshare',
      targetEntities: 'geoLocations',
    },
  ),
  ...namesOfSource(clients.zernio, ['mentions'], {
    disableLinkPreview: 'linkPreview: false',
    audience: 'geoLocations',
    geoRestriction: 'geoLocations',
    organizationUrn: 'accountId of the destination',
    reshareUrl: 'reshare',
  }),
  ...namesOfSource(clients.ayrshare, ['titles'], {
    disableShare: 'disableReshare',
    targeting: 'geoLocations',
  }),
  ...namesOfSource(clients.postForMe, [], { resharePostId: 'reshare' }),
  ...namesOfSource(clients.postiz, ['postAsImagesCarousel'], {
    organicTargeting: 'geoLocations',
    carouselName: 'documentTitle',
  }),
  ...namesOfSource(clients.uploadPost, ['subtitles', 'subtitlesText', 'subtitlesUrl', 'thumbnailAltText'], {
    linkDescription: 'description',
    linkTitle: 'title',
    linkUrl: 'link',
  }),
};
