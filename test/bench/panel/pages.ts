import { workspaceOf } from '../../panel/settings/support/data.ts';
import { inDays, many, postFor, serveAccounts, some } from '../../panel/support/accounts.ts';
import {
  attemptOf,
  day,
  deliveryOf,
  endpointOf,
  FakeDevelopers,
  id,
  keyOf,
} from '../../panel/support/developers-data.ts';
import { FakeApi, ok } from '../../panel/support/fake-api.ts';
import { meOf } from '../../panel/support/me.ts';

/** A page whose data is measured on its way to the screen. */
export interface DataPage {
  readonly name: string;
  readonly path: string;
  /** The request whose response the content is made of. */
  readonly request: string;
  /** A CSS selector of something in the content that comes from the response. */
  readonly shows: string;
  readonly api: FakeApi;
  /** Number of accounts of the workspace. */
  readonly accountCount: number;
}

const firstRow = '[role=rowheader]';

/** The pages with a list of usual length, or in a workspace with 2,000 accounts. */
export function dataPages(size: 'usual' | 'largest'): readonly DataPage[] {
  const accounts = size === 'usual' ? some : many;
  const accountCount = accounts.length;
  const pages: readonly Omit<DataPage, 'accountCount'>[] = [
    {
      name: 'accounts: a row each',
      path: '/accounts',
      request: '/api/v1/accounts',
      shows: firstRow,
      api: signedIn(
        serveAccounts(new FakeApi(), {
          accounts,
          posts: accounts
            .slice(0, 200)
            .map((account, number) => postFor(number, account, inDays(number / 10))),
        }),
      ),
    },
    {
      name: 'keys: 20 rows',
      path: '/developers',
      request: '/api/panel/keys',
      shows: firstRow,
      api: developers(accounts),
    },
    {
      name: 'deliveries: 50 rows',
      path: '/developers/deliveries',
      request: '/api/v1/deliveries',
      shows: firstRow,
      api: developers(accounts),
    },
    {
      name: 'settings: workspace',
      path: '/settings',
      request: '/api/v1/workspace',
      shows: 'main input[name=name]',
      api: signedIn(
        new FakeApi().on(
          'GET /v1/workspace',
          ok({ workspace: workspaceOf({ counts: { accounts: accounts.length, webhooks: 3, keys: 20 } }) }),
        ),
      ),
    },
  ];
  return pages.map((page) => ({ ...page, accountCount }));
}

const signedIn = (api: FakeApi): FakeApi => api.on('GET /panel/me', ok(meOf()));

/** Keys, endpoints and deliveries as a busy workspace has them, some for a few of its accounts only. */
function developers(accounts: typeof some): FakeApi {
  const api = signedIn(new FakeApi());
  const has = new FakeDevelopers(api);
  has.accounts = [...accounts];
  has.keys = Array.from({ length: 20 }, (_, number) =>
    keyOf(100 + number, {
      ...(number % 3 === 0 && { accountIds: accounts.slice(0, 4).map((account) => account.id) }),
      ...(number % 4 === 0 && { permissions: ['read', 'publish'] }),
      ...(number % 5 === 0 && { lastUsedOn: day(number) }),
    }),
  );
  has.endpoints = [51, 52, 53].map((number) => endpointOf(number));
  has.deliveries = Array.from({ length: 400 }, (_, number) =>
    deliveryOf(number, {
      webhookId: id(51 + (number % 3)),
      ...(number % 7 === 0 && {
        status: 'failed',
        attempts: [attemptOf({ statusCode: 500, responseStart: 'Internal Server Error' })],
      }),
    }),
  );
  return api;
}
