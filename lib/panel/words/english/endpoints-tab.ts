import { count } from './locale.ts';

/** *Developers*, endpoints of webhooks. */
export const endpointsTab = {
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
  activated: 'Endpoint activated. To send what it missed, replay the events of that time.',
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
    'post.at_risk': 'A post that waits will probably fail, or the reasons have changed',
    'post.risk_cleared': 'Nothing speaks against a post any more',
    'post.target.published': 'One destination of a post is live',
    'post.target.failed': 'One destination of a post has failed',
    'post.target.removed': 'One live destination of a post was taken down',
    'post.metrics': 'The numbers of one destination were read',
    'account.connected': 'Somebody has connected an account, or connected it again',
    'account.expiring': 'An account must be connected again within 7 days; sent again on the last day',
    'account.expired': 'A platform has ended the access to an account',
    'account.disconnected': 'An account was disconnected',
    'platform.version.ending': 'A platform ends what accounts are published with, in 60 days',
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
    text: 'It receives nothing until somebody activates it. Deliveries that wait for another attempt fail. Events that happen meanwhile stay in the event feed for 30 days, and can be replayed once it is active.',
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

  replay: {
    action: 'Replay events…',
    title: 'Replay events of the feed',
    text: 'Sends all events of a period that the endpoint receives, oldest first, also those that have arrived before. The ids are the same, so a receiver that stores ids ignores those that it knows. New events are not delayed.',
    submit: 'Replay',
    covered: (number: number) =>
      number === 0
        ? 'The feed has no event of this time.'
        : `${count(number, 'event is', 'events are')} covered.`,
    more: 'More follow. Continue once the deliveries of these are made.',
    rest: 'Continue',
    failed: 'The events are not replayed',
  },
};
