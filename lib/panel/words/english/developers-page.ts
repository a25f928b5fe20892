import { shared } from './shared.ts';

/** The words that the tabs of *Developers* share. */
export const developersPage = {
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
