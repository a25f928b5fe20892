import type { Actor, FailureCode, WaitReason } from '../../automations/failure-codes.ts';
import type { SignInError } from '../../people/issuer.ts';
import type { Feature } from '../../platforms/contract/features.ts';
import type { AccountKind, Platform } from '../../platforms/contract/names.ts';

/**
 * The catalogue: all words of the panel, in English. A translation is one file like this one, which `words.ts` then chooses.
 * Texts with values are functions, because languages differ in plurals and in the order of words.
 *
 * First what several pages share, then page by page. The panel imports this file, so it imports nothing of the panel: if a state
 * has no words, its page does not compile.
 */
export const locale = 'en-GB';

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** `count(1, 'post', 'posts')` is `1 post`. */
function count(number: number, one: string, other: string): string {
  return `${numbers.format(number)} ${plurals.select(number) === 'one' ? one : other}`;
}

const countPosts = (number: number) => count(number, 'post', 'posts');
const countAccounts = (number: number) => count(number, 'account', 'accounts');
const countDestinations = (number: number) => count(number, 'destination', 'destinations');

/** What all pages share. */
const shared = {
  product: 'Herald',
  pageTitle: (page: string, workspace?: string) =>
    workspace === undefined ? `${page} · Herald` : `${page} · ${workspace} · Herald`,
  skipToContent: 'Skip to content',
  loading: 'Loading…',

  navigation: {
    label: 'Main',
    now: 'Now',
    calendar: 'Calendar',
    accounts: 'Accounts',
    automations: 'Automations',
    links: 'Links',
    more: 'More',
    developers: 'Developers',
    settings: 'Settings',
  },

  actions: {
    cancel: 'Cancel',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    dismiss: 'Dismiss',
    done: 'Done',
    loadMore: 'Load more',
    loadingMore: 'Loading more…',
    retry: 'Try again',
    showValue: 'Show',
    hideValue: 'Hide',
    moreActions: 'More actions',
  },

  greeting: {
    title: 'Posts that go live on the second',
    lead: 'Herald schedules posts to your social accounts and tells you what needs you.',
    signIn: 'Sign in',
    signedOutTitle: 'You are signed out',
    signedOutLead: 'Nothing of your workspace is left in this browser.',
    signedOutWithDrafts:
      'What you had begun and not saved is kept in this browser, for when you sign in again. Nothing else of your workspace is left here.',
    /** Posts and automations that one person has begun. */
    yourDrafts: (number: number) =>
      `${count(number, 'draft of yours is', 'drafts of yours are')} still in this browser. Whoever else uses it could read ${number === 1 ? 'it' : 'them'}.`,
    deleteDrafts: (number: number) => (number === 1 ? 'Delete the draft' : 'Delete the drafts'),
    documentation: 'API documentation',
    problems: {
      sign_in_expired: 'The sign-in took too long, or was finished in another browser. Sign in again.',
      sign_in_refused: 'The identity provider has not let you in, or the sign-in was cancelled. Try again.',
      sign_in_unavailable: 'The identity provider does not answer. Try again in a moment.',
      sign_in_failed:
        'The answer of the identity provider could not be accepted. Try again; if it keeps failing, tell whoever runs this service.',
      rate_limited: 'There were too many requests from your network. Wait a minute, then sign in again.',
    } satisfies Record<SignInError | 'rate_limited', string> as Readonly<Record<string, string>>,
    otherProblem: (code: string) =>
      `The sign-in failed (${code}). Try again; if it keeps failing, tell whoever runs this service.`,
    loadFailed: 'The panel cannot load',
  },

  session: {
    endedTitle: 'Your session has ended',
    endedText:
      'Sign in again to go on where you were. The sign-in opens in a window of its own, and nothing on this page is lost.',
    againTitle: 'Confirm that it is you',
    againText:
      'Keys, secrets and members need a sign-in within the last 10 minutes. It opens in a window of its own; then your change goes on.',
    signIn: 'Sign in',
    waiting: 'Waiting for the sign-in in the other window…',
    blocked: 'Your browser has blocked the window. Open the sign-in in a new tab',
    notNow: 'Not now',
    endedNotice: 'You are signed out. What you see may be out of date.',
    signedInTitle: 'You are signed in',
    signedInText: 'You can close this window and go on in the other one.',
    signedInContinue: 'Open the panel here',
  },

  workspaces: {
    label: 'Workspace',
    switchTo: 'Switch workspace',
    suspended: 'Suspended',
    suspendedNotice: 'This workspace is suspended. Ask whoever runs this service to resume it.',
    noneTitle: 'You are in no workspace yet',
    noneText: (email: string) => `Ask an owner to invite ${email}, then reload this page.`,
    reload: 'Reload',
    roles: { owner: 'Owner', member: 'Member' },
  },

  user: {
    menu: 'You',
    signOut: 'Sign out',
    signOutFailed: 'You are still signed in: the request failed. Try again.',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    documentation: 'API documentation',
    keyboard: 'Keyboard shortcuts',
  },

  commands: {
    open: 'Commands',
    search: 'Search commands',
    placeholder: 'Where to, or what to do?',
    none: 'No command has these words.',
    goTo: 'Go to',
    onThisPage: 'On this page',
    preferences: 'Preferences',
    help: 'Help',
    workspace: 'Workspaces',
    theme: (name: string) => `Theme: ${name.toLowerCase()}`,
  },

  keyboard: {
    title: 'Keyboard shortcuts',
    everywhere: 'Everywhere',
    onThisPage: 'On this page',
    single: 'Single-key shortcuts',
    singleHelp:
      'Turn them off if you use speech input or press keys by mistake. Shortcuts with Ctrl or Cmd still work.',
  },

  offline: 'You are offline. The page shows what it read last, and goes on when the connection is back.',

  status: {
    refreshing: 'Refreshing',
  },

  errors: {
    title: 'This did not load',
    pageTitle: 'This page has failed',
    pageText:
      'An error in the panel itself. Reload the page; if it happens again, report it with the text below.',
    reload: 'Reload the page',
    requestId: 'Request id',
    copyRequestId: 'Copy request id',
    copyReport: 'Copy report',
    offline: 'You are offline. Try again when the connection is back.',
    unreachable: 'The service did not answer. Check your connection and try again.',
    timeout: 'The service took too long to answer. Try again.',
    unavailable: 'The service is not available at the moment. Try again in a minute.',
    malformed: (status: number) =>
      `The response is not the service’s own (status ${status}). A proxy may be in the way.`,
    notFoundTitle: 'There is nothing here',
    noPageTitle: 'This address leads nowhere',
    notFoundText:
      'The page does not exist, or what it showed has been deleted or belongs to another workspace.',
    toStart: 'To the start page',
    forbidden: 'Ask an owner of the workspace to do this, or to change your role.',
    formTitle: 'This was not saved',
    signInAgain: 'Nothing was changed: it needs a recent sign-in.',
  },

  time: {
    yourTime: (text: string) => `${text} your time`,
    never: 'Never',
    now: 'just now',
    at: (relative: string, absolute: string) => `${relative}, ${absolute}`,
  },

  dateTime: {
    date: 'Date',
    time: 'Time',
    choose: 'Choose a day',
    zone: (timezone: string) => `In the workspace’s time zone, ${timezone}.`,
    zoneThen: (timezone: string, name: string) => `In the workspace’s time zone, ${timezone} (${name} then).`,
    skipped: (typed: string, shown: string) =>
      `The clocks skip ${typed} on this day: they go forward. The post is planned for ${shown}.`,
    repeated: (typed: string) => `The clocks show ${typed} twice on this day. Which one?`,
    first: (zone: string) => `The first, ${zone}`,
    second: (zone: string) => `The second, ${zone}`,
  },

  table: { loadingRows: 'Loading…', selected: (number: number) => `${number} selected` },

  chart: { showTable: 'Show as table', hideTable: 'Hide table' },

  toasts: { region: 'Notices', undo: 'Undo' },

  fields: {
    required: 'required',
    optional: 'optional',
    show: 'Show suggestions',
    none: 'Nothing matches.',
    choose: 'Choose…',
    clear: 'Clear',
  },

  curl: {
    label: 'With curl',
    copy: 'Copy command',
    copyAction: 'Show as curl command',
    title: 'The same with curl',
    text: 'Put an API key into the variable HERALD_API_KEY first.',
  },

  characters: (used: number, most: number) => `${used} of ${most} characters`,
};

/** What several pages say about an account. */
const account = {
  /** An account without a name, with the end of its id. */
  nameless: (platform: string, ending: string) => `${platform} account …${ending}`,
  /** An account of an old post or key that is no longer connected. */
  disconnected: 'Disconnected account',

  conditions: {
    ok: 'Works',
    expiring: 'Expires soon',
    error: 'Restricted',
    expired: 'Expired',
  } as const,
};

/** What several pages say about a post. */
const post = {
  conditions: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    waiting: 'Waiting',
    publishing: 'Publishing',
    published: 'Published',
    partial: 'Partly published',
    failed: 'Failed',
    unknown: 'Outcome unknown',
  } as const,
  /** For the conditions whose words are long, if there is little space. */
  shortConditions: { partial: 'Partly', unknown: 'Unknown' } as Readonly<Record<string, string | undefined>>,
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

/** Moving posts to another time. */
const moving = {
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
    partial: 'A post that is partly published cannot be moved. Open it to see what is missing.',
    failed: 'A post that failed cannot be moved. Open it to try again.',
  } as const,
  mayFail: (name: string) => `${name} was moved. Something may go wrong`,
  openPost: 'Open the post',
  list: 'Moves',
};

/** Clicks on tracked links. */
const clicks = {
  chart: {
    label: 'Clicks per day',
    /** Said wherever days of clicks are shown. */
    utc: 'Days begin and end at midnight in UTC.',
    clicks: (number: number) => count(number, 'click', 'clicks'),
    summary: (clicks: number, days: number) =>
      `${count(clicks, 'click', 'clicks')} in ${count(days, 'day', 'days')}`,
    columns: { name: 'Day (UTC)', value: 'Clicks' },
  },
  link: {
    copy: (address: string) => `Copy ${address}`,
    isFormer: 'No longer sent',
    isFormerHelp:
      'The automation does not contain this address any more. The link keeps working and counting.',
  },
};

const kindsOfFiles = { image: 'Images', video: 'Videos', document: 'Documents' } as const;

/** The files of a post. */
const media = {
  again: 'Try again',
  list: 'Files of the post, in order',
  add: 'Add files',
  take: 'Take a photo or video',
  byAddress: 'From an address',
  empty: 'Drop images, videos or documents anywhere on this page, or paste them.',
  dropNow: 'Drop to add to the post',
  types:
    'JPEG, PNG, WebP, GIF up to 30 MiB · MP4, MOV, WebM up to 1 GiB · PDF, Word, PowerPoint for LinkedIn',
  full: (most: number) => `A post has at most ${count(most, 'file', 'files')}. Remove one to add another.`,
  tooMany: (left: number, chosen: number) =>
    left === 0
      ? `None of the ${count(chosen, 'file', 'files')} was added: the post is full.`
      : `Only the first ${left} of ${count(chosen, 'file', 'files')} were added: the post is full then.`,
  folders: 'Folders cannot be added. Choose the files in them.',

  refused: {
    empty: 'The file is empty.',
    unreadable: 'The browser cannot read the file any more. Choose it again.',
    type: (name?: string) => {
      if (name === 'audio') return 'This is an audio file. No platform takes it: make a video of it.';
      if (name === 'archive') return 'This is an archive. Unpack it and add the files in it.';
      return name === undefined
        ? 'No platform takes files of this type. Use JPEG, PNG, WebP, GIF, MP4, MOV, WebM, PDF, Word or PowerPoint.'
        : `No platform takes ${name}. Save it as ${['MKV', 'AVI', 'MPEG'].includes(name) ? 'MP4' : 'JPEG'} and add it again.`;
    },
    size: (kind: keyof typeof kindsOfFiles, has: string, most: string) =>
      `${kindsOfFiles[kind]} may have up to ${most}; this one has ${has}.`,
  },

  uploads: {
    label: 'Uploads',
    waiting: 'Waiting to upload',
    preparing: 'Checking the file…',
    sent: (sent: string, all: string) => `${sent} of ${all}`,
    confirming: 'Sent, waiting for the confirmation…',
    cancel: (name: string) => `Cancel ${name}`,
    retry: (name: string) => `Try ${name} again`,
    dismiss: (name: string) => `Dismiss ${name}`,
    network: 'The connection broke off.',
    offline: 'You are offline.',
    storage: (status: number) =>
      `The storage refused the file (status ${status}). Try again; if it is refused again, save a new copy of the file and add that.`,
    full: 'The workspace’s storage is full. Delete posts whose files nobody needs any more, then try again.',
    wait: 'There were too many requests. Wait a minute, then try again.',
    signIn: 'Your session has ended. Try again to sign in; the upload goes on then.',
    announced: (name: string) => `${name} is uploaded`,
  },

  lost: {
    title: (files: number) =>
      files === 1 ? 'A file was not uploaded completely' : `${files} files were not uploaded completely`,
    text: (names: readonly string[]) =>
      names.length === 1
        ? `The page was closed before it was sent: ${names[0]}. Add it again.`
        : `The page was closed before they were sent: ${names.join(', ')}. Add them again.`,
  },

  tile: {
    image: 'Image',
    video: 'Video',
    document: 'Document',
    name: (kind: string, place: number, name: string) => `${kind} ${place}: ${name}`,
    pixels: (width: number, height: number) => `${width} × ${height}`,
    checking: 'Being checked…',
    importing: 'Being fetched…',
    importedBytes: (received: string, all: string | undefined) =>
      all === undefined ? `${received} fetched` : `${received} of ${all} fetched`,
    waitsUntil: 'The server did not answer. The service tries again.',
    unknown: 'The file no longer exists. Remove it.',
    drag: (name: string) => `Move ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    describe: 'Describe',
    described: 'Described',
    describeName: (name: string) => `Describe ${name}`,
    describedName: (name: string) => `Described: ${name}. Change`,
    earlier: 'Move earlier',
    later: 'Move later',
    first: 'Move to the beginning',
    remove: 'Remove',
    removed: (name: string) => `${name} is removed from the post`,
    undo: 'Undo',
    noPicture: 'This browser cannot show it',
    remote: 'Shown once it is imported',
  },

  alt: {
    title: (place: number) => `Describe file ${place}`,
    label: 'Description',
    help: 'For people who cannot see it. Say what matters: who, what, where, and any text in it.',
    next: 'Next file',
    previous: 'Previous file',
    done: 'Done',
    over: (platforms: string, by: number) =>
      `${count(by, 'character', 'characters')} too many for ${platforms}.`,
  },

  address: {
    title: 'Add a file from an address',
    label: 'Address',
    help: 'A public address that begins with https:// and needs no login. The service fetches the file.',
    wrong: 'Enter an address that begins with https://.',
    add: 'Fetch the file',
    failed: 'The file was not added',
  },

  cover: {
    title: 'Cover of the video',
    frame: 'Frame',
    at: (time: string) => `at ${time}`,
    frameFor: (platforms: string) => `${platforms} show this frame.`,
    noFrame: 'The platform chooses the frame.',
    clearFrame: 'Let the platform choose',
    noPicture:
      'This browser cannot play the video. Choose the time; the platforms take the frame from the file.',
    noDuration: 'The frame can be chosen once the video is checked.',
    image: 'Cover image',
    imageFor: (platforms: string) => `${platforms} show it instead of a frame. JPEG or PNG.`,
    addImage: 'Add cover image',
    replaceImage: 'Replace',
    removeImage: 'Remove cover image',
    imageOnly: 'A cover is a JPEG or PNG image.',
  },
};

/** What a post looks like at each platform. */
const previews = {
  label: (format: string, name: string) => `Preview: ${format} of ${name}`,
  about: (platform: string) =>
    `About what it looks like. ${platform} itself decides, also where it cuts the text.`,
  formats: {
    text: 'text post',
    image: 'image post',
    photos: 'photo post',
    carousel: 'carousel',
    video: 'video',
    reel: 'reel',
    story: 'story',
    short: 'Short',
    document: 'document',
    pin: 'Pin',
    poll: 'poll',
    link: 'link post',
    reshare: 'reshare',
    empty: 'post without files',
  } as const,
  of: (platform: string, format: string) => `${platform} ${format}`,
  empty: {
    instagram: 'Instagram posts need an image or a video.',
    tiktok: 'TikTok posts need a video or photos.',
    youtube: 'YouTube posts need a video.',
    pinterest: 'Pins need an image or a video.',
    other: 'Write something, or add a file.',
  } as Readonly<Record<string, string>>,
  file: (kind: 'image' | 'video' | 'document', place: number) =>
    `${{ image: 'Image', video: 'Video', document: 'Document' }[kind]} ${place}, not described`,
  more: 'more',
  seeMore: 'See more',
  now: 'now',
  justNow: 'Just now',
  next: 'Next file',
  previous: 'Previous file',
  place: (place: number, all: number) => `${place} / ${all}`,
  others: (count: number) => `+${count}`,
  firstComment: 'First comment',
  storyText: 'Stories do not show the text.',
  draft: {
    tiktok: 'Goes to the inbox of the TikTok app as a draft.',
    facebook: 'Becomes a draft in Meta Business Suite.',
  } as Readonly<Record<string, string>>,
  noTitle: 'Without a title',
  channelMeta: 'No views · now',
  visitSite: 'Visit site',
  votes: '0 votes',
  pollDays: { ONE_DAY: '1d', THREE_DAYS: '3d', SEVEN_DAYS: '1w', FOURTEEN_DAYS: '2w' } as Readonly<
    Record<string, string>
  >,
  left: (time: string) => `${time} left`,
  reshared: 'Reshared post',
  pages: 'Pages to swipe through',
  spoiler: 'Spoiler',
  sound: 'Original sound',
  acts: { like: 'Like', comment: 'Comment', share: 'Share', repost: 'Repost', send: 'Send' },
};

/** The page *Now*. */
const nowPage = {
  title: 'Now',
  concerns: {
    title: 'Needs you',
    number: (number: number) => count(number, 'thing needs you', 'things need you'),
    list: 'What needs you',
    well: 'All is well',
    wellForNow: 'Nothing new needs you',
    /** What was looked at: `Posts, 6 accounts, 2 endpoints and the storage were checked at`. */
    checked: (parts: string) => `${parts} were checked at`,
    parts: {
      posts: 'Posts',
      accounts: countAccounts,
      endpoints: (number: number) => count(number, 'endpoint', 'endpoints'),
      storage: 'the storage',
    },
    notChecked: (parts: string) => `Not everything could be checked: ${parts}`,
    unchecked: {
      posts: 'posts that went wrong',
      planned: 'what is planned',
      ownTimes: 'destinations with times of their own',
      accounts: 'accounts',
      endpoints: 'endpoints',
      storage: 'storage',
    },
    showAll: (number: number) => `Show all ${new Intl.NumberFormat('en-GB').format(number)}`,
    older: (number: number, isMore: boolean) =>
      `${count(number, 'older post', 'older posts')}${isMore ? ' or more' : ''}, from more than two weeks ago`,
  },
  post: {
    and: (number: number) => `and ${count(number, 'other destination', 'other destinations')}`,
    noReason: 'No reason is known.',
    open: 'Open',
    check: 'Check…',
    begun: 'It is being tried again.',
  },
  dismissed: {
    action: 'Dismiss',
    actionFor: (name: string) => `Dismiss ${name}`,
    done: 'Dismissed in this browser until it changes, such as if it fails again.',
    title: (number: number) => `${count(number, 'post', 'posts')} that you have dismissed`,
    list: 'What you have dismissed',
    note: 'Only this browser knows. Others in the workspace still see them, and they are shown again if they change.',
    restore: 'Show again',
  },
  waiting: { title: 'Waits', retryAt: 'Tried next' },
  account: {
    reconnect: 'Reconnect',
    connect: 'Connect',
    look: 'Look',
    states: {
      disconnected: 'Disconnected',
      expired: 'Expired',
      expiring: 'Expires soon',
      restricted: 'Restricted',
    } as const,
    reasons: {
      disconnected: 'The account is not connected any more.',
      expired: 'Herald has no access to this account.',
      expiring: 'Access ends, and only you can renew it. Reconnect by',
      restricted: 'The platform has restricted this account. Posts are still tried.',
    } as const,
    /** What happens to what is planned. */
    effects: {
      disconnected: (number: number) => `${countPosts(number)} of the next 24 hours will fail:`,
      expired: (number: number) => `${countPosts(number)} of the next 24 hours will fail:`,
      expiring: (number: number) =>
        `${countPosts(number)} of the next 24 hours will fail, if nothing is done:`,
      restricted: (number: number) => `${countPosts(number)} of the next 24 hours may fail:`,
    } as const,
    more: (number: number) => `and ${countPosts(number)} more`,
  },
  endpoint: {
    failing: 'Failing',
    disabled: 'Turned off',
    disabledBecause: (reason: string) => `Herald has turned this endpoint off: ${reason}`,
    enable: 'Turn on',
    enabled: 'The endpoint is on again',
    notEnabled: 'The endpoint is still off',
    sendAgain: 'Send again…',
  },
  storage: {
    title: 'Storage',
    near: 'The storage is nearly full',
    full: 'The storage is full',
    nearText: 'Once it is full, no file can be uploaded.',
    fullText: 'No file can be uploaded until there is space.',
    look: 'See storage',
    used: (used: string, quota: string) => `${used} of ${quota}`,
    failed: 'The storage could not be read',
  },

  nextDay: {
    title: 'Next 24 hours',
    list: 'What goes out in the next 24 hours',
    calendar: 'Calendar',
    empty: 'Nothing is planned for the next 24 hours.',
    plan: 'Plan a post',
    draft: 'A draft is not published at its time.',
    atRisk: 'At risk',
    risks: {
      disconnected: (name: string) => `${name} is disconnected.`,
      expired: (name: string) => `${name} has expired.`,
      expiring: (name: string) => `${name} expires before.`,
      restricted: (name: string) => `${name} is restricted.`,
    } as const,
    noDestination: 'No destination yet',
    more: (number: number) => `${count(number, 'more account', 'more accounts')}`,
    incomplete: 'There are more than are shown here. The calendar has all.',
    failed: 'What is planned could not be read',
    stale: 'This could not be read again. You see it as it was before.',
    today: 'Today',
    tomorrow: 'Tomorrow',
    late: 'Late',
    zone: (zone: string) => `Times in ${zone}`,
  },

  punctuality: {
    title: 'Punctuality, 7 days',
    onTime: 'went to their platform within a second of their time',
    of: (number: number) => `of ${count(number, 'destination', 'destinations')}`,
    median: 'Half within',
    most: '95% within',
    worst: 'The latest',
    none: 'Nothing went live in the last 7 days.',
    help: 'From the planned time to the call that publishes. Without what was published at once, what a person retried, and what waited for a limit of a platform.',
    late: (duration: string) => `${duration} late`,
    failed: 'The punctuality could not be read',
  },

  first: {
    title: 'Begin here',
    lead: (name: string) => `${name} has no posts yet. Two steps, and the first one goes out.`,
    connectTitle: 'Connect an account',
    connectText: 'You sign in at the platform; Herald never sees your password.',
    connect: 'Connect account',
    connected: (number: number) => `${countAccounts(number)} connected`,
    postTitle: 'Write the first post',
    postText: 'Write it once, for several accounts, and choose when it goes out.',
    post: 'New post',
    apiTitle: 'Or use the API',
    apiText:
      'This does the same from a program. Owners create keys on the page Developers; put one into HERALD_API_KEY.',
    developers: 'API keys',
    example: 'Hello from Herald',
    accountPlaceholder: '<account id>',
    accountsLabel: 'Your accounts, with their ids',
    postLabel: 'A post in the next free slot',
    done: 'Done',
  },
};

/** The calendar. */
const calendarPage = {
  title: 'Calendar',
  zone: (timezone: string, names: readonly string[]) =>
    `Times are those of ${timezone}${names.length === 0 ? '' : ` (${names.join(', then ')})`}.`,
  otherZone: (own: string) => `Your own clock (${own}) shows other times.`,
  views: { label: 'View', month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda' },
  navigation: {
    today: 'Today',
    previous: {
      month: 'Previous month',
      agenda: 'Previous 30 days',
      week: 'Previous week',
      day: 'Previous day',
    },
    next: { month: 'Next month', agenda: 'Next 30 days', week: 'Next week', day: 'Next day' },
  },
  filters: {
    label: 'Filters',
    show: (number: number) => (number === 0 ? 'Filters' : `Filters (${number})`),
    account: 'Account',
    anyAccount: 'All accounts',
    platform: 'Platform',
    anyPlatform: 'All platforms',
    status: 'State',
    anyStatus: 'All states',
    attention: 'Needs you',
    clear: 'Clear',
    unknownAccount: 'An account that is not connected',
  },

  status: {
    shown: (number: number, all: number) =>
      number === all
        ? countPosts(number)
        : `${new Intl.NumberFormat('en-GB').format(number)} of ${countPosts(all)}`,
    reading: 'Reading posts…',
    readSoFar: (number: number, until: string) => `Reading: ${countPosts(number)} so far, up to ${until}`,
    progress: 'Reading posts',
    empty: {
      month: (period: string) => `Nothing is planned in ${period}.`,
      week: () => 'Nothing is planned in this week.',
      day: () => 'Nothing is planned on this day.',
      agenda: () => 'Nothing is planned in these 30 days.',
    } as Readonly<Record<'month' | 'week' | 'day' | 'agenda', (period: string) => string>>,
    noMatch: 'No post matches the filters.',
    noAccounts: 'Connect an account, then plan your first post.',
    connect: 'Connect an account',
    newPost: 'New post',
    failed: 'The posts could not be read',
    failedLater: (until: string) => `Only posts up to ${until} could be read`,
    stale: 'The posts could not be read again. You see them as they were before.',
    failedOwnTimes: 'Some destinations with times of their own could not be read',
  },

  grid: {
    label: (period: string) => `Posts, ${period}`,
    help: 'Arrow keys move between days. Enter goes to the posts of a day, Escape back to the day. On a post: Enter opens it, M moves it to any time, Alt with arrow keys moves it by 15 minutes or a day, Space picks it up.',
    /** What is said before and after the number of the day. */
    day: ({ weekday, month }: { weekday: string; month: string }, number: number, isToday: boolean) => ({
      before: `${weekday} `,
      after: ` ${month}${isToday ? ', today' : ''}, ${number === 0 ? 'no posts' : countPosts(number)}`,
    }),
    more: (number: number) => `+${number} more`,
    moreOn: (day: string) => `on ${day}`,
    newPostOn: (day: string) => `New post on ${day}`,
    now: 'Now',
  },

  card: {
    menu: (name: string) => `Actions for ${name}`,
    open: 'Open',
    edit: 'Edit',
    duplicate: 'Duplicate',
    more: (number: number) => `+${number}`,
    noDestination: 'No account yet',
    part: 'Some destinations',
    partNote: (shown: number, all: number) => `${shown} of ${all} destinations`,
  },

  duplicate: {
    failed: (name: string) => `${name} was not duplicated`,
    maybe: (name: string) => `${name} may have been duplicated. Trying again makes no second copy`,
  },

  agenda: {
    today: 'Today',
    posts: countPosts,
    label: 'Posts by day',
    none: 'Nothing planned',
  },

  drafts: {
    open: 'Drafts without a time',
    title: 'Drafts without a time',
    lead: 'Drag one to a day, or give it a time.',
    leadSmall: 'Give one a time to see it in the calendar.',
    none: 'Every draft has a time, or there is none.',
    plan: 'Give it a time…',
    close: 'Hide drafts',
    untimed: 'No time',
  },

  commands: {
    today: 'Go to today',
    day: 'Show the day',
    week: 'Show the week',
    month: 'Show the month',
    agenda: 'Show the agenda',
    newPost: 'New post on this day',
    filter: 'Filter the calendar',
    move: 'Move the post…',
    earlier: 'Move the post 15 minutes earlier',
    later: 'Move the post 15 minutes later',
    dayEarlier: 'Move the post a day earlier',
    dayLater: 'Move the post a day later',
    next: 'Next post',
    previous: 'Previous post',
  },
};

/** What platforms count in a text. */
const units = {
  characters: ['character', 'characters'],
  bytes: ['byte', 'bytes'],
  hashtags: ['hashtag', 'hashtags'],
  mentions: ['mention', 'mentions'],
  links: ['link', 'links'],
} as const;

/** The composer. */
const composer = {
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
    slotNote: 'The earliest time that fits the rhythms of all accounts.',
    now: 'Now',
    nowNote: 'You are asked before it goes out.',
    field: 'Goes live',
    clear: 'Remove the time',
    next: 'Next free, for each account alone',
    noSlots: 'No free slot within 90 days',
    slotsFailed: 'The slots did not load.',
    needed: 'Choose a date and a time, or another way.',
    past: 'This time is in the past.',
    rhythm: 'Change the rhythm',
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

  /** What only programs read or decide. */
  forPrograms: {
    title: 'For developers',
    lead: 'Data that your programs read, and what else the API offers.',
    set: (number: number) => `${number} set`,
    onQuota: {
      label: 'If an account has reached the daily limit of its platform',
      wait: 'Wait until the limit ends (usual)',
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
    title: 'Afterwards',
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
    } as const,
  },

  list: (names: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names),
};

/** Options of the platforms in the composer: for each its label and, if needed, what it does. */
const options = {
  title: (platform: string) => `Options for ${platform}`,
  more: 'More options',
  usual: (choice: string) => `${choice} (usual)`,
  comma: 'With commas between.',
  chooseOne: 'Choose one.',
  needsFeature: (feature: string) =>
    `This account has not been allowed ${feature}. Connect it again and leave all permissions selected.`,
  reconnect: 'Connect it again',
  features: { comments: 'comments', playlists: 'playlists', drafts: 'drafts' } as Readonly<
    Record<string, string>
  >,

  others: 'Other options',
  othersHelp: 'They were set elsewhere, such as by the API. They stay as they are unless you remove them.',
  removeOther: (name: string) => `Remove ${name}`,

  firstComment: {
    label: 'First comment',
    help: 'Replaces the first comment of all accounts. Leave it empty for none here.',
    inherited: 'As for all accounts',
    override: 'Write another one',
    inherit: 'Use the shared one',
  },

  instagram: {
    contentType: {
      label: 'Appears as',
      choices: { feed: 'Post', reel: 'Reel', story: 'Story' },
    },
    shareToFeed: { label: 'Also show the reel in the feed' },
    collaborators: {
      label: 'Co-authors',
      help: 'Up to three usernames, with commas between. They are invited once the post is live.',
    },
    userTags: { label: 'Tagged people' },
    audioName: { label: 'Name of the audio', help: 'Shown with the reel. It can be changed once.' },
    trialReel: {
      label: 'Trial reel',
      help: 'Shown to people who do not follow the account first.',
      choices: {
        MANUAL: 'Yes; a person shares it with everyone',
        SS_PERFORMANCE: 'Yes; shared with everyone if it does well',
      },
      none: 'No',
    },
    isAiGenerated: { label: 'Label as made with AI' },
  },

  facebook: {
    contentType: {
      label: 'Appears as',
      choices: { feed: 'Post', reel: 'Reel', story: 'Story' },
    },
    link: { label: 'Link', help: 'Shown with a preview below the text.' },
    title: { label: 'Title of the video' },
    draft: {
      label: 'Only a draft in Meta Business Suite',
      help: 'Somebody publishes it there.',
    },
  },

  threads: {
    link: { label: 'Link', help: 'Shown with a preview. Without one: the first link of the text.' },
    topicTag: { label: 'Topic', help: 'Without one: the first hashtag of the text.' },
    replyControl: {
      label: 'Who may reply',
      choices: {
        everyone: 'Everyone',
        accounts_you_follow: 'Accounts that it follows',
        mentioned_only: 'Only people mentioned in the text',
        parent_post_author_only: 'Only the author of the post above',
        followers_only: 'Only followers',
      },
    },
    isSpoiler: { label: 'Hide the files until they are tapped' },
    textSpoilers: { label: 'Hidden words' },
    poll: { label: 'Poll' },
    quotePostId: { label: 'Quoted post', help: 'The id of a post on Threads, in digits; not its address.' },
    replyApprovals: { label: 'Approve each reply before it appears' },
  },

  youtube: {
    title: { label: 'Title', help: 'Without one: the first line of the text.' },
    privacy: {
      label: 'Who can see it',
      choices: { public: 'Everyone', unlisted: 'Everyone with the link', private: 'Only the channel' },
    },
    madeForKids: {
      label: 'Is it made for kids?',
      help: 'The law requires this of every video. Videos made for kids have no comments.',
      no: 'No',
      yes: 'Yes, it is made for kids',
    },
    playlistId: { label: 'Playlist', none: 'No playlist', help: 'The video is added once it is live.' },
    tags: { label: 'Tags' },
    categoryId: { label: 'Category' },
    notifySubscribers: { label: 'Notify subscribers' },
    containsSyntheticMedia: { label: 'Altered or synthetic content' },
    defaultLanguage: { label: 'Language of title and text', help: 'A language tag, such as en or pt-BR.' },
    license: {
      label: 'Licence',
      choices: { youtube: 'Standard YouTube licence', creativeCommon: 'Creative Commons, attribution' },
    },
    embeddable: { label: 'Allow embedding' },
    publicStatsViewable: { label: 'Show the number of views and likes' },
    hasPaidProductPlacement: { label: 'Has a paid placement, sponsorship or endorsement' },
    categories: {
      '1': 'Film & animation',
      '2': 'Autos & vehicles',
      '10': 'Music',
      '15': 'Pets & animals',
      '17': 'Sport',
      '19': 'Travel & events',
      '20': 'Gaming',
      '22': 'People & blogs',
      '23': 'Comedy',
      '24': 'Entertainment',
      '25': 'News & politics',
      '26': 'How-to & style',
      '27': 'Education',
      '28': 'Science & technology',
      '29': 'Non-profits & activism',
    } as Readonly<Record<string, string>>,
  },

  pinterest: {
    boardId: { label: 'Board', none: 'This account has no board yet. Create one on Pinterest.' },
    boardSectionId: { label: 'Section of the board', none: 'No section' },
    title: { label: 'Title' },
    link: { label: 'Link', help: 'Where the Pin leads to.' },
    dominantColor: { label: 'Colour while the image loads', help: 'Such as #6E7874.' },
    coverImageUrl: {
      label: 'Address of a cover',
      help: 'An image for this Pin only, which Pinterest fetches.',
    },
    carouselItems: {
      label: 'Texts of each image',
      title: 'Title',
      description: 'Description',
      link: 'Link',
      image: (place: number) => `Image ${place}`,
    },
    carouselCoverIndex: { label: 'Image that is shown first' },
  },

  tiktok: {
    privacyLevel: {
      label: 'Who can see this post',
      placeholder: 'Choose…',
      levels: {
        PUBLIC_TO_EVERYONE: 'Everyone',
        MUTUAL_FOLLOW_FRIENDS: 'Friends',
        FOLLOWER_OF_CREATOR: 'Followers',
        SELF_ONLY: 'Only me',
      } as Readonly<Record<string, string>>,
      brandedNotPrivate: 'Branded content cannot be visible to “Only me”.',
    },
    postsAs: (name: string) => `Posts as ${name}.`,
    creatorUnknown: 'TikTok does not say at the moment what this account may post.',
    longest: (seconds: number) => `The longest video that this account may post has ${seconds} seconds.`,
    tooLong: (seconds: number, most: number) =>
      `The video has ${seconds} seconds; this account may post up to ${most}.`,
    turnedOff: 'Turned off in the account’s TikTok settings.',
    draft: {
      label: 'Only send it to the TikTok app',
      help: 'A person completes it there. All other choices are made in the app.',
    },
    disableComment: { label: 'Allow comments' },
    disableDuet: { label: 'Allow duets' },
    disableStitch: { label: 'Allow stitches' },
    brandOrganicToggle: {
      label: 'Promotes your own business',
      help: 'TikTok labels it “Promotional content”.',
    },
    brandContentToggle: {
      label: 'Paid partnership with another business',
      help: 'TikTok labels it “Paid partnership”.',
    },
    isAigc: { label: 'Label as generated by AI' },
    autoAddMusic: { label: 'Let TikTok add music' },
    photoCoverIndex: { label: 'Photo that is the cover' },
    title: { label: 'Title of the photos' },
    agreement: (isBranded: boolean) =>
      isBranded
        ? 'By posting, you agree to TikTok’s Branded Content Policy and Music Usage Confirmation.'
        : 'By posting, you agree to TikTok’s Music Usage Confirmation.',
  },

  linkedin: {
    visibility: {
      label: 'Who can see it',
      choices: { PUBLIC: 'Everyone', CONNECTIONS: 'Connections', LOGGED_IN: 'Everyone who is signed in' },
    },
    disableReshare: { label: 'Nobody can reshare it' },
    link: {
      label: 'Link',
      help: 'Shown as an article. LinkedIn does not read the page, so the article needs a title.',
    },
    title: { label: 'Title', help: 'Of the link, the video or the document.' },
    documentTitle: { label: 'Title of the document' },
    description: { label: 'Description of the link' },
    poll: { label: 'Poll' },
    reshare: { label: 'Reshared post', help: 'The address of a post on LinkedIn, or its URN.' },
  },

  file: (place: number) => `${place}`,
  fileUsual: 'The first',

  poll: {
    add: 'Add a poll',
    remove: 'Remove the poll',
    question: 'Question',
    answer: (place: number) => `Answer ${place}`,
    addAnswer: 'Add an answer',
    removeAnswer: (place: number) => `Remove answer ${place}`,
    duration: 'Open for',
    durations: {
      ONE_DAY: 'One day',
      THREE_DAYS: 'Three days',
      SEVEN_DAYS: 'A week',
      FOURTEEN_DAYS: 'Two weeks',
    },
  },

  tags: {
    add: 'Tag somebody',
    username: 'Username',
    image: 'Image',
    x: 'From the left, %',
    y: 'From the top, %',
    remove: (name: string) => `Remove ${name || 'the tag'}`,
    help: 'Where in the image the tag is.',
  },

  spoilers: {
    words: 'Words to hide',
    add: 'Hide them',
    help: 'Words of the text, exactly as they are there. Readers tap to see them.',
    missing: 'The text does not have these words, or they are hidden already.',
    remove: (words: string) => `Show “${words}” again`,
    outside: 'outside of the text',
  },

  boards: {
    loading: 'Reading the boards…',
    again: 'Read them again',
    unlisted: (id: string) => `Board ${id}`,
  },
  playlists: { loading: 'Reading the playlists…', unlisted: (id: string) => `Playlist ${id}` },
};

/** The page of one post. */
const postPage = {
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
    media: 'Files',
    kinds: { image: 'Image', video: 'Video', document: 'Document' },
    moreMedia: (number: number) => `${count(number, 'more file', 'more files')}`,
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
    said: 'The platform said',
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
      look: 'Somebody has to act at the platform. Try again after that.',
      lookLive: 'The post is live. What is missing can only be added at the platform.',
      wait: 'Nothing: Herald tries it again by itself.',
      none: '',
    } as const,
    whatToDo: 'What to do',
    /** Why a destination will fail at its time. */
    risks: {
      disconnected: 'The account is not connected any more, so this will fail.',
      expired: 'Herald has no access to this account. This will fail, unless you reconnect it.',
      expiring: 'Access to this account ends before. This will fail, unless you reconnect it.',
      restricted: 'The platform has restricted this account, so this may fail.',
    } as const,
    showAll: (number: number) => `Show all ${countDestinations(number)}`,
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
    statuses: { waiting: 'Waits', fired: 'Created', skipped: 'Skipped', failed: 'Failed' },
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
    title: 'How it went',
    titleOpen: 'How it goes',
    empty: 'Nothing has happened yet. Herald prepares a post in the minutes before its time.',
    emptyDraft: 'Nothing has happened: this is a draft.',
    failed: 'The steps could not be read',
    diagram: 'When each destination was prepared, called and live',
    scale: 'Distances from the planned time grow from tick to tick: it shows minutes and milliseconds.',
    planned: 'Planned',
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
    showAll: (number: number) => `Show all ${countDestinations(number)}`,
    keys: {
      preparation: 'Preparation',
      soon: 'Until the call',
      late: 'Late',
      call: 'Call to the platform',
      live: 'Live',
      again: 'Tried again',
      bad: 'Failed',
      unknown: 'Outcome unknown',
      paused: 'Paused',
      now: 'Now',
    },
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
    status: 'Status',
    noAnswer: 'no answer',
    events: {
      created: 'Created',
      preparing: 'Preparing',
      prepared: 'Prepared',
      waiting: 'Waiting',
      'going live': 'Going live',
      'outcome unknown': 'Outcome unknown',
      'nothing went live': 'Nothing went live',
      published: 'Live',
      finished: 'Finished',
      'trying again': 'Trying again',
      failed: 'Failed',
      paused: 'Paused',
      resumed: 'Resumed',
    } as const,
  },
};

const countActiveAutomations = (number: number) => count(number, 'active automation', 'active automations');

/** The pages of accounts. */
const accountsPage = {
  title: 'Accounts',
  lead: 'The social accounts that posts of this workspace go to.',
  accounts: countAccounts,
  features: {
    publish: 'Posts',
    comments: 'Comments',
    messages: 'Messages',
    playlists: 'Playlists',
    boards: 'Boards',
    drafts: 'Drafts',
    businessPages: 'Business Pages',
    postSearch: 'Post search',
    profile: 'Profile',
  } as Readonly<Record<Feature, string>>,
  featureTexts: {
    publish: 'Publish posts, and look up what became of them',
    comments: 'Write first comments; read and answer comments',
    messages: 'Send the private messages of comment automations',
    playlists: 'Put videos into playlists',
    boards: 'Create boards and sections',
    drafts: 'Put posts into the inbox of the app, without publishing them',
    businessPages: 'Publish to Pages that a business owns',
    postSearch: 'Find a post again if the answer to its publication was lost',
    profile: 'Read the account’s username',
  } as Readonly<Record<Feature, string>>,

  list: {
    label: 'Connected accounts',
    columns: {
      account: 'Account',
      state: 'State',
      reconnectBy: 'Reconnect by',
      next: 'Next post',
      features: 'Can do',
    },
    renewed: 'Renewed automatically',
    since: 'Since',
    nothingPlanned: 'None in two months',
    nothingBefore: 'None before',
    notKnown: 'Not loaded',
    noReason: 'The platform gave no reason.',
    restricted: 'Posts are still tried.',
    search: 'Search accounts',
    platform: 'Platform',
    anyPlatform: 'All platforms',
    state: 'State',
    anyState: 'All states',
    attention: 'Needs you',
    shown: (shown: number, all: number) =>
      shown === all
        ? countAccounts(all)
        : `${new Intl.NumberFormat('en-GB').format(shown)} of ${countAccounts(all)}`,
    needYou: (number: number) =>
      number === 1 ? 'One account needs you.' : `${countAccounts(number)} need you.`,
    needYouText:
      'Posts to an account without access fail at their time, unless it is connected again by then.',
    showThem: 'Show only these',
    stale: 'The list could not be read again. You see it as it was before.',
    emptyTitle: 'Connect your first account',
    emptyText:
      'Posts go to accounts at Instagram, Facebook, Threads, TikTok, YouTube, LinkedIn and Pinterest. You sign in at the platform; Herald never sees your password.',
    noMatchTitle: 'No account matches',
    noMatchText: 'Other words or filters may find it.',
    clearFilters: 'Clear filters',
    searchCommand: 'Search accounts',
  },

  connect: {
    action: 'Connect account',
    title: 'Connect an account',
    reconnect: 'Reconnect',
    reconnectTitle: (name: string) => `Reconnect ${name}`,
    platform: 'Platform',
    platformNotes: {
      instagram: 'Professional accounts: business or creator',
      facebook: 'Pages on which you may create content',
      threads: 'Your profile',
      tiktok: 'Your account',
      youtube: 'Your channel',
      linkedin: 'Your profile, or organizations',
      pinterest: 'Your account and its boards',
    } as Readonly<Record<Platform, string>>,
    as: 'Connect as',
    kinds: { member: 'Member', organization: 'Organization' } as Readonly<Record<AccountKind, string>>,
    kindNotes: {
      member: 'Posts appear on your own profile.',
      organization: 'Posts appear on the pages of organizations for which you may post.',
    } as Readonly<Record<AccountKind, string>>,
    stepsTitle: 'What happens',
    steps: (platform: string) => [
      `This tab goes to a page that names your workspace, and on to ${platform}.`,
      `You sign in at ${platform}. Leave all permissions selected.`,
      'You choose which accounts to connect, and come back here.',
    ],
    reconnectSteps: (platform: string, name: string) => [
      `This tab goes to a page that names your workspace, and on to ${platform}.`,
      `You sign in at ${platform} as somebody who may use “${name}”. Leave all permissions selected.`,
      `You choose “${name}”, and come back here. Its posts, rhythm and automations stay.`,
    ],
    patience: 'Each step has ten minutes.',
    externalId: (id: string) =>
      `This account has the external id “${id}”. Choose only this account: others that you choose would get the same one.`,
    continue: (platform: string) => `Continue to ${platform}`,
    failed: 'Nothing has begun',
    badAddress: 'The service has answered with an address that is none of its own pages. Try again.',
  },

  connected: {
    title: 'Connect an account',
    working: 'Connecting…',
    workingText: 'The platform is asked for the accounts that you chose. This takes a few seconds.',
    doneTitle: (number: number) => (number === 1 ? 'Connected' : `${countAccounts(number)} connected`),
    doneText: (number: number) =>
      number === 1 ? 'You can plan posts for it now.' : 'You can plan posts for them now.',
    goneTitle: 'Connected, and disconnected since',
    goneText: 'The accounts of this attempt are not connected any more.',
    otherTitle: 'The account to reconnect was not among them',
    otherText: 'Reconnect it again, and choose it when the platform asks.',
    openOther: 'Show it',
    open: 'Open account',
    all: 'All accounts',
    another: 'Connect another',
    again: 'Connect again',
    backToAccount: 'Back to the account',
    retry: 'Try again',
    failedTitle: 'Nothing was connected',
    /** When the browser brings an error, and nothing says of which platform. */
    thePlatform: 'The platform',
    foreignText:
      'This tab did not begin the connection that the link belongs to. Begin here, and finish in the same tab: then nobody can connect an account of theirs by sending you a link.',
    nothingTitle: 'There is no connection to finish',
    nothingText: 'This page is where you come back from a platform. Connect an account to begin.',
    expiredText: 'The connection was not finished in time: you have ten minutes for each step.',
    openText: 'The connection was begun, and not finished. Connect again and follow it to the end.',
    signedOutText:
      'Only the session that began a connection can finish it, and you have signed in again since. Connect again.',
    errors: {
      access_denied: () => 'The permission was not given: somebody pressed “Cancel”.',
      missing_permissions: (platform: string) =>
        `${platform} did not grant every permission that publishing needs. Connect again and leave all permissions selected.`,
      no_accounts: (platform: string) => `This login has no account at ${platform} that can be published to.`,
      too_many_accounts: (platform: string) =>
        `This login has too many accounts to choose from. Connect again and select fewer when ${platform} asks.`,
      platform_refused: (platform: string) => `${platform} refused the login. Connect again.`,
      platform_unavailable: (platform: string) => `${platform} did not answer. Connect again in a moment.`,
      not_configured: (platform: string) =>
        `This service cannot connect accounts at ${platform} yet. Tell whoever runs it.`,
      server_error: () => 'Something went wrong on our side. Connect again.',
    } as Readonly<Record<string, (platform: string) => string>>,
    claimErrors: {
      platform_unavailable: (platform: string) => `${platform} did not answer. Try again.`,
      account_refused: (platform: string) => `${platform} refused an account. Connect again.`,
      claim_code_expired: () => 'More than ten minutes have passed since you came back. Connect again.',
      claim_code_wrong: () => 'The answer of the platform’s page is damaged. Connect again.',
      claim_not_confirmed: () => 'The connection was begun, and not confirmed. Connect again.',
    } as Readonly<Record<string, (platform: string) => string>>,
    otherError: (code: string) => `The platform or the service refused it (${code}). Connect again.`,
    noAccounts: {
      instagram:
        'Only professional accounts can be connected: switch the account to one in the Instagram app.',
      facebook:
        'Ask an admin of the Page for the task “Create content”, and select the Page when Facebook asks.',
      threads: 'Create a Threads profile first.',
      youtube: 'Create a YouTube channel for this Google account first.',
      pinterest: 'Create a Pinterest account first.',
      tiktok: 'Create a TikTok account first.',
      linkedin: 'Ask an admin of the organization’s LinkedIn page for a role that may post.',
    } as Readonly<Record<Platform, string>>,
  },

  account: {
    title: 'Account',
    back: 'Accounts',
    facts: 'Details',
    username: 'Username',
    displayName: 'Name',
    kind: 'Kind',
    connectedAt: 'Connected',
    reconnectBy: 'Reconnect by',
    renewed: 'Not needed: its access is renewed automatically.',
    accountId: 'Account id',
    copyId: 'Copy account id',
    externalId: 'External id',
    copyExternalId: 'Copy external id',
    none: 'None',
    meta: {
      accountType: 'Account type',
      category: 'Category',
      longUploadsStatus: 'Long videos',
      appScopedId: 'Id for this app',
      uploadsPlaylistId: 'Playlist of uploads',
    } as Readonly<Record<string, string>>,

    expiredTitle: 'Herald has no access to this account',
    expiredText: 'Reconnect it: posts fail at their time until then.',
    errorTitle: 'The platform has restricted this account',
    errorText:
      'Posts are still tried, and the first that succeeds ends this state. Look at the account at the platform: it often says there what to do.',
    expiringTitle: 'Access ends soon',
    endedTitle: 'Access has ended, or ends at any moment',
    expiringText:
      'The platform does not let Herald renew it. Reconnect the account, or posts fail from then on.',
    said: 'What happened:',
    since: 'Since',
    waiting: (number: number) =>
      number === 1
        ? '1 post is scheduled to this account.'
        : `${countPosts(number)} are scheduled to this account.`,

    planned: 'Planned',
    scheduled: 'Scheduled posts',
    nextPost: 'Next post',
    automations: 'Active automations',
    later: 'Later than in two months',
    notFound: 'Not found among the next posts of the workspace',
    notKnown: 'Could not be read',

    features: 'What it can do',
    featuresLead:
      'Is something missing? Reconnect the account and leave all permissions selected. If it is still missing then, this service does not offer it.',
  },

  rhythm: {
    title: 'Rhythm of posts planned in the panel',
    lead: 'When posts go out that you schedule for the next free slot. Everybody in the workspace shares it; each API key has its own.',
    from: 'From',
    to: 'To',
    toWholeDay: 'The same time as “From”: the whole day.',
    toMidnight: 'The day after, because it is earlier than “From”.',
    dailyCap: 'Posts a day, at most',
    gapMinutes: 'Minutes between them',
    collisionBufferMinutes: 'Minutes from other posts',
    collisionHelp: 'To every other post on this account, whoever planned it.',
    timezone: 'Time zone',
    takeWorkspaceZone: (zone: string) => `Use ${zone}`,
    isHours: (hours: string) => `${hours} h`,
    wholeNumber: (least: string, most: string) => `Enter a whole number from ${least} to ${most}.`,
    save: 'Save rhythm',
    discard: 'Discard changes',
    saved: 'Rhythm saved',
    notSaved: 'The rhythm was not saved',
    changed: 'It was changed elsewhere meanwhile. Saving replaces that.',
    slots: 'Next free slots',
    slotsLead: 'Not reserved: another post may take one.',
    slotsAfterSaving: 'The slots follow once you save.',
    noSlots: 'No slot is free within 90 days. Allow more posts a day, or a longer window.',
    fewSlots: 'No more are free within 90 days.',
  },

  boards: {
    title: 'Boards',
    lead: 'The public boards that Pins can go to, as Pinterest has them now.',
    search: 'Search boards',
    empty: 'This account has no public board. Create one at Pinterest, then read again.',
    failed: 'Pinterest could not be asked',
    asBefore: 'These are the boards as they were read last.',
    refresh: 'Read again',
    needsAccess: 'Reconnect the account to read its boards.',
    more: (number: number) => `And ${count(number, 'more board', 'more boards')}: search to find them.`,
    noMatch: 'No board has these words.',
    count: (number: number) => count(number, 'board', 'boards'),
  },

  playlists: {
    title: 'Playlists',
    lead: 'The playlists that videos can go to, as YouTube has them now.',
    search: 'Search playlists',
    empty: 'This channel has no playlist. Create one at YouTube, then read again.',
    failed: 'YouTube could not be asked',
    asBefore: 'These are the playlists as they were read last.',
    refresh: 'Read again',
    needsAccess: 'Reconnect the account to read its playlists.',
    more: (number: number) => `And ${count(number, 'more playlist', 'more playlists')}: search to find them.`,
    noMatch: 'No playlist has these words.',
    count: (number: number) => count(number, 'playlist', 'playlists'),
    videos: (number: number) => count(number, 'video', 'videos'),
  },

  disconnect: {
    title: 'Disconnect',
    text: 'Herald forgets its access to the account. Nothing that was published is deleted. Connecting it again brings everything back.',
    ownersOnly: 'Only owners of the workspace can disconnect accounts.',
    action: 'Disconnect account',
    open: 'Disconnect…',
    dialogTitle: (name: string) => `Disconnect ${name}?`,
    reading: 'Reading what this would stop…',
    notRead: 'What this would stop could not be read',
    stops: 'This stops',
    stopsNothing: 'Nothing is planned for this account, so nothing else stops.',
    posts: (number: number) =>
      number === 1
        ? '1 scheduled post: it fails at its time, unless the account is connected again by then.'
        : `${count(number, 'scheduled post', 'scheduled posts')}: they fail at their times, unless the account is connected again by then.`,
    chainSteps: (number: number) =>
      number === 1
        ? '1 step of a chain that waits: it fails when its turn comes, unless the account is connected again by then.'
        : `${count(number, 'step of a chain that waits', 'steps of chains that wait')}: they fail when their turn comes, unless the account is connected again by then.`,
    automations: (number: number) =>
      number === 1
        ? '1 active automation: it does nothing until the account is connected again.'
        : `${countActiveAutomations(number)}: they do nothing until the account is connected again.`,
    revokes: 'The permission at the platform is revoked too.',
    keeps: 'The permission at the platform stays: remove it there if you want it to end.',
    moreOthers: (number: number) => `And ${count(number, 'more account', 'more accounts')}.`,
    others: 'These accounts of the same login stay connected:',
    confirm: (name: string) => `Yes, disconnect “${name}”`,
    failed: 'The account is still connected',
    done: (name: string) => `${name} is disconnected`,
  },
};

/** The pages of automations. */
const automationsPage = {
  title: 'Automations',
  lead: 'An automation answers the comments on one Instagram post: in public, by private message, or both.',
  create: 'New automation',
  /** An automation without a name whose post has no words here. */
  nameless: (platformPostId: string) => `Post ${platformPostId}`,
  platform: 'Instagram',
  post: 'Post',
  openPost: 'Open the post',
  atPlatform: 'See it on Instagram',

  states: { active: 'Active', paused: 'Paused' },
  everyComment: 'Every comment',
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
    stops: 'New comments on the post are no longer answered. Replies and messages that wait are never sent.',
    waiting: (number: number) => `${count(number, 'private message waits', 'private messages wait')} now.`,
    keeps:
      'Links that were sent keep working. The post may then get another automation. The counts are gone. This cannot be undone.',
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
        'Herald looks again at least once an hour, and sends what Instagram still accepts: until seven days after the comment, or 24 hours after the person’s last tap or answer.',
    },
    /** What a page offers if an account or a text is the reason. */
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
    clicks: {
      title: 'Clicks',
      all: 'Other periods',
      none: 'It has no tracked links: its message and buttons contain no address, or tracking is off.',
      linksLabel: 'Links',
      columns: { link: 'Link', clicks: 'Clicks', days: 'Last 30 days' },
    },
    try: {
      title: 'Try a comment',
      lead: 'Says what a comment would set off. Nothing is sent.',
      label: 'Comment',
      action: 'Try',
      failed: 'It was not tried',
      empty: 'Write a comment first.',
      matches: (keyword: string) => `It matches “${keyword}”.`,
      matchesAll: 'It matches: every comment does.',
      misses: 'It does not match. Nothing would be sent.',
      inactive: 'The automation is paused: at the moment a comment sets off nothing.',
      reply: 'Public reply',
      message: 'Private message',
      question: 'Private message, the follow gate’s question',
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
    post: { title: 'Where', account: 'Instagram account', post: 'Post' },
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
      none: 'Herald has published no posts to this account yet. Enter the id of a post below.',
      failed: 'The posts of this account could not be read',
      other: 'Another post',
      otherNote: 'Also one that Herald did not publish.',
      id: 'The post’s id at Instagram',
      idHelp:
        'The number that Instagram’s API calls the id of the media. For a post from the list above, its address works too.',
      isAddress: 'This is an address. Enter the id, or choose the post from the list.',
      has: 'Has an automation',
      hasTitle: 'This post already has an automation',
      hasText: 'A post can have one. Change that one, or choose another post.',
      hasAction: 'Edit that one',
      search: 'Search posts',
      found: (found: number, of: number, isReading: boolean) =>
        isReading
          ? `${countPosts(found)} found among the newest ${of} so far…`
          : `${countPosts(found)} found among the newest ${of}.`,
      older: 'Show older posts',
      published: 'Published',
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
    },
    gate: {
      on: 'Ask people to follow first',
      note: 'They get a question with a button. Only followers get the message.',
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
    commentHelp: 'Matched as you type, as a real one is.',
    sample: 'Where can I get this?',
    matches: (keyword: string) => `Matches “${keyword}”`,
    matchesAll: 'Every comment matches',
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
    taps: (label: string) => `They tap “${label}”`,
    refused: 'and do not follow you',
    granted: 'and follow you',
    about: 'About as Instagram shows it. Where buttons are refused, links are written below the text.',
  },
};

/** The page of tracked links. */
const linksPage = {
  title: 'Links',
  lead: 'Clicks on the links in your private messages. Previews, crawlers and prefetching do not count.',

  range: {
    label: 'Period',
    preset: (days: number) => `${days} days`,
    custom: 'Custom',
    from: 'First day (UTC)',
    to: 'Last day (UTC)',
    backwards: 'The last day is before the first one.',
    tooLong: (days: number) => `At most ${days} days.`,
  },
  automation: 'Automation',
  allAutomations: 'All automations',
  unknownAutomation: 'Deleted automation',

  list: {
    label: 'Links',
    title: 'Links',
    columns: { link: 'Link', automation: 'Automation', clicks: 'Clicks' },
    shown: (number: number) => count(number, 'link', 'links'),
    partial: (number: number) =>
      `The ${count(number, 'link', 'links')} of the newest automations. There are more.`,
    reading: (number: number) => `Reading… ${count(number, 'link', 'links')} so far`,
    stale: 'The clicks could not be read again. They may be out of date.',
  },
  none: {
    title: 'No links yet',
    text: 'When an automation sends a private message, the addresses in it become short links, and every click is counted here.',
    action: 'New automation',
    filteredTitle: 'This automation has no tracked links',
    filteredText: 'Its message and buttons contain no address, or tracking is off.',
    open: 'Open the automation',
    clear: 'Show all automations',
    goneTitle: 'This automation no longer exists',
    goneText: 'Its links keep working, but their clicks are not listed any more.',
  },
};

/** What the tabs of *Developers* share. */
const developersPage = {
  title: 'Developers',
  lead: 'API keys for programs, and endpoints that receive events.',
  tabs: { label: 'Developers', keys: 'Keys', endpoints: 'Endpoints', deliveries: 'Deliveries' },

  ownersOnly: {
    title: 'Only owners see keys and endpoints',
    text: 'An API key can do what an owner allows it, so members neither see nor change keys, endpoints and deliveries.',
    ask: 'Ask one of the owners of this workspace:',
    documentation: 'API documentation',
  },

  actors: {
    you: 'you',
    operator: (name: string) => `operator ${name}`,
    key: (name: string) => `key “${name}”`,
    formerMember: 'a former member',
    member: 'a member',
  },

  accounts: {
    label: 'Accounts',
    all: 'All accounts',
    allNote: 'Also those that are connected later.',
    chosen: 'Chosen accounts',
    choose: 'Which accounts',
    search: 'Find an account',
    none: 'No account has these words.',
    noneConnected: 'This workspace has no account yet.',
    loading: 'Loading the accounts…',
    atLeastOne: 'Choose at least one account.',
    atMost: (most: number) => `Choose at most ${most} accounts.`,
    count: (number: number, most: number) => `${number} chosen, at most ${most}`,
    disconnected: 'Disconnected account',
    more: (number: number) => `and ${number} more`,
  },

  curl: shared.curl,
  done: shared.actions.done,
};

/** *Developers*, API keys. */
const keysTab = {
  lead: 'A program sends its key with each request. Give every program a key of its own, so that you can end one without the others.',
  create: 'New key',
  label: 'API keys',
  search: 'Search keys',
  filter: 'Status',
  filters: { '': 'All keys', active: 'Active', expired: 'Expired', revoked: 'Revoked' } as Readonly<
    Record<string, string>
  >,
  found: (number: number) => count(number, 'key', 'keys'),

  columns: {
    key: 'Key',
    access: 'Access',
    created: 'Created',
    used: 'Last used',
    status: 'Status',
    actions: 'Actions',
  },
  endsIn: 'ends in',
  statuses: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  allPermissions: 'All permissions',
  by: (name: string) => `by ${name}`,
  byUnknown: 'creator not recorded',
  never: 'Never',
  utc: 'UTC',
  unused: 'Unused for 30 days',
  expires: 'Expires',
  overlap: 'The old value works until',

  menu: (name: string) => `Actions for ${name}`,
  rotate: 'Rotate…',
  revoke: 'Revoke…',

  empty: {
    title: 'No API keys yet',
    text: 'Create a key for each program that uses the API. With it, this request lists the accounts:',
  },
  noneFound: {
    title: 'No key fits',
    text: 'No key has these words and this status.',
    clear: 'Show all keys',
  },

  permissions: {
    label: 'Permissions',
    all: 'All permissions',
    allNote: 'Everything below.',
    chosen: 'Chosen permissions',
    choose: 'Which permissions',
    atLeastOne: 'Choose at least one permission.',
    names: {
      read: 'Read',
      publish: 'Publish',
      connect: 'Connect',
      automate: 'Automate',
      webhooks: 'Webhooks',
    },
    notes: {
      read: 'Everything that only reads',
      publish: 'Posts, files, rhythms and boards',
      connect: 'Connecting and disconnecting accounts',
      automate: 'Comment automations',
      webhooks: 'Endpoints and deliveries',
    },
  },
  accountsHelp:
    'A key for chosen accounts cannot connect accounts, nor read or change endpoints: these concern all accounts.',
  mostAccounts: 100,

  expiry: {
    label: 'Expiry',
    never: 'Never',
    days: (days: number) => `In ${days} days`,
    date: 'On a date…',
    neverHelp: 'The key works until somebody revokes it.',
    until: 'Works until',
    dateLabel: 'Last day',
    dateHelp: (zone: string) => `The key works until the end of this day in ${zone}.`,
    dateMissing: 'Choose a day.',
    dateWrong: 'Choose a day from today on, at most 5 years ahead.',
  },

  form: {
    title: 'New key',
    name: 'Name',
    nameHelp: 'The program that uses it, and where: “Shop, production”.',
    nameMissing: 'Give the key a name.',
    submit: 'Create key',
    failed: 'The key was not created',
  },

  issued: {
    createdTitle: 'Key created',
    rotatedTitle: 'Key rotated',
    field: 'Your new key',
    copy: 'Copy key',
    once: 'This is the only time that the key is shown',
    onceText:
      'Put it where the program keeps its secrets. Herald stores only a digest of it and cannot show it again.',
    oldWorks: 'The value before works until',
    oldStopped: 'The value before is not accepted any more.',
    stored: 'I have stored it',
  },

  rotation: {
    title: (name: string) => `Rotate “${name}”`,
    text: 'The key gets a new value. Its name, permissions, accounts and expiry stay.',
    expiredText:
      'The key has expired. It gets a new value and a new expiry. Its name, permissions and accounts stay.',
    overlap: 'How long the value of today still works',
    overlaps: {
      0: ['Not at all', 'For a key that has leaked. Programs with the old value are refused at once.'],
      60: ['1 hour', undefined],
      1440: ['24 hours', 'Time to bring the new value to all programs.'],
      10080: ['7 days', undefined],
    } as Readonly<Record<number, readonly [string, string | undefined]>>,
    earlier: 'This ends the value before the last rotation, which would work until',
    submit: 'Rotate key',
    failed: 'The key was not rotated',
  },

  revocation: {
    title: (name: string) => `Revoke “${name}”?`,
    stops: 'Every program that uses this key is refused, at the latest after 30 seconds.',
    stopsBoth: 'This ends the value before the last rotation too.',
    usedOn: (day: string) => `It was last used on ${day} (UTC).`,
    neverUsed: 'It has never been used.',
    stays: 'Posts that it has scheduled are still published.',
    forever: 'This cannot be undone.',
    submit: 'Revoke key',
    done: (name: string) => `Key “${name}” revoked`,
  },
};

/** *Developers*, endpoints of webhooks. */
const endpointsTab = {
  lead: 'Herald sends events to your endpoints as signed requests, and tries again for two days if one does not answer.',
  create: 'New endpoint',
  label: 'Endpoints',
  full: (most: number) => `A workspace has at most ${most} endpoints. Delete one to add another.`,
  most: 20,

  statuses: { active: 'Active', failing: 'Failing', disabled: 'Paused' },
  endedByService: 'Herald has paused it',
  lastFailure: 'The last attempt failed',
  allEvents: 'All events',
  events: 'Events',
  eventsMore: (number: number) => `and ${number} more`,
  accounts: 'Accounts',
  created: 'Created',

  test: 'Send test event',
  deliveries: 'Deliveries',
  menu: (url: string) => `Actions for ${url}`,
  edit: 'Edit…',
  pause: 'Pause…',
  activate: 'Activate',
  activated: 'Endpoint activated. Events that it missed are not sent.',
  notActivated: 'The endpoint was not activated',
  rotate: 'Rotate secret…',
  redeliver: 'Send failed again…',
  delete: 'Delete…',

  empty: {
    title: 'No endpoints yet',
    text: 'Add an endpoint to hear when posts go live, posts fail and accounts need a person. Or add it with a program:',
    example: 'https://example.com/herald',
  },

  form: {
    createTitle: 'New endpoint',
    editTitle: 'Edit endpoint',
    url: 'URL',
    urlHelp: 'A public https address. Redirects are not followed, so give the final one.',
    urlMissing: 'Give the URL that receives the events.',
    urlPlaceholder: 'https://example.com/herald',
    description: 'Description',
    create: 'Create endpoint',
    save: 'Save',
    saved: 'Endpoint saved',
    createFailed: 'The endpoint was not created',
    editFailed: 'The endpoint was not changed',
    mostDescription: 500,
    mostUrl: 2048,
    mostAccounts: 50,
    accountsHelp: 'An event about a post is about all of its accounts.',
  },

  eventChoice: {
    label: 'Events',
    all: 'All events',
    allNote: 'Also those of later releases.',
    chosen: 'Chosen events',
    choose: 'Which events',
    atLeastOne: 'Choose at least one event.',
    groups: { post: 'Posts', account: 'Accounts', inbox: 'Comments and messages' },
  },
  descriptions: {
    'post.scheduled': 'A post has got its time, or another one',
    'post.published': 'A post is done, and at least one destination is live',
    'post.partial': 'A post is done, and not all destinations are live',
    'post.failed': 'All destinations of a post have failed',
    'post.target.published': 'One destination of a post is live',
    'post.target.failed': 'One destination of a post has failed',
    'account.connected': 'Somebody has connected an account, or connected it again',
    'account.expiring': 'An account must be connected again within 7 days; sent again on the last day',
    'account.expired': 'A platform has ended the access to an account',
    'account.disconnected': 'An account was disconnected',
    'comment.received': 'Somebody has commented on a post (Instagram)',
    'dm.received': 'Somebody has sent a message (Instagram)',
    'webhook.test': 'You have sent a test event',
  },

  secret: {
    createdTitle: 'Endpoint created',
    rotatedTitle: 'Secret rotated',
    field: 'Your signing secret',
    copy: 'Copy secret',
    once: 'This is the only time that the secret is shown',
    onceText: 'Put it where the receiver keeps its secrets. It proves that a request comes from Herald.',
    both: 'For 24 hours each request has two signatures, of the new secret and of the one before. Accept either.',
    verify: 'Verify a request (Node.js)',
    copySnippet: 'Copy code',
    documentation: 'All events and fields in the API documentation',
    stored: 'I have stored it',
  },

  pausing: {
    title: 'Pause this endpoint?',
    text: 'It receives nothing until somebody activates it. Events that happen meanwhile are not kept for it, and deliveries that wait for another attempt fail.',
    submit: 'Pause endpoint',
    done: 'Endpoint paused',
  },
  deletion: {
    title: 'Delete this endpoint?',
    text: 'It receives nothing more, deliveries that wait for another attempt are not sent, and its log of deliveries is gone. This cannot be undone.',
    submit: 'Delete endpoint',
    done: 'Endpoint deleted',
  },
  rotation: {
    title: 'Rotate the signing secret?',
    text: 'The endpoint gets a new secret. For 24 hours requests are signed with both, so that the receiver can change over.',
    twice:
      'A second rotation within 24 hours ends the older secret at once: the receiver refuses requests if it knows only that one.',
    submit: 'Rotate secret',
    failed: 'The secret was not rotated',
  },

  tested: {
    region: (url: string) => `Test event to ${url}`,
    sending: 'Sending webhook.test…',
    delivered: 'The test event has arrived',
    failed: 'The attempt has failed',
    ended: 'The test event did not arrive',
    nextAt: 'The next attempt is at',
    open: 'Show the delivery',
    notSent: 'The test event was not sent',
    dismiss: 'Dismiss the result',
  },

  redelivery: {
    title: 'Send failed deliveries again',
    text: 'The same events are sent again with the same ids, oldest first. A receiver that stores ids ignores those that it knows.',
    since: 'Events of',
    periods: {
      1: 'The last hour',
      24: 'The last 24 hours',
      168: 'The last 7 days',
      720: 'The last 30 days',
    } as Readonly<Record<number, string>>,
    submit: 'Send again',
    soFar: (number: number) => `${count(number, 'delivery', 'deliveries')} so far…`,
    done: (number: number) =>
      number === 0
        ? 'No delivery of this time has failed.'
        : `${count(number, 'delivery is', 'deliveries are')} on the way again.`,
    failed: 'Not all were sent again',
  },
};

/** *Developers*, deliveries. */
const deliveriesTab = {
  label: 'Deliveries',
  statuses: { delivered: 'Delivered', pending: 'Pending', failed: 'Failed' },
  columns: {
    event: 'Event',
    endpoint: 'Endpoint',
    when: 'Happened',
    result: 'Last attempt',
    status: 'Status',
  },

  filters: {
    status: 'Status',
    anyStatus: 'Every status',
    type: 'Event',
    anyType: 'All events',
    endpoint: 'Endpoint',
    anyEndpoint: 'All endpoints',
    period: 'Time',
    periods: {
      '': 'Last 30 days',
      '1h': 'Last hour',
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      days: 'Chosen days…',
    } as Readonly<Record<string, string>>,
    zone: (zone: string) => `Days in ${zone}`,
    from: (zone: string) => `From (${zone})`,
    to: (zone: string) => `To (${zone})`,
    clear: 'Clear filters',
  },

  attempts: (number: number) => count(number, 'attempt', 'attempts'),
  noAttempt: 'No attempt yet',
  nextAt: 'Next at',
  answered: (statusCode: number, latency: string) => `Status ${statusCode} after ${latency}`,
  noAnswer: (latency: string) => `No response after ${latency}`,
  deletedEndpoint: 'Deleted endpoint',

  searchedTo: 'Searched back to',
  shownTo: 'Shown back to',
  searching: 'Searching…',
  searchOn: 'Search further back',
  found: (number: number, hasMore: boolean) =>
    `${count(number, 'delivery', 'deliveries')}${hasMore ? ' so far' : ''}`,

  noEndpoint: {
    title: 'No endpoint yet',
    text: 'What Herald sends to your endpoints is listed here, with each attempt.',
    action: 'Go to the endpoints',
  },
  empty: {
    title: 'No deliveries in the last 30 days',
    text: 'Send a test event to see one, or ask with a program:',
    action: 'Send test event',
  },
  noneFound: {
    title: 'No delivery fits',
    text: 'No delivery of the last 30 days has these properties.',
    searchedText: 'There is none so far. Older ones may fit.',
  },

  detail: {
    title: 'Delivery',
    event: 'Event',
    endpoint: 'Endpoint',
    happened: 'Happened',
    nextAttempt: 'Next attempt',
    eventId: 'Event id',
    copyEventId: 'Copy event id',
    eventIdHelp: 'In the body as id, and in X-Service-Event-Id',
    deliveryId: 'Delivery id',
    copyDeliveryId: 'Copy delivery id',
    deliveryIdHelp: 'In X-Service-Delivery-Id',
    attempts: 'Attempts',
    kept: 'The newest 30 are kept.',
    showAllSteps: (number: number) => `Show all ${new Intl.NumberFormat('en-GB').format(number)} steps`,
    showNewest: (number: number) => `Show only the newest ${number}`,
    newestOnly: (number: number) => `These are the newest ${number}.`,
    attempt: (number: number) => `Attempt ${number}`,
    succeeded: 'Succeeded',
    failed: 'Failed',
    responseStart: 'Start of the response',
    copyResponse: 'Copy response',
    emptyResponse: 'The response was empty.',
    noAttempts: 'The first attempt is about to be made.',
    redeliver: 'Send again',
    redelivered: 'The event is on its way again',
    redeliverFailed: 'The event was not sent again',
    isPending: 'It is pending, so it is sent anyway.',
    isPaused: 'Its endpoint is paused. Activate it to send the event again.',
    isDeleted: 'Its endpoint is deleted.',
    missing: 'This delivery does not exist',
    missingText: 'It may be older than 30 days, or its endpoint has been deleted.',
  },
  redeliverAll: 'Send failed again…',
};

const roles = {
  member: {
    name: 'Member',
    note: 'Posts, files, automations and connecting accounts.',
  },
  owner: {
    name: 'Owner',
    note: 'Also API keys, webhooks, members, disconnecting accounts and the audit log.',
  },
};

/** The settings. */
const settingsPage = {
  title: 'Settings',
  tabs: {
    label: 'Settings',
    workspace: 'Workspace',
    members: 'Members',
    sessions: 'Sessions',
    audit: 'Audit log',
    preferences: 'Preferences',
  },
  roles,

  workspace: {
    general: 'General',
    ownersEdit: 'Only owners change the name and the time zone.',
    name: 'Name',
    nameHelp: 'People who connect an account see it.',
    timezone: 'Time zone',
    timezoneHelp: (time: string, offset: string) =>
      `Now ${time}, ${offset}. The panel shows all times in this zone; what is scheduled does not move.`,
    timezoneHelpNone: 'The panel shows all times in this zone; what is scheduled does not move.',
    zoneNote: (time: string, offset: string) => `Now ${time}, ${offset}`,
    zonePlaceholder: 'A city or region',
    zoneMissing: 'Choose a time zone from the list.',
    save: 'Save changes',
    undo: 'Undo changes',
    saved: 'Workspace saved',
    notSaved: 'The workspace was not changed',
    storage: 'Storage',
    storageUsed: (used: string, quota: string) => `${used} of ${quota} used`,
    storageLeft: (left: string) => `${left} left`,
    storageOver: (over: string) => `${over} more than the quota`,
    storageHelp: 'Uploaded files count. A file is deleted 30 days after it was last published.',
    storageNearTitle: 'Storage is nearly full',
    storageFullTitle: 'Storage is full',
    storageNear: 'Once it is full, uploads are refused.',
    storageFull: 'Uploads are refused until there is space.',
    storageRemedy: 'Delete files that you do not need, or ask whoever runs this service for more.',
    facts: 'In this workspace',
    accounts: 'Connected accounts',
    webhooks: 'Webhook endpoints',
    keys: 'API keys',
    created: 'Created',
    id: 'Workspace id',
    copyId: 'Copy workspace id',
  },

  members: {
    label: 'Members',
    lead: (number: number, invited: number) =>
      invited === 0
        ? count(number, 'member', 'members')
        : `${count(number, 'member', 'members')}, ${count(invited, 'invitation', 'invitations')}`,
    ownersChange: 'Owners invite people and change roles.',
    invite: 'Invite member',
    search: 'Find a member',
    found: (number: number) => (number === 0 ? 'Nobody matches' : `${count(number, 'match', 'matches')}`),
    noneFoundTitle: 'Nobody has these words in name or address',
    showAll: 'Show all members',
    aloneTitle: 'You work alone here',
    aloneText: 'Invite the people who plan and publish with you. Each signs in with an account of their own.',
    columns: { person: 'Person', role: 'Role', status: 'Status', since: 'Since', actions: 'Actions' },
    you: 'You',
    active: 'Active',
    invited: 'Invited',
    actionsFor: (who: string) => `Actions for ${who}`,
    changeRole: 'Change role',
    remove: 'Remove member',
    leave: 'Leave workspace',
    withdraw: 'Withdraw invitation',
    howToJoin: 'Show how to join',
    onlyOwner: 'The only one',
    onlyOwnerText: (who: string) =>
      `${who} is the only owner. To change that role, or to remove that member, first make another member an owner.`,
    lastOwner: 'Make another member an owner first.',
    email: 'Email address',
    emailHelp: 'The person signs in with this address.',
    emailTaken: 'This address is a member, or invited, already.',
    role: 'Role',
    inviteTitle: 'Invite a member',
    inviteAction: 'Invite',
    notInvited: 'Nobody was invited',
    invitedTitle: (email: string) => `${email} is invited`,
    toldTitle: 'How to join',
    tell: 'No email is sent. Tell the person to open the panel and to sign in with this address:',
    panelAddress: 'Address of the panel',
    copyPanelAddress: 'Copy address of the panel',
    message: 'Message to send',
    copyMessage: 'Copy message',
    messageText: (workspace: string, url: string, email: string) =>
      `You are invited to “${workspace}”. Open ${url} and sign in with ${email}.`,
    another: 'Invite another',
    done: 'Done',
    roleTitle: (who: string) => `Role of ${who}`,
    roleSave: 'Save role',
    roleSaved: (who: string, role: string) => `${who} is now ${role.toLowerCase()}`,
    roleNotSaved: 'The role was not changed',
    roleHolds: 'It holds from the person’s next request on.',
    roleLoseYours:
      'You will no longer see keys, webhooks and the audit log, and cannot take this back: another owner can.',
    removeTitle: (who: string) => `Remove ${who}?`,
    removeText:
      'From the next request on, this person can do nothing in this workspace. Posts, automations and API keys stay and go on working; revoke the keys that the person knows.',
    removed: (who: string) => `${who} is no longer a member`,
    leaveTitle: (workspace: string) => `Leave ${workspace}?`,
    leaveText:
      'You lose access at once. Only an owner can invite you again. Your posts stay and go live as planned.',
    left: (workspace: string) => `You have left ${workspace}`,
    withdrawTitle: (email: string) => `Withdraw the invitation of ${email}?`,
    withdrawText: 'Signing in with this address no longer leads to this workspace. You can invite it again.',
    withdrawn: (email: string) => `${email} is no longer invited`,
  },

  sessions: {
    title: 'Where you are signed in',
    lead: 'A session ends 12 hours after its last use, and 7 days after its sign-in. This is about you, in all workspaces.',
    label: 'Sessions',
    columns: { browser: 'Browser', signedIn: 'Signed in', used: 'Last used', actions: 'Actions' },
    named: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown browser',
    nothingSent: 'It did not say what it is.',
    this: 'This session',
    usedNow: 'In use',
    end: 'End session',
    endOf: (browser: string) => `End session: ${browser}`,
    signOut: 'Sign out',
    signOutHere: 'Sign out here',
    endOthers: 'Sign out all others',
    onlyThis: 'You are signed in only here.',
    endTitle: 'End this session?',
    endText: (browser: string) =>
      `${browser} is signed out with its next request. What is typed there and not saved is lost once the page is closed.`,
    notYours: 'If you do not recognize it, also change how you sign in at your identity provider.',
    ended: 'Session ended',
    endOthersTitle: (others: number) => `End ${count(others, 'other session', 'other sessions')}?`,
    endOthersText: 'Every other browser is signed out with its next request. You stay signed in here.',
    othersEnded: 'All other sessions have ended',
  },

  audit: {
    lead: 'Every change, and every attempt that was refused. Entries are kept for 400 days.',
    label: 'Audit log',
    filters: 'Filter the audit log',
    actor: 'Who',
    anybody: 'Anybody',
    verb: 'What',
    anything: 'Anything',
    from: 'From',
    to: 'To',
    toBeforeFrom: 'This day is before the first.',
    clear: 'Clear filters',
    days: (zone: string) => `Days and times of ${zone}.`,
    columns: { when: 'When', what: 'What happened', outcome: 'Outcome', ids: 'Ids' },
    outcomes: { done: 'Done', refused: 'Refused', begun: 'Begun' },
    begunNote: 'It began with this entry, and may have failed.',
    triedTo: (todo: string) => `tried to ${todo}`,
    beganTo: (todo: string) => `began to ${todo}`,
    connected: (number: number) => `connected ${count(number, 'account', 'accounts')}`,
    kinds: { key: 'API key', person: 'Member', operator: 'Operator' },
    unknown: { key: 'An unknown key', person: 'A former member' },
    keyThat: (status: string) => `API key, ${status}`,
    subject: 'Subject',
    copySubject: 'Copy subject id',
    request: 'Request',
    copyRequest: 'Copy request id',
    accounts: 'Accounts',
    copyAccounts: 'Copy account ids',
    actorId: 'Actor',
    copyActor: 'Copy actor id',
    searching: 'Searching older entries…',
    emptyTitle: 'Nothing has been changed yet',
    emptyText: 'What people, API keys and operators change here appears in this list.',
    noneTitle: 'Nothing matches',
    noneText: 'No entry of the last 400 days fits these filters.',
    noneYetTitle: 'Nothing among these entries',
    noneYetText: 'Older entries have not been searched yet.',
    searchOlder: 'Search older entries',
    shown: (number: number) => count(number, 'entry', 'entries'),
    shownSoFar: (number: number) => `${count(number, 'entry', 'entries')} so far`,
  },

  preferences: {
    lead: 'These hold in this browser, for all workspaces.',
    appearance: 'Appearance',
    theme: 'Theme',
    keyboard: 'Keyboard',
    showAll: 'Show all shortcuts',
  },
};

export const english = {
  shared,
  account,
  post,
  moving,
  clicks,
  media,
  previews,
  nowPage,
  calendarPage,
  composer,
  options,
  postPage,
  accountsPage,
  automationsPage,
  linksPage,
  developersPage,
  keysTab,
  endpointsTab,
  deliveriesTab,
  settingsPage,
};
