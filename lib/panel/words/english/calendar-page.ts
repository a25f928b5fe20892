import { countPosts } from './locale.ts';

/** The calendar. */
export const calendarPage = {
  title: 'Calendar',
  zone: (timezone: string, names: readonly string[]) => {
    const others = names.filter((name) => name !== timezone);
    return `Times are those of ${timezone}${others.length === 0 ? '' : ` (${others.join(', then ')})`}.`;
  },
  otherZone: (own: string) => `Your own clock (${own}) shows other times.`,
  views: { label: 'View', month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda' },
  navigation: {
    today: 'Today',
    previous: {
      month: 'Previous month',
      agenda: 'Previous 30 days',
      week: 'Previous week',
      day: 'Previous day',
    },
    next: { month: 'Next month', agenda: 'Next 30 days', week: 'Next week', day: 'Next day' },
  },
  filters: {
    label: 'Filters',
    show: (number: number) => (number === 0 ? 'Filters' : `Filters (${number})`),
    account: 'Account',
    anyAccount: 'All accounts',
    platform: 'Platform',
    anyPlatform: 'All platforms',
    status: 'State',
    anyStatus: 'All states',
    attention: 'Needs you',
    clear: 'Clear',
    unknownAccount: 'An account that is not connected',
  },

  status: {
    shown: (number: number, all: number) =>
      number === all
        ? countPosts(number)
        : `${new Intl.NumberFormat('en-GB').format(number)} of ${countPosts(all)}`,
    reading: 'Reading posts…',
    readSoFar: (number: number, until: string) => `Reading: ${countPosts(number)} so far, up to ${until}`,
    progress: 'Reading posts',
    empty: {
      month: (period: string) => `Nothing is planned in ${period}.`,
      week: () => 'Nothing is planned in this week.',
      day: () => 'Nothing is planned on this day.',
      agenda: () => 'Nothing is planned in these 30 days.',
    } as Readonly<Record<'month' | 'week' | 'day' | 'agenda', (period: string) => string>>,
    noMatch: 'No post matches the filters.',
    noAccounts: 'Connect an account, then plan your first post.',
    connect: 'Connect an account',
    newPost: 'New post',
    failed: 'The posts could not be read',
    failedLater: (until: string) => `Only posts up to ${until} could be read`,
    stale: 'The posts could not be read again. You see them as they were before.',
    failedOwnTimes: 'Some destinations with times of their own could not be read',
  },

  grid: {
    label: (period: string) => `Posts, ${period}`,
    help: 'Arrow keys move between days. Enter goes to the posts of a day, Escape back to the day. On a post: Enter opens it, M moves it to any time, Alt with arrow keys moves it by 15 minutes or a day, Space picks it up, Shift with Space selects it.',
    /** The name of a day, around its number. */
    day: ({ weekday, month }: { weekday: string; month: string }, number: number, isToday: boolean) => ({
      before: `${weekday} `,
      after: ` ${month}${isToday ? ', today' : ''}, ${number === 0 ? 'no posts' : countPosts(number)}`,
    }),
    more: (number: number) => `+${number} more`,
    moreOn: (day: string) => `on ${day}`,
    newPostOn: (day: string) => `New post on ${day}`,
    now: 'Now',
  },

  card: {
    menu: (name: string) => `Actions for ${name}`,
    open: 'Open',
    edit: 'Edit',
    duplicate: 'Duplicate',
    copy: 'Copy to a day…',
    publish: 'Publish now…',
    select: 'Select',
    unselect: 'Remove from the selection',
    selected: 'Selected.',
    more: (number: number) => `+${number}`,
    noDestination: 'No account yet',
    part: 'Some destinations',
    partNote: (shown: number, all: number) => `${shown} of ${all} destinations`,
  },

  duplicate: {
    failed: (name: string) => `${name} was not duplicated`,
    maybe: (name: string) => `${name} may have been duplicated. Trying again makes no second copy`,
  },

  agenda: {
    today: 'Today',
    posts: countPosts,
    label: 'Posts by day',
    none: 'Nothing planned',
  },

  drafts: {
    open: 'Drafts without a time',
    title: 'Drafts without a time',
    lead: 'Drag one to a day, or give it a time.',
    leadSmall: 'Give one a time to see it in the calendar.',
    none: 'Every draft has a time, or there is none.',
    plan: 'Give it a time…',
    close: 'Hide drafts',
    untimed: 'No time',
  },

  commands: {
    today: 'Go to today',
    day: 'Show the day',
    week: 'Show the week',
    month: 'Show the month',
    agenda: 'Show the agenda',
    newPost: 'New post on this day',
    filter: 'Filter the calendar',
    move: 'Move the post…',
    earlier: 'Move the post 15 minutes earlier',
    later: 'Move the post 15 minutes later',
    dayEarlier: 'Move the post a day earlier',
    dayLater: 'Move the post a day later',
    next: 'Next post',
    previous: 'Previous post',
  },
};
