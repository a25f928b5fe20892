import type { Actor, FailureCode, WaitReason } from '../../../automations/failure-codes.ts';
import { count } from './locale.ts';

/** The page of one automation. */
export const automationPage = {
  title: 'Automation',
  edit: 'Edit',
  pausedTitle: 'Paused',
  pausedText:
    'Comments that come while it is paused are never answered. Replies and messages that were due before wait. They are sent after you resume it, if Instagram still accepts them then.',
  waiting: {
    title: (number: number) => count(number, 'private message waits', 'private messages wait'),
    reasons: {
      account_expired: 'Herald has no access to the account.',
      account_disconnected: 'The account is disconnected.',
      account_restricted: 'Instagram has restricted the account, or a permission is missing.',
      permission_missing: 'The account has not given Herald a permission that the message needs.',
      automation_off: 'The automation is paused. Resume it to send them.',
      paused:
        'Whoever runs this service has paused Instagram, the workspace or the account. Ask them when the pause ends.',
      feature_off:
        'Whoever runs this service has switched off public replies or private messages. Ask them when they are on again.',
      hourly_limit:
        'Instagram’s hourly limit: the account has sent all private replies that it may send in an hour. The rest goes out by itself.',
    } satisfies Readonly<Record<WaitReason, string>>,
    /** Herald has not looked again since. */
    ended: {
      account_expired: 'Herald has access to the account again.',
      account_disconnected: 'The account is connected again.',
      automation_off: 'The automation is active again.',
    } satisfies Readonly<Partial<Record<WaitReason, string>>>,
    /** @param reason a name that this catalogue does not have yet */
    other: (reason: string) => `Another reason: ${reason}.`,
    last: 'The last about:',
    window:
      'Herald sends it within about a minute after the reason has ended, if Instagram still accepts it: until seven days after the comment, or 24 hours after the person’s last tap or answer.',
  },
  /** The offers of a page if an account or a text is the reason. */
  remedies: {
    account: 'Open the account',
    accounts: 'Open the accounts',
    edit: 'Edit the automation',
    post: 'See the post on Instagram',
  },
  failures: {
    title: 'What failed',
    lead: (number: number) =>
      `${count(number, 'reply or message was not sent, or its outcome is unknown', 'replies and messages were not sent, or their outcome is unknown')}. Where certainly nothing was sent, the person’s next matching comment begins again.`,
    actors: {
      customer: 'You can act',
      commenter: 'The person can act',
      operator: 'The operator can act',
      nobody: 'Nothing to do',
    } satisfies Readonly<Record<Actor, string>>,
    codes: {
      account_expired: {
        text: 'Herald had no access to the account until it was too late.',
        next: 'Reconnect the account, if that has not happened yet.',
      },
      account_disconnected: {
        text: 'The account was disconnected.',
        next: 'Connect it again, if that has not happened yet.',
      },
      account_restricted: {
        text: 'Instagram had restricted the account, or a permission was missing, until it was too late.',
        next: 'The owner of the account resolves this at Instagram, or you reconnect it and leave all permissions selected.',
      },
      permission_missing: {
        text: 'The account had not given Herald a permission that the answer needs.',
        next: 'Reconnect the account and leave all permissions selected.',
      },
      automation_off: {
        text: 'The automation was paused until it was too late.',
        next: 'Resume it, if it is still paused.',
      },
      paused: {
        text: 'Whoever runs this service had paused Instagram, the workspace or the account until it was too late.',
        next: 'Ask them when the pause ends, or whether it has ended.',
      },
      hourly_limit: {
        text: 'Instagram’s hourly limit left no place for it until it was too late.',
        next: 'The limit ends by itself.',
      },
      automation_deleted: { text: 'The automation was deleted before it could answer.', next: '' },
      text_removed: {
        text: 'The text was removed from the automation before it was sent.',
        next: 'Put it back if people should still get it.',
      },
      comment_too_old: {
        text: 'The comment was older than Instagram allows for an answer.',
        next: 'They can comment again.',
      },
      comment_unavailable: {
        text: 'Instagram no longer accepted an answer to the comment: it is gone, or already has one.',
        next: 'They can comment again.',
      },
      window_closed: {
        text: 'The person had not answered for longer than Instagram allows.',
        next: 'They can comment, tap or answer again.',
      },
      platform_rejected: {
        text: 'Instagram refused the reply or message.',
        next: 'Check its text and buttons.',
      },
      app_refused: {
        text: 'Instagram refuses the app of this service.',
        next: 'Tell whoever runs this service.',
      },
      platform_unavailable: {
        text: 'Instagram did not send it, and Herald gave up after six hours.',
        next: 'They can comment again.',
      },
      quota_exhausted: {
        text: 'A daily limit of Instagram was used up.',
        next: 'They can comment again.',
      },
      outcome_unknown: {
        text: 'Instagram has not said whether it was sent, so Herald does not send it again.',
        next: 'Look at the comment or the conversation, and answer by hand if it is not there.',
      },
      internal: {
        text: 'There was an error in this service for more than six hours.',
        next: 'Tell whoever runs this service.',
      },
      feature_off: {
        text: 'Whoever runs this service had switched off public replies or private messages.',
        next: 'Ask them when they are on again.',
      },
      other: {
        text: 'It failed under an earlier release of this service, which did not keep the reason.',
        next: '',
      },
    } satisfies Readonly<Record<FailureCode, { readonly text: string; readonly next: string }>>,
  },
  conversations: {
    title: 'Conversations',
    lead: 'The replies and messages of the last 30 days, the latest comment or message first. Names and texts are kept for 8 days.',
    filters: 'Filter conversations',
    columns: { who: 'Person and text', what: 'Answer', state: 'State', when: 'Written' },
    anyState: 'Any state',
    anyKind: 'Replies and messages',
    kinds: { public_reply: 'Public reply', private_message: 'Private message' },
    sent: { reply: 'Public reply', question: 'Question of the follow gate', message: 'Private message' },
    states: {
      waiting: 'Waits',
      awaiting_answer: 'Waits for their tap',
      done: 'Sent',
      failed: 'Not sent',
      unknown: 'Unknown',
    },
    unnamed: (personId: string | null) => (personId === null ? 'Somebody' : `Person ${personId}`),
    noText: 'The text is not kept any more.',
    none: 'None in the last 30 days.',
    noneYet: 'None among those that are read. Load more to see older ones.',
  },
  clicks: {
    title: 'Clicks',
    all: 'Other periods',
    none: 'It has no tracked links: its message and buttons contain no address, or tracking is off.',
    linksLabel: 'Links',
    columns: { link: 'Link', clicks: 'Clicks', days: 'Last 30 days' },
  },
  try: {
    title: 'Try a text',
    lead: 'Says what a comment or message with this text would set off. Nothing is sent.',
    label: 'Text',
    action: 'Try',
    failed: 'It was not tried',
    empty: 'Write a text first.',
    matches: (keyword: string) => `It matches “${keyword}”.`,
    matchesAll: 'It matches: every text does.',
    misses: 'It does not match. Nothing would be sent.',
    inactive: 'The automation is paused: at the moment it sets off nothing.',
    reply: 'Public reply',
    message: 'Private message',
    question: 'Private message, the follow gate’s question',
    toFollowers: 'Private message to people who follow',
  },
  settings: {
    title: 'Settings',
    keywords: 'Keywords',
    mode: 'A comment matches if it',
    typos: 'Typing errors',
    typosOn: 'Tolerated',
    typosOff: 'Not tolerated',
    tracking: 'Links',
    trackingOn: 'Shortened, and clicks are counted',
    trackingOff: 'Sent as they are',
    posts: 'Answers',
    postId: 'Post at Instagram',
    copyPostId: 'Copy the post’s id',
    id: 'Id',
    copyId: 'Copy the id',
    created: 'Created',
    updated: 'Changed',
  },
  danger: { title: 'Delete', text: 'Ends it for good. To stop it for a while, pause it.' },
};
