import type { OutcomeCode } from '../../../targets/outcome-codes.ts';
import { count, countPosts, numbers } from './locale.ts';

/** The reasons why destinations failed or wait, in words that need no knowledge of the platform's API, and what ends them together. */
export const reasons = {
  none: 'No reason is known.',
  /** Words by code. A code that is not here has a text of the service that a person understands. */
  byCode: {
    account_expired: () => 'Herald had no access to the account.',
    account_disconnected: () => 'The account was not connected.',
    permission_missing: (platform) =>
      `The account has not given Herald a permission at ${platform} that this needs.`,
    account_restricted: (platform) => `${platform} has restricted the account.`,
    app_refused: (platform) =>
      `${platform} refuses this service, whatever the post. Tell whoever runs the service.`,
    quota_exhausted: (platform) => `A daily limit of ${platform} was used up.`,
    platform_unavailable: (platform) => `${platform} did not answer, or could not do it then.`,
    platform_rejected: (platform) => `${platform} does not take this post as it is.`,
    not_live: (platform) => `Somebody has looked: it is not live at ${platform}.`,
    internal: () => 'There was an error in Herald.',
  } as Readonly<Partial<Record<OutcomeCode, (platform: string) => string>>>,
  worksAgain: 'Herald had no access to the account then. It works again: try this again.',
  /** Opens what the service and the platform have said. */
  said: 'What was said',

  together: {
    title: (posts: number, where: string) => `${countPosts(posts)} failed at ${where}`,
    worksAgain: (name: string) => `${name} works again`,
    stopped: (posts: number) => `${countPosts(posts)} failed because of it:`,
    stoppedBefore: (posts: number) => `${countPosts(posts)} failed while Herald had no access to it:`,
    more: (posts: number) => `and ${countPosts(posts)} more`,
    dismiss: (posts: number) => (posts === 1 ? 'Dismiss the post' : 'Dismiss the posts'),
    tryAll: (posts: number) => (posts === 1 ? 'Try it again' : `Try all ${numbers.format(posts)} again`),
    progress: (done: number, all: number) => `Tried again: ${numbers.format(done)} of ${numbers.format(all)}`,
    begun: (posts: number) => `${count(posts, 'post is', 'posts are')} being tried again`,
    notAll: (failed: number, all: number) =>
      `${numbers.format(failed)} of ${countPosts(all)} ${failed === 1 ? 'was' : 'were'} not tried again`,
  },
};
