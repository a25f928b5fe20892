import { countPosts } from './locale.ts';

/** The calendar's dialogs, and what is done with several posts. */
export const calendarActions = {
  copy: {
    title: (name: string) => `Copy ${name}`,
    lead: 'The copy is a draft at the same time of day.',
    day: 'Day',
    action: 'Copy',
    past: 'This time is in the past. Choose a later day.',
    incomplete: 'Enter a day.',
  },
  selection: {
    label: 'Selected posts',
    count: (number: number) => `${countPosts(number)} selected`,
    move: 'Move to a day…',
    retry: 'Try again',
    remove: 'Delete…',
    clear: 'Clear the selection',
  },
  bulk: {
    move: {
      title: (number: number) => `Move ${countPosts(number)}`,
      text: 'Each keeps its time of day.',
      action: 'Move',
      done: (number: number, all: number) => `${number} of ${countPosts(all)} moved.`,
    },
    retry: {
      title: (number: number) => `Try ${countPosts(number)} again`,
      text: 'What has failed is published again, at once.',
      action: 'Try again',
      done: (number: number, all: number) => `${number} of ${countPosts(all)} on their way again.`,
    },
    remove: {
      title: (number: number) => `Delete ${countPosts(number)}`,
      text: 'They are gone for good. Their files stay in the workspace.',
      action: 'Delete',
      done: (number: number, all: number) => `${number} of ${countPosts(all)} deleted.`,
    },
    list: 'Posts',
    states: {
      waiting: 'Waiting',
      running: 'Working…',
      done: 'Done',
      kept: 'Left as it is',
      failed: 'Failed',
    },
    cannot: {
      move: 'Only drafts and scheduled posts can be moved.',
      retry: 'Nothing of it has failed.',
      remove: 'Something of it is live or on its way.',
      unknown: 'Its outcome is unknown: open it and look at the platform first.',
      past: 'This time is in the past.',
      same: 'It is on this day already.',
    },
    day: 'Day',
    incomplete: 'Enter a day.',
    undone: (number: number) => `${countPosts(number)} moved back.`,
    notUndone: (number: number) => `${countPosts(number)} could not be moved back.`,
  },
};
