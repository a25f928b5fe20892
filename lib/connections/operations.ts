import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { Platform } from '../platforms/contract/names.ts';
import { BeginConnectionBody, BegunConnection } from './schemas.ts';

const byPlatform = z.object({ platform: Platform });

export const beginConnectionOperation = operation({
  handler: 'accounts/connect',
  method: 'POST',
  path: '/v1/connect/{platform}',
  summary: "Begin a platform's authorization",
  description:
    'Open `authUrl` within ten minutes, in the browser of the person who owns the account. The platform sends them back to this service, which sends them on to `redirectUrl`. If the login has several accounts, they first choose on a page of this service. Connecting an account again renews its authorization and keeps its id.',
  pathParameters: byPlatform,
  body: BeginConnectionBody.default({}),
  replies: { 201: { description: 'The authorization has begun', body: BegunConnection } },
  refusals: { 503: "The platform's app credentials are not set on this service" },
  rights: { writes: { PutItem: ['CONNECTION#'] }, platformSecrets: true },
  settings: ['PUBLIC_BASE_URL'],
});

const bodyType = 'text/html';
const page = (description: string) => ({ description, body: z.string(), bodyType });

const sentOn = {
  description:
    'To the `redirectUrl` of the request that began the authorization, with `connected=<account ids>` or `error=<reason>`; or to the page to choose accounts, if the login has several',
  headers: { Location: 'Where the browser goes next' },
};
const failures = {
  400: page('Nothing was connected, and no `redirectUrl` was given: a page with the reason'),
  500: page('An error of this service: a page with the request id to quote'),
};

export const authorizationCallbackOperation = operation({
  handler: 'oauth/callback',
  method: 'GET',
  path: '/oauth/{platform}/callback',
  summary: 'Return from a platform',
  description:
    'The redirect URL that is registered at the platform. Protected by `state`, which is valid for ten minutes and one answer. Other parameters that a platform sends are ignored.',
  access: 'public',
  pathParameters: byPlatform,
  query: z.object({
    state: z.string().optional(),
    code: z.string().optional(),
    error: z.string().optional().meta({ description: 'Sent instead of `code` (RFC 6749, 4.1.2.1)' }),
    error_description: z.string().optional(),
  }),
  replies: {
    200: page('Connected, and no `redirectUrl` was given: a page that says so'),
    303: sentOn,
    ...failures,
  },
  rights: {
    writes: {
      PutItem: ['CHOICE#', 'WORKSPACE#', 'PLATFORM#', 'LOGIN#'],
      UpdateItem: ['CONNECTION#', 'WORKSPACE#'],
    },
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
  description: 'Used if a login has several accounts. Valid for ten minutes and one choice.',
  access: 'public',
  pathParameters: byPlatform,
  query: z.object({ choice: z.string().optional().meta({ description: 'The secret of this choice' }) }),
  replies: { 200: page('A page with the accounts'), 303: sentOn, ...failures },
  rights: { reads: { GetItem: ['CHOICE#'] }, tokens: ['Decrypt choice'], platformSecrets: true },
  settings: ['PUBLIC_BASE_URL'],
});

export const makeChoiceOperation = operation({
  handler: 'oauth/choose',
  id: 'oauth-choose-accounts',
  method: 'POST',
  path: '/oauth/{platform}/choose',
  summary: 'Connect the chosen accounts',
  description: 'The form on the page to choose accounts.',
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
    400: page(
      'Nothing was connected: a page with the reason, and with the choice again if it was empty or too large',
    ),
  },
  rights: {
    reads: { GetItem: ['CHOICE#'] },
    writes: { PutItem: ['WORKSPACE#', 'PLATFORM#', 'LOGIN#'], UpdateItem: ['CHOICE#', 'WORKSPACE#'] },
    tokens: ['GenerateDataKey tokens', 'Decrypt choice'],
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
  timeoutSeconds: 29,
});
