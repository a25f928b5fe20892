import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { Platform } from '../platforms/contract/names.ts';
import { BeginConnectionBody, BegunConnection } from './schemas.ts';

const byPlatform = z.object({ platform: Platform });

export const beginConnectionOperation = operation({
  handler: 'accounts/connect',
  method: 'POST',
  path: '/v1/connect/{platform}',
  summary: "Begin a platform's own authorization",
  description:
    'Open `authUrl` in the browser of the person whose account it is, within ten minutes. The platform sends them back here, and they end at `redirectUrl`. Where one login carries several accounts they choose on a page in between. Connecting an account again renews it and keeps its id.',
  pathParameters: byPlatform,
  body: BeginConnectionBody.default({}),
  replies: { 201: { description: 'Begun', body: BegunConnection } },
  refusals: { 503: "The platform's app credentials are not set on this service" },
  rights: { table: ['PutItem'], platformSecrets: true },
  settings: ['PUBLIC_BASE_URL'],
});

const bodyType = 'text/html';
const page = (description: string) => ({ description, body: z.string(), bodyType });

const sentOn = {
  description:
    'To the `redirectUrl` that the authorization was begun with, with `connected=<account ids>` or `error=<reason>`; or to the choice of accounts, where the login carries several',
  headers: { Location: 'Where the browser goes next' },
};
const failures = {
  400: page('Nothing was connected, and no `redirectUrl` was given: a page that says why'),
  500: page('A fault of the service: a page with the id to quote'),
};

export const authorizationCallbackOperation = operation({
  handler: 'oauth/callback',
  method: 'GET',
  path: '/oauth/{platform}/callback',
  summary: 'Come back from a platform',
  description:
    "The redirect address that is registered at the platform. Guarded by `state`, which is good for one answer within ten minutes. Of platforms' other parameters none matters.",
  access: 'public',
  pathParameters: byPlatform,
  query: z.object({
    state: z.string().optional(),
    code: z.string().optional(),
    error: z.string().optional().meta({ description: 'In place of `code` (RFC 6749, 4.1.2.1)' }),
    error_description: z.string().optional(),
  }),
  replies: {
    200: page('Connected, and no `redirectUrl` was given: a page that says so'),
    303: sentOn,
    ...failures,
  },
  rights: {
    table: ['PutItem', 'UpdateItem'],
    tokens: ['GenerateDataKey tokens', 'GenerateDataKey choice'],
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
  timeoutSeconds: 29,
});

export const showChoiceOperation = operation({
  handler: 'oauth/choose',
  method: 'GET',
  path: '/oauth/{platform}/choose',
  summary: 'Choose which accounts of a login to connect',
  description: 'Where a login carries several. Good for ten minutes and one choice.',
  access: 'public',
  pathParameters: byPlatform,
  query: z.object({ choice: z.string().optional().meta({ description: 'The secret of this choice' }) }),
  replies: { 200: page('A page with the accounts'), 303: sentOn, ...failures },
  rights: { table: ['GetItem'], tokens: ['Decrypt choice'], platformSecrets: true },
  settings: ['PUBLIC_BASE_URL'],
});

export const makeChoiceOperation = operation({
  handler: 'oauth/choose',
  id: 'oauth-choose-accounts',
  method: 'POST',
  path: '/oauth/{platform}/choose',
  summary: 'Connect the chosen accounts',
  description: 'What the page of the choice sends.',
  access: 'public',
  pathParameters: byPlatform,
  body: z.object({
    choice: z.string(),
    account: z.array(z.string()).meta({ description: "The platform's ids of the accounts" }),
  }),
  bodyType: 'application/x-www-form-urlencoded',
  replies: {
    200: page('Connected, and no `redirectUrl` was given: a page that says so'),
    303: sentOn,
    ...failures,
    400: page('Nothing was connected: a page that says why, with the choice once more where none was made'),
  },
  rights: {
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    tokens: ['GenerateDataKey tokens', 'Decrypt choice'],
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
  timeoutSeconds: 29,
});
