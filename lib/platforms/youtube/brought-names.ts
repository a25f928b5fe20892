import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/** Names that people bring to `platformSpecificData` of a YouTube destination. */
export const youtubeNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource('options of other platforms', [], {
    aiDisclosures: 'containsSyntheticMedia',
    isAiGenerated: 'containsSyntheticMedia',
    isPaidPartnership: 'hasPaidProductPlacement',
    videoMadeWithAi: 'containsSyntheticMedia',
  }),
  ...namesOfSource(
    // The other writable fields of `Video`, and the parameters of `videos.insert`: discovery document of 2026-09-24.
    'YouTube, videos.insert: https://developers.google.com/youtube/v3/docs/videos/insert#request-body',
    [
      'autoLevels',
      'defaultAudioLanguage',
      'localizations',
      'location',
      'locationDescription',
      'onBehalfOfContentOwner',
      'onBehalfOfContentOwnerChannel',
      'recordingDate',
      'recordingDetails',
      'stabilize',
    ],
    {
      description: "the post's content",
      paidProductPlacementDetails: 'hasPaidProductPlacement',
      publishAt: "the post's scheduledFor",
      selfDeclaredMadeForKids: 'madeForKids',
      thumbnails: "the post's coverUrl",
    },
  ),
  ...namesOfSource(clients.ayrshare, [], {
    subTitleLanguage: 'captions',
    subTitleName: 'captions',
    subTitleUrl: 'captions',
  }),
  ...namesOfSource(clients.postiz, [], { type: 'privacy' }),
  ...namesOfSource(clients.blotato, [], {
    isMadeForKids: 'madeForKids',
    shouldNotifySubscribers: 'notifySubscribers',
  }),
  ...namesOfSource(clients.uploadPost, ['allowedCountries', 'blockedCountries'], { subtitles: 'captions' }),
};
