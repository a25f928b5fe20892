import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';

const found = { description: 'Redirect to the destination', headers: { Location: 'An http or https URL' } };
/** The settings for the redirect. Each call makes one read and one write, without the SDK. */
const onRedirect = { memoryMegabytes: 256, timeoutSeconds: 5, hasLinkThrottle: true };

export const redirectOperation = operation({
  id: 'followTrackedLink',
  handler: 'redirect',
  method: 'GET',
  path: '/r/{code}',
  summary: 'Follow a tracked link',
  description:
    'Also at `/api/r/{code}`. Counts the click; stores nothing about who clicked. What follows the code in the path, such as a slash, is ignored. `HEAD` requests, link previews and crawlers that say so in `User-Agent` get the same redirect, but are not counted; programs such as curl are.',
  access: 'public',
  pathParameters: z.object({ code: z.string() }),
  replies: { 302: found },
  refusals: {
    404: 'Unknown code; a page for people if the request accepts `text/html`',
    503: 'The link cannot be looked up at the moment; `Retry-After` gives the wait in seconds',
  },
  rights: { reads: { GetItem: ['LINK#'] }, writes: { UpdateItem: ['CLICKS#'] } },
  ...onRedirect,
});

export const redirectHeadOperation = operation({
  id: 'checkTrackedLink',
  handler: 'redirect',
  method: 'HEAD',
  path: '/r/{code}',
  summary: 'Find out where a tracked link leads',
  description: 'The same reply without a body. Counts no click.',
  access: 'public',
  pathParameters: z.object({ code: z.string() }),
  replies: {
    302: found,
    404: { description: 'Unknown code' },
    503: { description: 'The link cannot be looked up at the moment', headers: { 'Retry-After': 'Seconds' } },
  },
  rights: { reads: { GetItem: ['LINK#'] } },
  ...onRedirect,
});
