import { count, countPosts } from './locale.ts';

/** The hours of the calendar's weeks and days. */
export const calendarHours = {
  help: 'Arrow keys move between days. Enter goes to the posts of a day, Arrow Down to its hours: there, arrow keys move by 15 minutes or a day, and Enter begins a post. On a post: Enter opens it, M moves it to any time, Alt with arrow keys moves it by 15 minutes or a day, Space picks it up, Shift with Space selects it.',
  again: 'again',
  skipped: 'The clocks skip this',
  posts: countPosts,
  more: (number: number) => `+${number}`,
  newPostAt: (time: string, day: string) => `New post at ${time} on ${day}`,
  slots: {
    free: (time: string) => `${time} free`,
    planned: (number: number) => `${number} planned,`,
    number: (free: number) => count(free, 'free slot', 'free slots'),
    reading: 'Reading the slots of the account…',
    failed: 'The slots of the account could not be read.',
    limits: (most: number, from: string, to: string, timezone: string) =>
      `This account takes up to ${count(most, 'automatic post', 'automatic posts')} a day, ${
        from === to ? 'at any hour' : `from ${from} to ${to}`
      } (${timezone}).`,
  },
};
