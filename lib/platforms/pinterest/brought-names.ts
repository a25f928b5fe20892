import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/** Names that people bring to `platformSpecificData` of a Pinterest destination. */
export const pinterestNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource('options of other platforms', [], {
    containsSyntheticMedia: 'aiDisclosures',
    videoMadeWithAi: 'aiDisclosures',
  }),
  ...namesOfSource(
    // PinCreate and its media sources of 5.23, and `note`, `productTags` and `isRemovable` of 5.16.
    'Pinterest, OpenAPI description: https://github.com/pinterest/api-description/releases',
    [
      'coverImageContentType',
      'coverImageData',
      'isAffiliateLink',
      'isRemovable',
      'isStandard',
      'note',
      'parentPinId',
      'productTags',
      'sponsorId',
    ],
    { description: "the post's content", mediaSource: "the post's mediaItems" },
  ),
  ...namesOfSource(clients.zernio, [], { isAiGenerated: 'aiDisclosures' }),
  ...namesOfSource(clients.ayrshare, ['boardName'], { carouselOptions: 'carouselItems' }),
  ...namesOfSource(clients.postForMe, [], { boardIds: 'boardId' }),
  ...namesOfSource(clients.postiz, [], { board: 'boardId' }),
  ...namesOfSource(clients.uploadPost, [], {
    carouselDescriptions: 'carouselItems',
    carouselIndex: 'carouselCoverIndex',
    carouselLinks: 'carouselItems',
    carouselTitles: 'carouselItems',
  }),
};
