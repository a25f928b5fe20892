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
    // The other writable fields of `Video`, the parameters of `videos.insert`, and captions: discovery document of 2026-09-24.
    'YouTube, videos.insert: https://developers.google.com/youtube/v3/docs/videos/insert#request-body',
    [
      'autoLevels',
      'captions',
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
  ...namesOfSource(clients.ayrshare, ['subTitleLanguage', 'subTitleName', 'subTitleUrl']),
  ...namesOfSource(clients.postiz, [], { type: 'privacy' }),
  ...namesOfSource(clients.blotato, [], {
    isMadeForKids: 'madeForKids',
    shouldNotifySubscribers: 'notifySubscribers',
  }),
  ...namesOfSource(clients.uploadPost, ['allowedCountries', 'blockedCountries', 'subtitles']),
};
