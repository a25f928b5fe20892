import { count, countPosts } from './locale.ts';

/** The page of numbers, and the numbers on the page of a post. */
export const resultsPage = {
  title: 'Results',
  lead: 'How posts did, as their platforms count.',

  /** The numbers of a post. */
  numbers: {
    views: 'Views',
    reach: 'Reach',
    likes: 'Likes',
    comments: 'Comments',
    shares: 'Shares',
    saves: 'Saves',
    clicks: 'Clicks',
  } as const,

  filters: {
    label: 'Period',
    preset: (days: number) => `${days} days`,
    custom: 'Custom',
    from: 'First day',
    to: 'Last day',
    backwards: 'The last day is before the first one.',
    tooLong: (days: number) => `At most ${days} days.`,
    account: 'Account',
    allAccounts: 'All accounts',
    platform: 'Platform',
    allPlatforms: 'All platforms',
    number: 'Number',
  },

  chart: {
    label: (number: string) => `${number} of posts, by the day they went live`,
    summary: (total: string, number: string, posts: number) =>
      `${total} ${number.toLowerCase()} of ${countPosts(posts)}`,
    inWords: (total: string, number: string) => `${total} ${number.toLowerCase()}`,
    day: 'Day',
    zone: (timezone: string) => `Days begin and end at midnight in ${timezone}.`,
    /** Said if some posts have no number, or none yet: the first ones come an hour after a post is live. */
    without: (posts: number) =>
      posts === 1
        ? 'One post is not counted: it has no such number, or not yet.'
        : `${countPosts(posts)} are not counted: they have no such number, or not yet.`,
  },

  list: {
    title: 'Best posts',
    label: 'Posts, the best first',
    lead: (number: string) => `By ${number.toLowerCase()}, the most first.`,
    columns: { post: 'Post', live: 'Live' },
    shown: (number: number) => countPosts(number),
    partial: (number: number) => `The first ${countPosts(number)} of the period. There are more.`,
    reading: (number: number) => `Reading… ${countPosts(number)} so far`,
    stale: 'The numbers could not be read again. They may be out of date.',
    noPost: 'A post that is no longer kept',
    csv: 'Download CSV',
    csvFailed: 'The file was not made',
  },

  none: {
    title: 'Nothing went live in this period',
    text: 'Choose a longer period, or publish something: the first numbers come an hour after a post is live.',
    filteredText: 'Choose a longer period, or other filters.',
    clear: 'Show everything',
    action: 'New post',
    offTitle: 'No account gives numbers yet',
    offText:
      'Platforms review apps before these may read numbers. Ask whoever runs this service to enable the feature “insights”, then connect the accounts again. Numbers come from then on.',
    accounts: 'Go to accounts',
  },
  /** Said if some accounts give no numbers. */
  lacking: (accounts: number) =>
    accounts === 1
      ? 'One account gives no numbers. If its platform is enabled for that, connect it again.'
      : `${count(accounts, 'account', 'accounts')} give no numbers. If their platforms are enabled for that, connect them again.`,

  /** The words of the section on the page of a post. */
  ofPost: {
    title: 'Results',
    label: 'Numbers of each destination',
    destination: 'Destination',
    asOf: 'As of',
    notYet: 'Not read yet',
    refresh: 'Read again',
    refreshed: 'The platforms were asked',
    refreshFailed: 'The platforms were not asked',
    stale: 'The numbers could not be read',
    /** The reasons for which a number is missing. Programs get new ones in time. */
    reasons: {
      pending: 'not read yet',
      not_offered: 'the platform has no such number',
      withheld: 'the platform does not show it',
      not_permitted: 'connect the account again to see it',
      not_enabled: 'not enabled on this platform',
      account_inactive: 'connect the account again to see it',
      unavailable: 'the platform did not answer',
      story_over: 'stories have numbers for a day only',
      removed: 'the post was deleted',
      not_kept: 'not kept any longer',
    } as Readonly<Record<string, string>>,
    otherReason: 'not known',
  },
};
