import { count } from './locale.ts';

/** The units that platforms count in a text. */
const units = {
  characters: ['character', 'characters'],
  bytes: ['byte', 'bytes'],
  hashtags: ['hashtag', 'hashtags'],
  mentions: ['mention', 'mentions'],
  links: ['link', 'links'],
} as const;

/** The composer. */
export const composer = {
  newTitle: 'New post',
  editTitle: 'Edit post',
  backToCalendar: 'Calendar',
  backToPost: 'The post',
  views: { label: 'Show', write: 'Write', preview: 'Preview' },

  accounts: {
    title: 'Accounts',
    search: 'Search accounts',
    more: (rest: number) => `${count(rest, 'more account', 'more accounts')}: search for them.`,
    noneFound: 'No account has these words.',
    chosen: (number: number) => count(number, 'account chosen', 'accounts chosen'),
    noneTitle: 'Connect an account first',
    noneText:
      'A post goes to accounts of Instagram, Facebook, Threads, TikTok, YouTube, LinkedIn or Pinterest.',
    connect: 'Connect an account',
    expired: (name: string) => `${name} has expired. Connect it again, or the post fails there.`,
    restricted: (name: string) => `${name} is restricted by its platform. The post may fail there.`,
    gone: (platform: string) =>
      `An account of ${platform} is no longer connected. Take it out, or connect it again.`,
    remove: 'Take it out',
    toAccount: 'To the account',
    /** The name of an account that others have too. */
    at: (name: string, platform: string) => `${name} (${platform})`,
    needed: 'Choose at least one account.',
    most: (most: number) => `A post goes to at most ${most} accounts.`,
  },

  tabs: {
    label: 'Text and files',
    all: 'All accounts',
    problems: (number: number) => count(number, 'problem', 'problems'),
    differs: 'has its own',
  },

  text: {
    label: 'Text',
    placeholder: 'What do you want to say?',
    inherited: 'Same text as for all accounts',
    noText: 'No text yet',
    override: 'Write another text',
    inherit: 'Use the shared text',
    differing: (names: string) => `Not used by ${names}, which have their own text.`,
    differingOne: (name: string) => `Not used by ${name}, which has its own text.`,
  },

  counts: {
    label: 'How much of each platform’s limit the text uses',
    used: (platform: string, used: string, most: string) => `${platform} ${used} of ${most}`,
    over: (over: number, unit: keyof typeof units) =>
      `${count(over, units[unit][0], units[unit][1])} too many`,
    bytes: 'bytes',
    announced: (platform: string, over: string) => `${platform}: ${over}`,
  },

  files: {
    label: 'Files',
    inherited: 'Same files as for all accounts',
    noFiles: 'No files yet',
    number: (number: number) => count(number, 'file', 'files'),
    place: (place: number) => `File ${place}`,
    altTextOf: (place: number) => `Alternative text of file ${place}`,
    override: 'Choose other files',
    inherit: 'Use the shared files',
    pending: (number: number) => `${count(number, 'file is', 'files are')} still being uploaded.`,
  },

  comment: {
    label: 'First comment',
    help: (platforms: string) => `The account posts it once the post is live: ${platforms}.`,
    add: 'Add a first comment',
    remove: 'Remove the first comment',
    without: (names: string) => `Not on ${names}: these posts take no first comment.`,
    withoutOne: (name: string) => `Not on ${name}: this post takes no first comment.`,
  },

  ownTime: {
    label: 'Time for this account',
    inherited: 'Goes out with the post',
    inheritedAt: 'Goes out with the post:',
    incomplete: 'Enter a date and a time, or use the post’s time.',
    override: 'Give it its own time',
    inherit: 'Use the post’s time',
  },

  when: {
    title: 'When',
    at: 'At a time',
    slot: 'In the next free slot',
    slotNote: 'The earliest time that fits the queues of all accounts.',
    now: 'Now',
    nowNote: 'You are asked before it goes out.',
    field: 'Goes live',
    clear: 'Remove the time',
    next: 'Next free, for each account alone',
    noSlots: 'No free slot within 90 days',
    slotsFailed: 'The slots did not load.',
    needed: 'Choose a date and a time, or another way.',
    past: 'This time is in the past.',
    rhythm: 'Change the queue',
    withPost: (names: string) => `With the post: ${names}.`,
    own: 'At their own times',
    change: (name: string) => `Change the time of ${name}`,
  },

  /** The cover of the video at one account. */
  ownCover: {
    label: 'Cover',
    inherited: 'Same cover as for all accounts',
    imageWins: 'All accounts share the cover image, which is shown instead of a frame.',
    override: 'Choose another cover',
    inherit: 'Use the shared cover',
    address: 'Address of a cover image',
    addressHelp: 'A public address. The platform fetches the image when the post goes out.',
  },

  /** The fields that only programs read or decide. */
  tags: 'Tags',
  savedTexts: 'Saved texts',
  forPrograms: {
    title: 'For developers',
    lead: 'Data that your programs read, and what else the API offers.',
    set: (number: number) => `${number} set`,
    onQuota: {
      label: 'If an account has reached the daily limit of its platform',
      wait: 'Wait until the limit ends (default)',
      fail: 'Fail at once',
    },
    externalId: {
      label: 'Your own id of the post',
      help: 'The API finds the post by it. Up to 255 characters.',
      unique: 'No other post may have this id',
    },
    metadata: {
      label: 'Metadata',
      help: 'Pairs of your own, in all replies and events about the post.',
      name: 'Name',
      value: 'Value',
      add: 'Add a pair',
      remove: (name: string) => (name === '' ? 'Remove the pair' : `Remove ${name}`),
    },
    nameNeeded: 'Each pair needs a name.',
    nameTwice: (name: string) => `Two pairs have the name ${name}.`,
  },

  chain: {
    gone: (name: string) => `The account ${name} is no longer connected.`,
    title: 'Follow-ups and cross-posts',
    lead: 'Posts that follow once this one is live.',
    addFollowUp: 'Add a follow-up',
    addCrossPost: 'Add a cross-post',
    followUp: 'Follow-up',
    crossPost: 'Cross-post',
    followUpNote: 'Its own text, to accounts of your choice.',
    crossPostNote: 'The same text and files, to further accounts.',
    stepTitle: (place: number, kind: string) => `${place}. ${kind}`,
    accounts: 'Goes to',
    accountsNeeded: 'Choose at least one account for this step.',
    minutes: 'Minutes after the first account is live',
    minutesRange: 'From 0 to 1,440 minutes (a day).',
    text: 'Text',
    textNeeded: 'A follow-up needs a text or a file.',
    files: 'Files',
    up: (place: number) => `Move step ${place} up`,
    down: (place: number) => `Move step ${place} down`,
    remove: (place: number) => `Remove step ${place}`,
    options: (name: string) => `Options for ${name}`,
    removed: 'Step removed',
  },

  findings: {
    title: 'Check',
    none: 'No problems found.',
    chooseOne: 'Choose one.',
    notChecked: 'Checked as soon as there are an account and a text or a file.',
    checking: 'Checking…',
    failed: 'This could not be checked at the moment.',
    again: 'Check again',
    problems: (number: number) => count(number, 'problem', 'problems'),
    warnings: (number: number) => count(number, 'warning', 'warnings'),
    problemsNote: 'To solve before it can be scheduled.',
    warningsNote: 'It can be scheduled as it is.',
    problem: 'Problem',
    warning: 'Warning',
    for: (account: string, message: string) => `${account}: ${message}`,
    field: (label: string, message: string) => `${label}: ${message}`,
    madeForKids: 'Say whether the video is made for kids.',
    disclosure: 'You need to indicate if your content promotes yourself, a third party, or both.',
  },

  previews: {
    title: 'Preview',
    none: 'Choose an account to see what the post will look like.',
    rest: (number: number) => `${count(number, 'more account', 'more accounts')}: choose its tab to see it.`,
  },

  bar: {
    label: 'Save or send',
    saveDraft: 'Save draft',
    makeDraft: 'Make it a draft',
    schedule: 'Schedule',
    scheduleSlot: 'Schedule in the next slot',
    publish: 'Publish now',
    saveChanges: 'Save changes',
    kept: 'Kept in this browser',
    keeping: 'Keeping…',
    notKept: 'Not kept: this browser’s storage is full or forbidden. Save the draft.',
    noTime: 'No time chosen',
    slot: 'Next free slot',
    now: 'Now',
    first: (number: number) => `${count(number, 'problem', 'problems')} to solve first.`,
  },

  confirm: {
    title: 'Publish now?',
    text: (accounts: string) => `It goes out at once to ${accounts}, and cannot be taken back here.`,
    own: 'Accounts with their own time keep it.',
    action: 'Publish now',
  },

  done: {
    draft: 'Draft saved',
    changed: 'Changes saved',
    scheduled: 'Post scheduled',
    publishing: 'Post is going out',
    unchanged: 'Nothing has changed.',
    toCalendar: 'Show in the calendar',
    withWarnings: (text: string, number: number) => `${text}, with ${count(number, 'warning', 'warnings')}`,
  },

  failed: {
    create: 'The post was not saved',
    edit: 'The changes were not saved',
    kept: 'Nothing that you typed is lost.',
    wait: (seconds: number) => `Wait ${count(seconds, 'second', 'seconds')}, then send it again.`,
    waitLonger: 'Wait a minute, then send it again.',
    tooLarge: 'The post is too large to be sent at once. Shorten its texts, or split it into several posts.',
    readAgain: 'Read the post again',
  },

  mismatch: {
    title: 'An earlier try has already saved this post',
    text: 'Its reply was lost. The post is as it was then, without what you changed since.',
    apply: 'Put my changes into that post',
    open: 'Open the post',
  },

  elsewhere: {
    open: 'This post is also open in another tab. The last change in either tab counts, and both show it.',
    sent: 'This post was sent in another tab.',
    saved: 'This post is saved.',
    sentLink: 'Open the post',
    again: 'Start a new post with this text',
  },

  unfinished: {
    title: 'Unfinished in this browser',
    go: 'Continue',
    discard: 'Discard',
    discarded: 'Draft discarded',
    edited: 'Edited',
    all: (number: number) => `Show all ${number}`,
    nothing: 'No text yet',
    missing: 'This draft is not kept in this browser: it was sent or discarded, or it is of another person.',
    restored: 'Here is what you had not saved.',
    discardChanges: 'Discard my changes',
    discardedChanges: 'Your changes are discarded',
    discardDraft: 'Discard draft',
  },

  edit: {
    readOnlyTitle: 'This post can no longer be changed',
    readOnly: {
      publishing: 'It is being published right now.',
      published: 'It is live.',
      partial: 'It is live in part.',
      failed: 'An account has failed. Retry it on the page of the post.',
    } as Readonly<Record<string, string>>,
    hasChanges: 'You had changes that were not saved. They are still here.',
    copyAsNew: 'Continue as a new post',
    toPost: 'To the post',
    changedMeanwhile: 'Somebody else has changed this post meanwhile. What only they changed is shown here.',
    conflict: (parts: string) => `Both of you have changed ${parts}. Yours replaces theirs when you save.`,
    takeTheirs: 'Take their version instead',
    parts: {
      content: 'the text',
      media: 'the files',
      cover: 'the cover',
      frameMs: 'the cover',
      firstComment: 'the first comment',
      destinations: 'the accounts or their options',
      when: 'the time',
      chain: 'what follows afterwards',
      onQuota: 'the fields for developers',
      externalId: 'the fields for developers',
      isExternalIdUnique: 'the fields for developers',
      metadata: 'the fields for developers',
      tags: 'the tags',
    } as const,
  },

  list: (names: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names),
};
