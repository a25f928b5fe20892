import type { Risk } from '../../posts/risk.ts';
import { count } from '../../strings.ts';

const posts = (number: number) => count(number, 'post', 'posts');
const accounts = (number: number) => count(number, 'account', 'accounts');

export const strings = {
  title: 'Now',
  concerns: {
    title: 'Needs you',
    number: (number: number) => count(number, 'thing needs you', 'things need you'),
    list: 'What needs you',
    well: 'All is well',
    wellForNow: 'Nothing new needs you',
    /** What was looked at: `Posts, 6 accounts, 2 endpoints and the storage were checked at`. */
    checked: (parts: string) => `${parts} were checked at`,
    parts: {
      posts: 'Posts',
      accounts,
      endpoints: (number: number) => count(number, 'endpoint', 'endpoints'),
      storage: 'the storage',
    },
    notChecked: (parts: string) => `Not everything could be checked: ${parts}`,
    unchecked: {
      posts: 'posts that went wrong',
      planned: 'what is planned',
      accounts: 'accounts',
      endpoints: 'endpoints',
      storage: 'storage',
    },
    showAll: (number: number) => `Show all ${new Intl.NumberFormat('en-GB').format(number)}`,
    older: (number: number, isMore: boolean) =>
      `${count(number, 'older post', 'older posts')}${isMore ? ' or more' : ''}, from more than two weeks ago`,
  },
  post: {
    and: (number: number) => `and ${count(number, 'other destination', 'other destinations')}`,
    noReason: 'No reason is known.',
    open: 'Open',
    check: 'Check…',
    begun: 'It is being tried again.',
  },
  waiting: { title: 'Waits', retryAt: 'Tried next' },
  account: {
    reconnect: 'Reconnect',
    connect: 'Connect',
    look: 'Look',
    states: {
      disconnected: 'Disconnected',
      expired: 'Expired',
      expiring: 'Expires soon',
      restricted: 'Restricted',
    } as const satisfies Readonly<Record<Risk, string>>,
    reasons: {
      disconnected: 'The account is not connected any more.',
      expired: 'Herald has no access to this account.',
      expiring: 'Access ends, and only you can renew it. Reconnect by',
      restricted: 'The platform has restricted this account. Posts are still tried.',
    } as const satisfies Readonly<Record<Risk, string>>,
    /** What happens to what is planned. */
    effects: {
      disconnected: (number: number) => `${posts(number)} of the next 24 hours will fail:`,
      expired: (number: number) => `${posts(number)} of the next 24 hours will fail:`,
      expiring: (number: number) => `${posts(number)} of the next 24 hours will fail, if nothing is done:`,
      restricted: (number: number) => `${posts(number)} of the next 24 hours may fail:`,
    } as const satisfies Readonly<Record<Risk, (number: number) => string>>,
    more: (number: number) => `and ${posts(number)} more`,
  },
  endpoint: {
    failing: 'Failing',
    disabled: 'Turned off',
    disabledText: 'Herald has turned this endpoint off:',
    enable: 'Turn on',
    enabled: 'The endpoint is on again',
    notEnabled: 'The endpoint is still off',
    sendAgain: 'Send again…',
  },
  storage: {
    title: 'Storage',
    near: 'The storage is nearly full',
    full: 'The storage is full',
    nearText: 'Once it is full, no file can be uploaded.',
    fullText: 'No file can be uploaded until there is space.',
    look: 'See storage',
    used: (used: string, quota: string) => `${used} of ${quota}`,
    failed: 'The storage could not be read',
  },

  nextDay: {
    title: 'Next 24 hours',
    list: 'What goes out in the next 24 hours',
    calendar: 'Calendar',
    empty: 'Nothing is planned for the next 24 hours.',
    plan: 'Plan a post',
    draft: 'A draft is not published at its time.',
    atRisk: 'At risk',
    risks: {
      disconnected: (name: string) => `${name} is disconnected.`,
      expired: (name: string) => `${name} has expired.`,
      expiring: (name: string) => `${name} expires before.`,
      restricted: (name: string) => `${name} is restricted.`,
    } as const satisfies Readonly<Record<Risk, (name: string) => string>>,
    noDestination: 'No destination yet',
    more: (number: number) => `${count(number, 'more account', 'more accounts')}`,
    incomplete: 'There are more than are shown here. The calendar has all.',
    failed: 'What is planned could not be read',
    stale: 'This could not be read again. You see it as it was before.',
    today: 'Today',
    tomorrow: 'Tomorrow',
    late: 'Late',
    zone: (zone: string) => `Times in ${zone}`,
  },

  punctuality: {
    title: 'Punctuality, 7 days',
    onTime: 'went to their platform within a second of their time',
    of: (number: number) => `of ${count(number, 'destination', 'destinations')}`,
    median: 'Half within',
    most: '99% within',
    worst: 'The latest',
    none: 'Nothing went live in the last 7 days.',
    help: 'From the planned time to the call that publishes. Without what a person retried, and what waited for a limit of a platform.',
    late: (duration: string) => `${duration} late`,
    failed: 'The punctuality could not be read',
  },

  first: {
    title: 'Begin here',
    lead: (name: string) => `${name} has no posts yet. Two steps, and the first one goes out.`,
    connectTitle: 'Connect an account',
    connectText: 'You sign in at the platform; Herald never sees your password.',
    connect: 'Connect account',
    connected: (number: number) => `${accounts(number)} connected`,
    postTitle: 'Write the first post',
    postText: 'Write it once, for several accounts, and choose when it goes out.',
    post: 'New post',
    apiTitle: 'Or use the API',
    apiText:
      'This does the same from a program. Owners create keys on the page Developers; put one into HERALD_API_KEY.',
    developers: 'API keys',
    example: 'Hello from Herald',
    accountPlaceholder: '<account id>',
    accountsLabel: 'Your accounts, with their ids',
    postLabel: 'A post in the next free slot',
    done: 'Done',
  },
};
