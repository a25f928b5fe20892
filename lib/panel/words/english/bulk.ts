import { count, countPosts } from './locale.ts';

const them = (number: number) => (number === 1 ? 'it' : 'them');

/** Actions for several posts. */
export const bulk = {
  label: 'Selection',
  selected: (number: number) => `${number} selected`,
  clear: 'Clear the selection',
  actions: {
    move: 'Move…',
    retry: 'Try again…',
    remove: 'Delete…',
    tag: 'Tag…',
  },
  commands: {
    move: 'Move the selected posts…',
    retry: 'Try the selected posts again…',
    remove: 'Delete the selected posts…',
    tag: 'Tag the selected posts…',
  },

  /** Said before an action: the posts that it leaves out, with the reason. */
  leftOut: (number: number) => `${countPosts(number)} ${number === 1 ? 'is' : 'are'} left out`,
  hindrances: {
    publishing: (number: number) => `${number} being published: cannot be moved`,
    published: (number: number) => `${number} published: cannot be moved`,
    partial: (number: number) => `${number} partly live: cannot be moved`,
    failed: (number: number) => `${number} failed: cannot be moved, only tried again`,
    live: (number: number) => `${number} published or being published: cannot be deleted`,
    untimed: (number: number) => `${number} without a time`,
    past: (number: number) => `${number} would be in the past`,
    same: (number: number) => `${number} on that day already`,
    notFailed: (number: number) => `${number} not failed`,
    unknown: (number: number) =>
      `${number} unconfirmed: open ${them(number)}, and look at the platform first`,
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
    note: (timezone: string) => `Each post keeps its time of day on the clocks of ${timezone}.`,
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
};
