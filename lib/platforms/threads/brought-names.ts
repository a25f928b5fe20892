import { type BroughtNames, clients, namesOfSource } from '../../kernel/brought-names.ts';
import { anyPlatformNames } from '../shared/brought-names.ts';

/** Names that people bring to `platformSpecificData` of a Threads destination. */
export const threadsNames: BroughtNames = {
  ...anyPlatformNames,
  ...namesOfSource(
    'Threads, POST /{threads-user-id}/threads: https://developers.facebook.com/docs/threads/reference/publishing',
    [
      'allowlistedCountryCodes',
      'autoPublishText',
      'crossreshareToIg',
      'crossreshareToIgDarkMode',
      'locationId',
      'replyToId',
    ],
    {
      enableReplyApprovals: 'replyApprovals',
      gifAttachment: 'gifId',
      isSpoilerMedia: 'isSpoiler',
      linkAttachment: 'link',
      pollAttachment: 'poll',
      text: "the post's content",
      textEntities: 'textSpoilers',
    },
  ),
  ...namesOfSource(clients.zernio, [], { threadItems: 'thread' }),
  ...namesOfSource(clients.ayrshare, ['threadNumber']),
  ...namesOfSource(clients.postForMe, ['placement']),
  ...namesOfSource(clients.uploadPost, ['longTextAsPost', 'threadMediaLayout'], {
    linkUrl: 'link',
    pollOptions: 'poll',
  }),
};
