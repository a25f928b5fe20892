import type { Feature } from '../../../platforms/contract/features.ts';
import type { AccountKind, Platform } from '../../../platforms/contract/names.ts';
import { count, countAccounts, countPosts } from './locale.ts';

const countActiveAutomations = (number: number) => count(number, 'active automation', 'active automations');

/** The pages of accounts. */
export const accountsPage = {
  title: 'Accounts',
  lead: 'The social accounts that posts of this workspace go to.',
  accounts: countAccounts,
  features: {
    publish: 'Posts',
    comments: 'Comments',
    messages: 'Messages',
    playlists: 'Playlists',
    captions: 'Captions',
    boards: 'Boards',
    secretBoards: 'Secret boards',
    drafts: 'Drafts',
    businessPages: 'Business Pages',
    postSearch: 'Post search',
    profile: 'Profile',
    removal: 'Taking down',
    insights: 'Results',
  } satisfies Readonly<Record<Feature, string>>,
  featureTexts: {
    publish: 'Publish posts, and look up what became of them',
    comments: 'Write first comments; read and answer comments',
    messages: 'Send the private messages of comment automations',
    playlists: 'Put videos into playlists',
    captions: 'Add captions to videos',
    boards: 'Create boards and sections',
    secretBoards: 'See secret boards, and put Pins on them',
    drafts: 'Put posts into the inbox of the app, without publishing them',
    businessPages: 'Publish to Pages that a business owns',
    postSearch: 'Find a post again if the answer to its publication was lost',
    profile: 'Read the account’s username',
    removal: 'Take down posts that are live',
    insights: 'Read the numbers of posts and of the account',
  } satisfies Readonly<Record<Feature, string>>,

  list: {
    label: 'Connected accounts',
    columns: {
      account: 'Account',
      state: 'State',
      reconnectBy: 'Reconnect by',
      next: 'Next post',
      features: 'Features',
    },
    renewed: 'Renewed automatically',
    since: 'Since',
    nothingPlanned: 'Nothing planned',
    nothingBefore: 'Nothing before',
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
      `You choose “${name}”, and come back here. Its posts, queue and automations stay.`,
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
    /** The platform of an error that does not name one. */
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
    otherError: 'The platform or the service refused it. Connect again.',
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
    title: 'Queue of posts planned in the panel',
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
    save: 'Save queue',
    discard: 'Discard changes',
    saved: 'Queue saved',
    notSaved: 'The queue was not saved',
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
