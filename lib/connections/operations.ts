import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { Platform } from '../platforms/contract/names.ts';
import { AttemptView, BeginConnectionBody, BegunConnection, ClaimBody } from './schemas.ts';

const byPlatform = z.object({ platform: Platform });

export const beginConnectionOperation = operation({
  id: 'startConnection',
  handler: 'accounts/connect',
  verb: 'account.connect',
  method: 'POST',
  path: '/v1/connect/{platform}',
  summary: 'Begin to connect accounts',
  description:
    'Open `authUrl` within ten minutes, in the browser of the person who owns the account. It is a page of this service that names your workspace and continues to the platform, which sends the browser back. The person then chooses accounts and confirms, and the browser returns to `redirectUrl`. Only the browser that continued to the platform can confirm. Connecting an account again renews its authorization and keeps its id.',
  pathParameters: byPlatform,
  body: BeginConnectionBody.default({}),
  replies: { 201: { description: 'The authorization has begun', body: BegunConnection } },
  refusals: { 503: "The platform's app credentials are not set on this service" },
  rights: {
    reads: { GetItem: ['WORKSPACE#'] },
    writes: { PutItem: ['CONNECTION#'] },
    platformSecrets: true,
  },
  settings: ['PLATFORM_FEATURES', 'PUBLIC_BASE_URL'],
});

const byState = z.object({
  state: z.string().meta({ description: 'The `state` of the attempt' }),
});
const attemptReply = { description: 'The attempt', body: z.object({ attempt: AttemptView }) };

export const readAttemptOperation = operation({
  id: 'getConnectionAttempt',
  handler: 'accounts/read-attempt',
  verb: 'account.read-attempt',
  method: 'GET',
  path: '/v1/connect/attempts/{state}',
  summary: 'Read the outcome of an attempt to connect accounts',
  description: 'Readable until 24 hours after its last step has ended.',
  pathParameters: byState,
  replies: { 200: attemptReply },
  refusals: { 404: 'The attempt belongs to another workspace, is too old or does not exist' },
  rights: { reads: { GetItem: ['CONNECTION#'], BatchGetItem: ['WORKSPACE#'] } },
  settings: ['PLATFORM_FEATURES'],
});

export const claimAttemptOperation = operation({
  id: 'claimConnectionAttempt',
  handler: 'accounts/claim-attempt',
  verb: 'account.connect',
  method: 'POST',
  path: '/v1/connect/attempts/{state}/claim',
  summary: 'Connect the accounts of an attempt that began with `claim`',
  description:
    'Send the `code` that the browser brought to `redirectUrl`, within ten minutes. First check that the browser session that brings the code is the one that began the attempt: otherwise somebody else has finished it. Sending the same code again returns the same attempt.',
  pathParameters: byState,
  body: ClaimBody,
  replies: { 200: { ...attemptReply, description: 'Connected' } },
  refusals: {
    404: 'The attempt belongs to another workspace, is too old or does not exist',
    409: 'There is nothing to claim: the attempt began without `claim`, is not confirmed or has expired; or the platform refuses the account',
    503: 'The platform does not answer, or its app credentials are not set on this service',
  },
  rights: {
    reads: { GetItem: ['CONNECTION#'], BatchGetItem: ['WORKSPACE#'] },
    writes: {
      PutItem: ['WORKSPACE#', 'PLATFORM#', 'LOGIN#'],
      UpdateItem: ['CONNECTION#', 'WORKSPACE#', 'OWNED#'],
    },
    tokens: ['GenerateDataKey tokens', 'Decrypt choice'],
    platformSecrets: true,
  },
  timeoutSeconds: 29,
  settings: ['PLATFORM_FEATURES'],
});

const bodyType = 'text/html';
const page = (description: string) => ({ description, body: z.string(), bodyType });
const Location = 'The next address for the browser';
const cookie = { 'Set-Cookie': 'Binds the attempt to this browser, for ten minutes' };

const sentBack = {
  description:
    'Redirects to the `redirectUrl` of the request that began the attempt, with `connected=<account ids>`, `error=<code>` or, with `claim`, `code` and `state`',
  headers: { Location },
};
const failures = {
  400: page('Nothing was connected: a page with the reason'),
  500: page('An error of this service: a page with the request id to quote'),
};
const stateQuery = z.object({ state: z.string().optional() });
const formType = 'application/x-www-form-urlencoded';

export const introduceOperation = operation({
  id: 'introduceConnection',
  handler: 'oauth/begin',
  method: 'GET',
  path: '/oauth/{platform}/begin',
  summary: 'See who asks to connect accounts',
  description: 'The page behind `authUrl`. It names the workspace. Opening it uses up nothing.',
  access: 'public',
  pathParameters: byPlatform,
  query: stateQuery,
  replies: { 200: page('A page with a form to continue'), ...failures },
  rights: { reads: { GetItem: ['CONNECTION#', 'WORKSPACE#'] }, platformSecrets: true },
  settings: ['PUBLIC_BASE_URL'],
});

export const leaveForPlatformOperation = operation({
  id: 'leaveForPlatform',
  handler: 'oauth/begin',
  method: 'POST',
  path: '/oauth/{platform}/begin',
  summary: 'Continue to the platform',
  description: 'The form on that page. Binds the attempt to the browser.',
  access: 'public',
  pathParameters: byPlatform,
  body: z.object({ state: z.string() }),
  bodyType: formType,
  replies: {
    303: {
      description: "Redirects to the platform's consent page",
      headers: { Location, ...cookie },
    },
    ...failures,
  },
  rights: {
    reads: { GetItem: ['CONNECTION#', 'WORKSPACE#'] },
    writes: { UpdateItem: ['CONNECTION#'] },
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
});

export const authorizationCallbackOperation = operation({
  id: 'receiveAuthorization',
  handler: 'oauth/callback',
  method: 'GET',
  path: '/oauth/{platform}/callback',
  summary: 'Return from a platform',
  description:
    'The redirect URL that is registered at the platform. Requires the cookie of the browser that left for the platform, and its `state`, which is valid for ten minutes and one answer. Other parameters that a platform sends are ignored. Accounts of the same person in the workspace that the login no longer allows become `expired`.',
  access: 'public',
  pathParameters: byPlatform,
  query: z.object({
    state: z.string().optional(),
    code: z.string().optional(),
    error: z.string().optional().meta({ description: 'Sent instead of `code` (RFC 6749, 4.1.2.1)' }),
    error_description: z.string().optional().meta({ description: 'Logged, never shown' }),
  }),
  replies: {
    200: page('This browser has already confirmed: a page that says so'),
    303: {
      description:
        'Redirects to the page to choose accounts and confirm; or, if the platform granted nothing, to `redirectUrl` with `error=<code>`',
      headers: { Location },
    },
    ...failures,
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], BatchGetItem: ['WORKSPACE#'], Query: ['LOGIN#'] },
    writes: { UpdateItem: ['CONNECTION#', 'WORKSPACE#'] },
    // The tokens of other accounts of the same person are checked, because the login may have ended them.
    tokens: ['GenerateDataKey choice', 'Decrypt tokens'],
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
  timeoutSeconds: 29,
});

export const showChoiceOperation = operation({
  id: 'showAccountChoice',
  handler: 'oauth/choose',
  method: 'GET',
  path: '/oauth/{platform}/choose',
  summary: 'Choose which accounts of a login to connect, and confirm',
  description:
    'Names the workspace, the accounts, and those that were connected before and that the login no longer allows. Requires the cookie. Valid for ten minutes and one answer.',
  access: 'public',
  pathParameters: byPlatform,
  query: stateQuery,
  replies: { 200: page('A page with the accounts'), ...failures },
  rights: {
    reads: { GetItem: ['CONNECTION#', 'WORKSPACE#'], BatchGetItem: ['WORKSPACE#'], Query: ['LOGIN#'] },
    tokens: ['Decrypt choice'],
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
});

export const confirmChoiceOperation = operation({
  id: 'confirmAccountChoice',
  handler: 'oauth/choose',
  method: 'POST',
  path: '/oauth/{platform}/choose',
  summary: 'Connect the chosen accounts',
  description:
    'The form on that page. Requires the cookie. Sent again, it connects nothing more and gets the same redirect.',
  access: 'public',
  pathParameters: byPlatform,
  body: z.object({
    state: z.string(),
    account: z.array(z.string()).optional().meta({ description: "The platform's ids of the accounts" }),
    answer: z.enum(['connect', 'cancel']).optional(),
  }),
  bodyType: formType,
  replies: {
    200: page('Connected, and no `redirectUrl` was given: a page that says so'),
    303: sentBack,
    ...failures,
    400: page(
      'Nothing was connected: a page with the reason, and with the choice again if it was empty or too large, or the platform failed',
    ),
  },
  rights: {
    reads: { GetItem: ['CONNECTION#', 'WORKSPACE#'], BatchGetItem: ['WORKSPACE#'], Query: ['LOGIN#'] },
    writes: {
      PutItem: ['WORKSPACE#', 'PLATFORM#', 'LOGIN#', 'AUDIT#'],
      UpdateItem: ['CONNECTION#', 'WORKSPACE#', 'OWNED#'],
    },
    tokens: ['GenerateDataKey tokens', 'GenerateDataKey choice', 'Decrypt choice'],
    platformSecrets: true,
  },
  settings: ['PUBLIC_BASE_URL'],
  timeoutSeconds: 29,
});
