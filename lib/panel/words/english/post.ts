import { count } from './locale.ts';

/** The words of several pages about a post. */
export const post = {
  /** The one name of each state of a post or a destination, on every page. Short enough for a card of the month. */
  states: {
    draft: 'Draft',
    proposed: 'To approve',
    scheduled: 'Scheduled',
    waiting: 'Waiting',
    atRisk: 'At risk',
    publishing: 'Publishing',
    published: 'Published',
    partial: 'Partly live',
    failed: 'Failed',
    unknown: 'Unconfirmed',
    removed: 'Taken down',
  } as const,
  /** A post without words. */
  noText: 'Post without text',
  newPost: 'New post',
  openPlatform: (platform: string) => `Open ${platform}`,

  retry: {
    action: 'Try again',
    begun: 'It is being tried again',
    title: 'Is the post there already?',
    text: 'The outcome of the request to publish it is unknown. Check the account first: if the post is there, trying again would publish it twice.',
    looked: (destinations: number) =>
      destinations === 1
        ? 'I have looked; nothing is there'
        : 'I have looked at all of them; nothing is there',
    lookedNote: 'Herald asks the platform once more before it publishes again.',
    confirm: 'Try again',
    failed: 'It was not tried again',
    unanswered: 'It may be on its way again',
  },

  edit: 'Edit',
  reconnect: 'Reconnect',
  connect: 'Connect',
  duplicate: 'Duplicate',
  duplicated: 'This is a new draft, like the post',
  /** Said if the copy is not shown. */
  duplicatedHere: 'Duplicated as a draft.',
  editDuplicate: 'Edit it',
  /** A draft like a post, for the destinations that refused it. */
  correct: 'Correct a copy',
  notDuplicated: 'No copy was made',
  maybeDuplicated: 'A copy may have been made. Trying again makes no second one',

  remove: {
    open: 'Delete…',
    title: 'Delete this post?',
    action: 'Delete post',
    text: 'It is gone for good.',
    scheduled: 'It will not be published, and is gone for good.',
    chain: (steps: number) =>
      steps === 1
        ? 'The step of its chain that waits is never published.'
        : `${count(steps, 'step', 'steps')} of its chain that wait are never published.`,
    files: 'Its files stay in the workspace.',
    done: 'Post deleted',
  },
};
