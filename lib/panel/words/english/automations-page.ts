import type { Actor, FailureCode, WaitReason } from '../../../automations/failure-codes.ts';
import type { AutomationStart } from '../../../automations/views.ts';
import { count, countPosts, numbers } from './locale.ts';

/** The pages of automations. */
export const automationsPage = {
  title: 'Automations',
  lead: 'An automation answers the comments on Instagram posts, in public, by private message, or both. It can also answer replies to stories, and messages.',
  create: 'New automation',
  /** An automation without a name whose post has no words here. */
  nameless: (platformPostId: string) => `Post ${platformPostId}`,
  platform: 'Instagram',
  /** The posts that an automation answers. */
  posts: {
    post: { name: 'One post', nameless: 'A post that is not live', note: 'Live already, or scheduled.' },
    next_post: {
      name: 'The next post',
      nameless: 'The next post',
      note: 'The first that goes live from now on, wherever you publish it.',
    },
    every_post: {
      name: 'Every post',
      nameless: 'Every post',
      note: 'All posts of the account. An automation of a post itself, or of the next post, answers before this one.',
    },
    story_replies: {
      name: 'Replies to stories',
      nameless: 'Replies to stories',
      note: 'What people write as a reply to any story of the account.',
    },
    direct_messages: {
      name: 'Messages with a keyword',
      nameless: 'Messages with a keyword',
      note: 'What people write to the account. Replies to stories are among them, unless the automation of those answers.',
    },
  },
  starts: {
    started: undefined,
    awaiting_post: {
      title: 'Waits for the post',
      text: 'It answers from the first comment on, as soon as the post is live.',
    },
    post_draft: {
      title: 'Its post is a draft',
      text: 'Schedule the post: the automation starts when it is live.',
    },
    post_failed: {
      title: 'Its post has failed',
      text: 'Try the post again: the automation starts when it is live. Otherwise delete the automation.',
    },
    post_gone: {
      title: 'Its post is gone',
      text: 'The post was deleted, or no longer goes to this account. Delete the automation.',
    },
  } satisfies Readonly<
    Record<AutomationStart['state'], { readonly title: string; readonly text: string } | undefined>
  >,
  startsWithNext: 'It answers the comments on the first post that goes live on the account.',
  post: 'Post',
  openPost: 'Open the post',
  atPlatform: 'See it on Instagram',

  states: { active: 'Active', paused: 'Paused' },
  everyComment: 'Every comment',
  everyMessage: 'Every reply to a story',
  more: (number: number) => `and ${numbers.format(number)} more`,

  does: {
    reply: 'Public reply',
    message: 'Private message',
    buttons: (number: number) => count(number, 'button', 'buttons'),
    gate: 'Follow gate',
  },

  matchModes: {
    contains: {
      name: 'Contains it',
      note: 'Anywhere, also inside a longer word: “link” matches “blinking”.',
    },
    word: { name: 'Contains it as a word', note: 'Anywhere, but not inside a longer word.' },
    starts_with: { name: 'Begins with it', note: 'Such as “link please”.' },
    exact: { name: 'Is exactly it', note: 'The comment says nothing else.' },
  },

  list: {
    label: 'Automations',
    search: 'Search automations',
    searchCommand: 'Search automations',
    account: 'Account',
    anyAccount: 'Any account',
    state: 'State',
    anyState: 'Active and paused',
    columns: { name: 'Automation', does: 'Answers', counts: 'So far', state: 'State', menu: 'Actions' },
    counts: {
      matched: 'Matched',
      replied: 'Replied',
      messaged: 'Messaged',
      clicks: 'Clicks',
      failed: 'Failed',
    },
    countsFailed: 'The counts could not be read.',
    waiting: (number: number) => `${numbers.format(number)} wait for the hourly limit,`,
    waitingFor: (number: number, reasons: readonly string[]) =>
      `${numbers.format(number)} wait: ${reasons.join(', ')}`,
    waitReasons: {
      account_expired: 'no access to the account',
      account_disconnected: 'account disconnected',
      account_restricted: 'account restricted',
      permission_missing: 'permission missing',
      automation_off: 'automation paused',
      paused: 'paused by the service',
      feature_off: 'switched off by the service',
      hourly_limit: 'hourly limit',
    } satisfies Readonly<Record<WaitReason, string>>,
    otherWaitReason: 'another reason',
    until: 'until about',
    shown: (shown: number, all: number) =>
      shown === all
        ? count(all, 'automation', 'automations')
        : `${numbers.format(shown)} of ${count(all, 'automation', 'automations')}`,
    reading: 'Reading more…',
    partial: 'There are more: the search knows only those that are read.',
    answers: (name: string) => `Answer comments: ${name}`,
    actions: (name: string) => `Actions for ${name}`,
    edit: 'Edit',
    links: 'Show its clicks',
    delete: 'Delete…',
    emptyTitle: 'Answer comments while you sleep',
    emptyText:
      'Somebody comments “link”; they get your answer under the comment and the link by private message. You see how often it is opened.',
    noAccountText: 'Automations need an Instagram account whose comments Herald may read. Connect one first.',
    connect: 'Connect an account',
    noMatchTitle: 'No automation fits',
    noMatchText: 'Change the search or the filters.',
    clearFilters: 'Clear filters',
    stale: 'The automations could not be read again. They may be out of date.',
  },

  account: {
    expired: 'Nothing is answered: Herald has no access to the account.',
    error: 'Instagram has restricted the account.',
    reconnect: 'Reconnect it',
    look: 'See why',
    disconnected: 'Nothing is answered: the account is disconnected.',
    noComments: 'Nothing is answered: the account has not allowed Herald to read comments.',
    noMessages: 'No private message is sent: the account has not allowed Herald to send messages.',
  },

  pause: {
    pause: 'Pause',
    resume: 'Resume',
    title: (name: string) => `Pause “${name}”?`,
    action: 'Pause automation',
    waiting: (number: number) =>
      `${count(number, 'private message waits', 'private messages wait')}. While the automation is paused, what waits stays. It is sent after you resume the automation, if Instagram still accepts it then: until seven days after the comment, or 24 hours after the person’s last tap or answer.`,
    failed: (name: string) => `${name} was not changed`,
  },

  remove: {
    action: 'Delete automation',
    title: (name: string) => `Delete “${name}”?`,
    stops: 'It answers no more comments. Replies and messages that wait are never sent.',
    waiting: (number: number) => `${count(number, 'private message waits', 'private messages wait')} now.`,
    keeps:
      'Links that were sent keep working. Its posts may then get another automation. The counts are gone. This cannot be undone.',
    done: (name: string) => `“${name}” is deleted`,
  },

  detail: {
    back: 'All automations',
    title: 'Automation',
    edit: 'Edit',
    pausedTitle: 'Paused',
    pausedText:
      'Comments that come while it is paused are never answered. Replies and messages that were due before wait. They are sent after you resume it, if Instagram still accepts them then.',
    funnel: {
      title: 'What became of the comments',
      since: 'Since',
      matched: 'Matched',
      matchedText: 'comments with a keyword',
      matchedAllText: 'comments, because every one matches',
      messagesTitle: 'What became of the messages',
      messagesText: 'messages of people with a keyword',
      messagesAllText: 'replies to stories, because every one matches',
      replied: 'Replied',
      repliedText: 'public replies',
      messaged: 'Messaged',
      messagedText: 'private messages',
      messagedGateText: 'private messages, with the follow gate’s questions',
      clicks: 'Clicked',
      clicksText: 'clicks on its links',
      unused: 'not used',
      share: (percent: string) => `${percent} of matched`,
      perMessage: (number: string) => `${number} per message`,
    },
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
  },

  form: {
    newTitle: 'New automation',
    editTitle: 'Edit automation',
    post: { title: 'Where', account: 'Instagram account', posts: 'What it answers', post: 'Post' },
    noAccounts: {
      title: 'No account can do this yet',
      text: 'Automations need an Instagram account that has allowed Herald to read comments. Connect one, and leave all permissions selected.',
      action: 'To the accounts',
    },
    otherAccounts:
      'Other Instagram accounts are missing here because they have not allowed Herald to read comments.',
    otherAccountsLink: 'See the accounts',
    accountExpired:
      'Herald has no access to this account. The automation answers once it is connected again.',
    noMessages:
      'This account has not allowed Herald to send messages. Connect it again and leave all permissions selected.',
    reconnect: 'To the account',
    choosePost: {
      none: 'Herald has no posts for this account yet. Enter the id of a post below.',
      failed: 'The posts of this account could not be read',
      other: 'Another post',
      otherNote: 'Also one that Herald did not publish: Instagram’s list appears above.',
      readingElsewhere: 'Asking Instagram for the posts of the account…',
      elsewhereFailed: 'Instagram did not list the posts of the account',
      olderElsewhere: 'Show older posts from Instagram',
      id: 'The post’s address or id at Instagram',
      idHelp:
        'Its address, or the number that Instagram’s API calls the id of the media. A post that is found by its address appears in the list above.',
      isAddress: 'No post with this address is chosen. Choose it from the list, or enter its id.',
      has: 'Has an automation',
      existing: {
        post: {
          title: 'This post already has an automation',
          text: 'A post can have one. Change that one, or choose another post.',
        },
        next_post: {
          title: 'The next post already has an automation',
          text: 'An account can have one for its next post. Change that one, or choose other posts.',
        },
        every_post: {
          title: 'There is an automation for every post already',
          text: 'An account can have one for every post. Change that one, or choose other posts.',
        },
        story_replies: {
          title: 'Replies to stories already have an automation',
          text: 'An account can have one for them. Change that one, or choose something else to answer.',
        },
        direct_messages: {
          title: 'Messages already have an automation',
          text: 'An account can have one for them. Change that one, or choose something else to answer.',
        },
      },
      hasAction: 'Edit that one',
      search: 'Search posts',
      found: (found: number, of: number, isReading: boolean) =>
        isReading
          ? `${countPosts(found)} found among the newest ${of} so far…`
          : `${countPosts(found)} found among the newest ${of}.`,
      older: 'Show older posts',
      kinds: { image: 'Picture', video: 'Video', carousel: 'Carousel' },
      published: 'Published',
      scheduled: 'Goes live',
      draft: 'Draft',
      loading: 'Posts of the account',
    },
    matching: {
      title: 'Which comments',
      lead: 'Upper and lower case, emoji skin tones and other forms of letters make no difference.',
      keywords: 'Keywords',
      keywordsHelp: 'Press Enter or a comma after each.',
      add: 'Add',
      added: 'Keywords',
      remove: (keyword: string) => `Remove ${keyword}`,
      tooLong: (characters: number) => `A keyword has at most ${characters} characters.`,
      tooMany: (number: number) => `At most ${number} keywords.`,
      same: (keyword: string) => `“${keyword}” is compared as equal to one that is there.`,
      invisible: 'A keyword needs a visible character.',
      mode: 'A comment matches if it',
      typos: 'Tolerate typing errors',
      typosNote: 'One in a word of 4 to 7 letters, two in a longer one. Only in whole words.',
      all: 'Without keywords, every comment is answered.',
      messagesTitle: 'Which messages',
      allReplies: 'Without keywords, every reply to a story is answered.',
      needed: 'Add a keyword: otherwise every message would be answered.',
    },
    reply: {
      title: 'Public reply',
      on: 'Reply below the comment',
      text: 'Reply',
      placeholder: 'I sent you a message 👋',
    },
    message: {
      title: 'Private message',
      on: 'Send a private message',
      text: 'Message',
      placeholder: 'Here is the link: https://…',
      buttons: 'Buttons',
      button: (number: number) => `Button ${number}`,
      buttonTitle: 'Label',
      buttonUrl: 'Address',
      addButton: 'Add a button',
      mostButtons: (number: number) => `At most ${number} buttons.`,
      removeButton: (number: number) => `Remove button ${number}`,
      track: 'Count clicks',
      trackNote: 'Addresses are sent as short links of this service.',
      once: 'Each person gets it once in 360 days, however often they comment.',
      onceByMessage: 'Each person gets it once in 360 days, however often they write.',
    },
    gate: {
      on: 'Ask people to follow first',
      note: 'They get a question with a button. Only followers get the message.',
      noteByMessage:
        'Only followers get the message. The others are asked to follow, with a button to try again.',
      message: 'Question',
      messagePlaceholder: 'Follow us, then tap the button to get the link.',
      label: 'Button',
      labelPlaceholder: 'I follow you',
      refusal: 'If they do not follow',
      refusalPlaceholder: 'Almost! Follow us first, then tap again.',
    },
    rest: {
      title: 'Name and state',
      name: 'Name',
      nameHelp: 'Only you see it.',
      active: 'Active',
      activeNote: 'It answers comments from now on. Earlier comments are not answered.',
      pausedNote: 'Comments that come meanwhile are never answered. Replies and messages that are due wait.',
    },
    neither: 'Choose at least one answer: a public reply, a private message, or both.',
    save: 'Create automation',
    saveEdit: 'Save changes',
    discard: 'Discard changes',
    discardNew: 'Start over',
    cancel: 'Cancel',
    created: (name: string) => `“${name}” is created`,
    createdPaused: (name: string) => `“${name}” is created. It is paused.`,
    saved: 'Changes saved',
    notSaved: 'The automation was not saved',
    noPost: 'This account has no live post with that id. Check the id, or choose a post from the list.',
    keptNotice: 'Kept in this browser until you save.',
    restored: 'What you had not saved is back.',
    changedElsewhere:
      'Somebody has changed this automation meanwhile. Saving changes only the fields that you have changed.',
    unchanged: 'Nothing is changed.',
    bytes: (used: number, most: number) => `${numbers.format(used)} of ${numbers.format(most)} bytes`,
    characters: (used: number, most: number) =>
      `${numbers.format(used)} of ${numbers.format(most)} characters`,
    tooLong: 'It is too long: shorten it.',
    urlProblem: 'It must be an http or https address, such as https://example.com.',
    asSent: 'as sent, with short links',
    asText: 'with its buttons as text, which Instagram may require',
  },

  preview: {
    title: 'Preview',
    comment: 'Comment to try',
    writing: 'Message to try',
    commentHelp: 'Matched as you type, as a real one is.',
    sample: 'Where can I get this?',
    matches: (keyword: string) => `Matches “${keyword}”`,
    matchesAll: 'Every comment matches',
    matchesAllReplies: 'Every reply to a story matches',
    misses: 'No keyword matches: nothing is sent',
    phone: 'What people see',
    comments: 'Comments',
    messages: 'Messages',
    you: 'You',
    person: 'somebody',
    now: 'now',
    noReply: 'No public reply',
    noMessage: 'No private message',
    nothing: 'Nothing happens',
    empty: '…',
    notFollowing: 'If they do not follow you',
    following: 'If they follow you',
    taps: (label: string) => `They tap “${label}”`,
    refused: 'and do not follow you',
    granted: 'and follow you',
    about: 'About as Instagram shows it. Where buttons are refused, links are written below the text.',
  },
};
