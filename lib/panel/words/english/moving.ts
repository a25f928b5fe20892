import { post } from './post.ts';

/** Moving posts to another time. */
export const moving = {
  open: 'Move…',
  title: (excerpt: string | undefined) => (excerpt === undefined ? 'Move the post' : `Move “${excerpt}”`),
  planTitle: (excerpt: string | undefined) =>
    excerpt === undefined ? 'Give the draft a time' : `Give “${excerpt}” a time`,
  draftStays: 'It stays a draft: nothing goes out until somebody schedules it.',
  part: (moving: number, all: number) =>
    `This moves ${moving} of ${all} destinations. The others keep their times.`,
  newTime: 'New time',
  action: 'Move',
  planAction: 'Set the time',
  pastField: 'This time is in the past. Choose a later one.',
  incomplete: 'Enter a date and a time.',

  moved: (when: string) => `Moved to ${when}.`,
  movedPart: (moving: number, all: number, when: string) =>
    `Moved ${moving} of ${all} destinations to ${when}.`,
  timeTaken: 'The draft has no time again.',
  skipped: (typed: string) => `The clocks skip ${typed} on that day: they go forward.`,
  repeated: (typed: string) => `The clocks show ${typed} twice on that day; the first is meant.`,

  named: (excerpt: string | undefined) => (excerpt === undefined ? post.noText : `“${excerpt}”`),
  stays: (name: string, when: string) => `${name} stays on ${when}`,
  staysDraft: (name: string) => `${name} has no time yet`,
  /** The reply was lost. */
  mayHaveMoved: (name: string, when: string) => `${name} may have been moved to ${when}`,
  mayHaveLostTime: (name: string) => `${name} may have lost its time`,
  past: (when: string) => `${when} is in the past.`,
  /** `Instagram: 25 posts are planned for this day`. */
  about: (platform: string, message: string) => `${platform}: ${message}`,
  locks: {
    publishing: 'A post that is being published cannot be moved.',
    published: 'A post that is published cannot be moved. Duplicate it to publish it again.',
    partial: 'A post that is partly live cannot be moved. Open it to see what is missing.',
    failed: 'A post that failed cannot be moved. Open it to try again.',
  } as const,
  mayFail: (name: string) => `${name} was moved. Something may go wrong`,
  openPost: 'Open the post',
  list: 'Moves',
};
