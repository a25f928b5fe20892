import { count, countPosts } from './locale.ts';

const them = (number: number) => (number === 1 ? 'it' : 'them');

/** The list of all posts. */
export const postsPage = {
  title: 'Posts',
  search: 'Search posts',
  searchCommand: 'Search the posts',
  zone: (timezone: string) => `Times are those of ${timezone}.`,

  filters: {
    show: (number: number) => (number === 0 ? 'Filters' : `Filters (${number})`),
    accounts: 'Accounts',
    allAccounts: 'All accounts',
    someAccounts: (number: number) => count(number, 'account', 'accounts'),
    unknownAccount: 'An account that is not connected',
    platforms: 'Platforms',
    allPlatforms: 'All platforms',
    somePlatforms: (number: number) => count(number, 'platform', 'platforms'),
    states: 'States',
    allStates: 'All states',
    someStates: (number: number) => count(number, 'state', 'states'),
    tags: 'Tags',
    allTags: 'All tags',
    someTags: (number: number) => count(number, 'tag', 'tags'),
    period: 'Period',
    anyTime: 'Any time',
    periods: {
      next7: 'Next 7 days',
      next30: 'Next 30 days',
      last7: 'Last 7 days',
      last30: 'Last 30 days',
      custom: 'From … to …',
    } as const,
    from: 'First day',
    to: 'Last day',
    backwards: 'The last day is before the first one.',
    tooLong: (days: number) => `At most ${days} days.`,
    sort: 'Order',
    newest: 'Newest first',
    byTime: 'By planned time',
    byTimeNote: 'A period is listed by planned time.',
    clear: 'Clear filters',
    find: 'Find in the list',
  },

  columns: {
    picture: 'Picture',
    post: 'Post',
    accounts: 'Accounts',
    state: 'State',
    time: 'Planned',
    tags: 'Tags',
  },
  table: 'Posts',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all that are listed',
  untimed: 'No time',
  ownTimes: 'and other times',
  foundElsewhere: 'Found in a title or in a text of one account',
  noAccount: 'No account yet',
  more: (number: number) => `+${number}`,

  status: {
    shown: (number: number) => countPosts(number),
    more: (number: number) => `The first ${countPosts(number)}`,
    searching: (number: number) => `Searching… ${countPosts(number)} so far`,
    /** Said if some pages had few posts or none, and it stopped. */
    paused: (number: number) =>
      number === 0 ? 'Nothing found so far. There are older posts.' : `${countPosts(number)} found so far`,
    searchOn: 'Search on',
    stale: 'The posts could not be read again. You see them as they were before.',
    selected: (number: number) => `${number} selected`,
  },

  none: {
    title: 'No posts yet',
    text: 'Posts appear here once you write one: drafts, planned ones, and those that are live.',
    action: 'New post',
    noAccountsText: 'Connect an account, then write your first post.',
    connect: 'Connect an account',
    noMatchTitle: 'No posts match',
    noMatchText:
      'Try fewer words or other filters. All words must be in a post; the last one may be a beginning.',
  },

  actions: {
    label: 'What to do with the selected posts',
    move: 'Move…',
    retry: 'Try again…',
    remove: 'Delete…',
    tag: 'Tag…',
    export: 'Export…',
    clear: 'Clear the selection',
    commands: {
      move: 'Move the selected posts…',
      retry: 'Try the selected posts again…',
      remove: 'Delete the selected posts…',
      tag: 'Tag the selected posts…',
      export: 'Export posts…',
      clear: 'Clear the selection',
    },
  },

  /** Said before an action: the posts that it leaves out, with the reason. */
  leftOut: (number: number) => `${countPosts(number)} ${number === 1 ? 'is' : 'are'} left out`,
  hindrances: {
    publishing: (number: number) => `${number} being published: cannot be moved`,
    published: (number: number) => `${number} published: cannot be moved`,
    partial: (number: number) => `${number} partly published: cannot be moved`,
    failed: (number: number) => `${number} failed: cannot be moved, only tried again`,
    live: (number: number) => `${number} published or being published: cannot be deleted`,
    untimed: (number: number) => `${number} without a time`,
    past: (number: number) => `${number} would be in the past`,
    same: (number: number) => `${number} on that day already`,
    notFailed: (number: number) => `${number} not failed`,
    unknown: (number: number) =>
      `${number} with an unknown outcome: open ${them(number)}, and look at the platform first`,
  } as const,

  move: {
    title: (number: number) => `Move ${countPosts(number)}`,
    kind: 'Where to',
    byDays: 'By a number of days',
    toDay: 'To one day',
    days: 'Days',
    daysHelp: 'Later, or with a minus sign earlier: 7 is a week later, -1 a day earlier.',
    daysProblem: 'Enter a whole number of days, such as 7 or -1.',
    day: 'Day',
    note: 'Each post keeps its time of day.',
    action: (number: number) => (number === 0 ? 'Move' : `Move ${countPosts(number)}`),
  },
  retry: {
    title: (number: number) => `Try ${countPosts(number)} again`,
    text: 'The failed accounts of these posts are tried again now. What is live stays as it is.',
    action: (number: number) => (number === 0 ? 'Try again' : `Try ${countPosts(number)} again`),
  },
  remove: {
    title: (number: number) => `Delete ${countPosts(number)}?`,
    text: (number: number) => `${number === 1 ? 'It is' : 'They are'} gone for good.`,
    planned: (number: number) =>
      number === 1
        ? 'One is planned, and will not be published.'
        : `${number} are planned, and will not be published.`,
    files: 'Files stay in the workspace.',
    action: (number: number) => (number === 0 ? 'Delete' : `Delete ${countPosts(number)}`),
  },
  tag: {
    title: (number: number) => `Tag ${countPosts(number)}`,
    label: 'Tags',
    some: 'Some of them have it',
    none: 'There are no tags yet.',
    add: 'New tag',
    addHelp: 'Added to all of them.',
    action: 'Save tags',
  },

  job: {
    running: {
      move: (done: number, all: number) => `Moving: ${done} of ${all}`,
      retry: (done: number, all: number) => `Trying again: ${done} of ${all}`,
      remove: (done: number, all: number) => `Deleting: ${done} of ${all}`,
      tag: (done: number, all: number) => `Tagging: ${done} of ${all}`,
      undo: (done: number, all: number) => `Moving back: ${done} of ${all}`,
    } as const,
    progress: 'Progress',
    stop: 'Stop',
    stopping: 'Stopping…',
    worked: {
      move: (number: number) => `Moved ${countPosts(number)}.`,
      retry: (number: number) => `${countPosts(number)} ${number === 1 ? 'is' : 'are'} being tried again.`,
      remove: (number: number) => `Deleted ${countPosts(number)}.`,
      tag: (number: number) => `Changed the tags of ${countPosts(number)}.`,
      undo: (number: number) => `Moved ${countPosts(number)} back.`,
    } as const,
    notWorked: {
      move: (number: number) => `${countPosts(number)} ${number === 1 ? 'was' : 'were'} not moved`,
      retry: (number: number) => `${countPosts(number)} ${number === 1 ? 'was' : 'were'} not tried again`,
      remove: (number: number) => `${countPosts(number)} ${number === 1 ? 'was' : 'were'} not deleted`,
      tag: (number: number) => `The tags of ${countPosts(number)} were not changed`,
      undo: (number: number) => `${countPosts(number)} ${number === 1 ? 'was' : 'were'} not moved back`,
    } as const,
    left: (number: number) => `Stopped before ${count(number, 'more post', 'more posts')}.`,
    refused: 'Refused, and still selected',
    maybe: 'No answer came: it may have happened.',
    others: (number: number) => `and ${countPosts(number)} more, which are still selected`,
  },

  export: {
    title: 'Export posts',
    which: 'Which posts',
    selected: (number: number) => `The ${number === 1 ? 'selected one' : `${number} selected ones`}`,
    all: 'All that match the filters',
    note: 'A CSV file for spreadsheets, with the texts, accounts, states, times and tags.',
    action: 'Export',
    reading: (number: number) => `Reading: ${countPosts(number)} so far`,
    done: (number: number) => `Exported ${countPosts(number)}.`,
    most: (number: number) => `Exported the first ${countPosts(number)}. Narrow the filters for the others.`,
    failed: 'The file was not made',
    columns: {
      id: 'id',
      text: 'text',
      state: 'state',
      planned: 'planned',
      accounts: 'accounts',
      platforms: 'platforms',
      links: 'links',
      tags: 'tags',
      created: 'created',
      changed: 'changed',
    },
  },
};
