import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { MetaPlatform } from './schemas.ts';

const byPlatform = z.object({ platform: MetaPlatform });
const bodyType = 'application/x-www-form-urlencoded';

const SignedRequestForm = z.object({
  signed_request: z.string().meta({
    description:
      '`<signature>.<payload>` in base64url: HMAC-SHA256 of the payload, keyed by the app secret. https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback',
  }),
});

const refusals = {
  400: 'The request is signed, but names no user',
  401: 'The signature is wrong or missing',
  404: 'The platform sends no such callbacks',
  500: 'The request was not accepted: send it again',
  503: "The platform's app credentials are not set on this service",
};

const shared = {
  handler: 'platforms/withdraw',
  method: 'POST',
  access: 'public',
  pathParameters: byPlatform,
  body: SignedRequestForm,
  bodyType,
  refusals,
  rights: { writes: { PutItem: ['WITHDRAWAL#'] }, platformSecrets: MetaPlatform.options },
  settings: ['PUBLIC_BASE_URL'],
} as const;

export const deauthorizeOperation = operation({
  ...shared,
  id: 'deauthorizeApp',
  path: '/platforms/{platform}/deauthorize',
  summary: "Meta's deauthorize callback",
  description:
    'Sent when a person removes the app. Their accounts expire within minutes, each with the event `account.expired`, and their tokens are deleted. Safe to send again.',
  replies: { 200: { description: 'Accepted', body: z.string(), bodyType: 'text/plain' } },
});

export const dataDeletionOperation = operation({
  ...shared,
  id: 'requestDataDeletion',
  path: '/platforms/{platform}/data-deletion',
  summary: "Meta's data deletion request callback",
  description:
    'Sent when a person asks Meta to have the app delete their data. Does the same as the deauthorize callback, and deletes what Meta has told this service about the person. Safe to send again: the response is the same.',
  replies: {
    200: {
      description: 'Accepted',
      body: z.object({
        url: z.url().meta({ description: 'The page that shows the status of the request' }),
        confirmation_code: z.string().meta({ description: 'Letters and digits' }),
      }),
    },
  },
});

const page = (description: string) => ({ description, body: z.string(), bodyType: 'text/html' });

export const deletionStatusOperation = operation({
  id: 'getDeletionStatus',
  handler: 'platforms/deletion-status',
  method: 'GET',
  path: '/platforms/data-deletion/{code}',
  summary: 'Read the status of a data deletion request',
  description: 'A page for the person who asked. It shows no personal data. Readable for 400 days.',
  access: 'public',
  pathParameters: z.object({ code: z.string() }),
  replies: {
    200: page('The state of the deletion: data that is left, and the time by which it goes'),
    404: page('No request has this code'),
    500: page('An error of this service: a page with the request id to quote'),
  },
  rights: { reads: { GetItem: ['WITHDRAWAL#'] } },
});
