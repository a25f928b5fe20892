/** The words that all pages share. */
export const shared = {
  product: 'Herald',
  pageTitle: (page: string, workspace?: string) =>
    workspace === undefined ? `${page} · Herald` : `${page} · ${workspace} · Herald`,
  skipToContent: 'Skip to content',
  loading: 'Loading…',
  loadFailed: 'The panel cannot load',

  navigation: {
    label: 'Main',
    home: 'Home',
    calendar: 'Calendar',
    posts: 'Posts',
    accounts: 'Accounts',
    automations: 'Automations',
    links: 'Links',
    media: 'Media',
    results: 'Results',
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

  session: {
    signIn: 'Sign in',
    endedNotice: 'You are signed out. What you see may be out of date.',
  },

  workspaces: {
    label: 'Workspace',
    switchTo: 'Switch workspace',
    suspended: 'Suspended',
    suspendedNotice: 'This workspace is suspended. Ask whoever runs this service to resume it.',
    noneTitle: 'You are in no workspace yet',
    noneText: (email: string) => `Ask an owner to invite ${email}, then look at your invitations.`,
    invitations: 'Invitations',
    /** Tells workspaces apart that have the same name, or names that look the same. */
    roleAndId: (role: string, id: string) => `${role} · ${id}`,
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
