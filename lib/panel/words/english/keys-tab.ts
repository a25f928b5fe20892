import { count } from './locale.ts';

/** *Developers*, API keys. */
export const keysTab = {
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
  /** The key is a grant to a client program, such as a hosted agent. */
  client: (host: string) => `Access of ${host}`,
  ends: {
    'code reused': 'Ended: somebody presented its code again',
    'token reused': 'Ended: somebody presented an old token',
    client: 'Given back by the program',
    'person left': 'Ended: who gave it is no owner any more',
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
      draft: 'Draft',
      publish: 'Publish',
      connect: 'Connect',
      automate: 'Automate',
      webhooks: 'Webhooks',
    },
    notes: {
      read: 'Everything that only reads',
      draft: 'Drafts, which a person confirms, and uploads',
      publish: 'Posts, files, queues and boards, and all that Draft allows',
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
