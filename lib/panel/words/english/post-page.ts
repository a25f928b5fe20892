import { count, countDestinations } from './locale.ts';
import { post } from './post.ts';

/** The page of one post. */
export const postPage = {
  title: 'Post',
  back: 'Calendar',
  notPlanned: 'No time yet',
  stale: 'The post could not be read again. You see it as it was before.',

  actions: {
    more: 'More actions',
    publishNow: 'Publish now…',
    copyId: 'Copy post id',
    copied: 'Post id copied',
    notCopied: 'The browser did not allow it to be copied.',
    curl: 'Show as curl command',
    automation: 'Answer its comments',
  },

  publishNow: {
    title: 'Publish this post now?',
    text: (number: number) => `It goes to ${countDestinations(number)} at once. This cannot be taken back.`,
    instead: 'Its planned time no longer counts.',
    action: 'Publish now',
    begun: 'The post is on its way',
  },

  content: {
    title: 'Content',
    showAll: 'Show all of the text',
    showLess: 'Show less',
    facts: 'Details',
    created: 'Created',
    changed: 'Changed',
    id: 'Post id',
    externalId: 'External id',
    copyExternalId: 'Copy external id',
    parent: 'Follows',
    openParent: 'The post whose chain this is a part of',
    onQuota: 'At a daily limit',
    onQuotaFail: 'Fails instead of waiting',
  },

  targets: {
    title: 'Destinations',
    none: 'This draft has no destination yet.',
    choose: 'Choose accounts',
    summary: (number: number, word: string) =>
      `${new Intl.NumberFormat('en-GB').format(number)} ${word.toLowerCase()}`,
    open: (platform: string) => `Open at ${platform}`,
    noPermalink: (platform: string) => `${platform} has given no address.`,
    planned: 'Planned',
    called: 'Called',
    live: 'Live',
    lateness: 'Late by',
    onTime: 'Not late',
    afterRequest: 'After the request',
    retryAt: 'Tried next',
    thread: (live: number, all: number) => `Thread: ${live} of ${all} parts are live`,
    threadPart: (number: number) => `Part ${number}`,
    threadFile: (part: number, file: number, message: string) => `Part ${part}, file ${file}: ${message}.`,
    ownText: 'Own text',
    ownMedia: 'Own files',
    firstComment: 'First comment',
    firstComments: {
      planned: 'Follows once the post is live.',
      pending: 'Being added.',
      added: 'Added.',
      unsure: 'It may be missing: see above.',
      never: 'Not added, because the post is not live.',
    },
    openAccount: 'Open account',
    automation: 'Answer its comments',
    remedies: {
      retry: 'Try it again. Nothing of it is live at this destination.',
      check: 'Look at the platform first. Then say whether the post is there.',
      reconnect: 'Reconnect the account, then try again.',
      connect: 'Connect the account again, then try again.',
      correct:
        'The platform will not take it as it is. Correct a copy for the destinations that refused it, and schedule that.',
      convert:
        'Herald could not convert this file. Correct a copy with another file, such as a JPEG. If it was only a disturbance, trying again converts the file once more.',
      edit: 'The platform will not take it as it is. Nothing was sent yet: edit the post.',
      editConversion:
        'Herald could not convert this file. Edit the post and choose another file, such as a JPEG. If it was only a disturbance, trying again converts the file once more.',
      look: 'Somebody has to act at the platform. Try again after that.',
      lookLive: 'The post is live. What is missing can only be added at the platform.',
      wait: 'Nothing: Herald tries it again by itself.',
      none: '',
    } as const,
    whatToDo: 'What to do',
    /** The reasons why a destination will fail at its time. */
    risks: {
      disconnected: 'The account is not connected any more, so this will fail.',
      expired: 'Herald has no access to this account. This will fail, unless you reconnect it.',
      expiring: 'Access to this account ends before. This will fail, unless you reconnect it.',
      restricted: 'The platform has restricted this account, so this may fail.',
    } as const,
    /** The remedies, by who can act. */
    foreseen: {
      author: 'Change the post.',
      account_owner: 'The owner of the account can act.',
      operator: 'The operator of this service can act.',
    } as const,
    checked: 'Checked',
    showAll: (number: number) => `Show all ${countDestinations(number)}`,
  },

  removal: {
    requested: 'Being taken down',
    failed: 'Not taken down',
    /** Names of those who take posts down. */
    removed: { service: 'By Herald, as somebody has asked', person: 'By a person, at the platform' } as const,
    noticed: 'Noticed',
    tryAgain: 'Try again with “Take down…” in the menu of the post.',
  },

  takeDown: {
    open: 'Take down…',
    title: 'Take this post down?',
    text: 'It is deleted at the platforms for good, with its comments and numbers. Nothing of it is published or sent any more.',
    label: 'Take it down on',
    byHand: 'Only a person can delete these',
    byHandText: 'Open each post at its platform, and delete it there.',
    reasons: {
      instagram: 'Instagram lets no app delete posts.',
      tiktok: 'TikTok lets no app delete posts.',
      facebook: 'Facebook lets no app delete stories.',
    } as Readonly<Record<string, string | undefined>>,
    noApp: 'The platform lets no app delete it.',
    noId: 'The platform has not said which post it is.',
    permission: 'The account has no permission to delete. Connect it again, or delete the post by hand.',
    disconnected: 'The account is not connected any more.',
    confirm: (destinations: number) => `Take down ${countDestinations(destinations)}`,
    begun: 'It is being taken down',
    failed: 'Nothing was taken down',
  },

  verdict: {
    question: 'Is it live?',
    failed: 'Nothing has changed',
    live: {
      open: 'It is live…',
      title: 'Where is the post?',
      text: (platform: string) => `Herald then counts it as published at ${platform}.`,
      permalink: 'Address of the post',
      permalinkHelp: 'Open the post and copy its address. It begins with https://.',
      confirm: 'It is live',
      done: 'The post counts as published',
    },
    notLive: {
      open: 'It is not live…',
      title: 'Is the post certainly not there?',
      text: (platform: string) =>
        `Look at the account at ${platform} first. If the post is there after all, trying again publishes it twice.`,
      confirm: 'It is not live',
    },
    next: {
      title: 'Try it again?',
      text: (platform: string) =>
        `It is not live. Once you try it again, Herald publishes it at ${platform}.`,
      all: (number: number) => `All ${countDestinations(number)} that have failed are tried again.`,
      later: 'Not now',
    },
  },

  retryAll: {
    action: (number: number) => (number === 1 ? 'Try again' : `Try ${countDestinations(number)} again`),
  },

  chain: {
    title: 'Chain',
    lead: 'What follows once the first destination is live.',
    kinds: { followUp: 'Follow-up', crossPost: 'Cross-post' },
    statuses: {
      waiting: post.states.waiting,
      fired: 'Created',
      skipped: 'Skipped',
      failed: post.states.failed,
    },
    after: (minutes: number) => {
      if (minutes === 0) return 'at once';
      if (minutes % 60 === 0) return `${count(minutes / 60, 'hour', 'hours')} later`;
      return `${count(minutes, 'minute', 'minutes')} later`;
    },
    sameContent: 'The content of this post',
    skipped: 'All destinations have failed. It waits again after a retry.',
    open: 'Open its post',
    accounts: (number: number) => count(number, 'account', 'accounts'),
    media: (number: number) => count(number, 'file', 'files'),
  },

  timeline: {
    title: 'History',
    empty: 'Nothing has happened yet. Herald prepares a post in the minutes before its time.',
    emptyDraft: 'Nothing has happened: this is a draft.',
    failed: 'The steps could not be read',
    onTime: 'on time',
    late: (duration: string) => `${duration} late`,
    afterRequest: (duration: string) => `${duration} after the request`,
    before: (duration: string) => `${duration} before`,
    after: (duration: string) => `${duration} after`,
    preparedFrom: (from: string, to: string) => `Prepared from ${from} to ${to} the planned time.`,
    called: (lateness: string) => `Called ${lateness}.`,
    liveAfter: (duration: string) => `Live ${duration} after the call.`,
    failures: (number: number) => `${count(number, 'try', 'tries')} without success.`,
    notLive: 'Not live.',
    list: 'Every step, with its calls',
    steps: (number: number) => count(number, 'step', 'steps'),
    showAllSteps: (number: number) => `Show all ${new Intl.NumberFormat('en-GB').format(number)} steps`,
    showNewest: (number: number) => `Show only the newest ${number}`,
    notKept: (attempt: number) =>
      `Herald keeps the newest steps of a destination. Those before attempt ${attempt} are not kept.`,
    newestOnly: (number: number) => `These are the newest ${number}.`,
    attempt: (number: number) => `Attempt ${number}`,
    next: 'Goes on',
    calls: 'Calls to the platform',
    /** Files in texts of the service. */
    files: { file: (place: number) => `file ${place}`, cover: 'the cover' },
    /** The cover is the last of the files, if there is one. */
    converted: (places: readonly number[], all: number) => {
      if (all === 1) return 'The converted file was sent.';
      if (places.length === all) return 'All files were sent in their converted form.';
      const names = new Intl.ListFormat('en-GB').format(places.map(String));
      return places.length === 1
        ? `File ${names} was sent in its converted form.`
        : `Files ${names} were sent in their converted form.`;
    },
    status: 'Status',
    noAnswer: 'no answer',
    events: {
      created: 'Created',
      'approval requested': 'Approval requested',
      approved: 'Approved',
      declined: 'Declined',
      preparing: 'Preparing',
      prepared: 'Prepared',
      waiting: post.states.waiting,
      'going live': 'Going live',
      'outcome unknown': post.states.unknown,
      'nothing went live': 'Nothing went live',
      discarded: 'Upload deleted',
      'not discarded': 'Upload not deleted',
      published: 'Live',
      finished: 'Finished',
      'trying again': 'Trying again',
      failed: post.states.failed,
      paused: 'Paused',
      resumed: 'Resumed',
      'files ready': 'Files ready',
      'part published': 'Part published',
      'removal requested': 'Take-down requested',
      removing: 'Taking down',
      'part removed': 'Part taken down',
      removed: post.states.removed,
      'not removed': 'Not taken down',
    } as const,
  },
};
