/** The list of commands, which also finds things by their words. */
export const palette = {
  search: 'Search commands',
  placeholder: 'Where to, what to do, or words of a post',
  posts: 'Posts',
  accounts: 'Accounts',
  automations: 'Automations',
  files: 'Files',
  allPosts: (words: string) => `All posts with “${words}”`,
  searching: 'Searching…',
  none: (words: string) =>
    `No posts match “${words}”. No command, account, automation or file has these words.`,
  noPosts: (words: string) => `No posts match “${words}”.`,
  noCommands: 'No command has these words.',
  failed: 'The search did not work.',
  untimed: 'No time',
  /** An automation without a name and keywords. */
  everyComment: 'Every comment',
};
