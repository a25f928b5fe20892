import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';

const found = { description: 'To where the link leads', headers: { Location: 'An http or https address' } };
/** One read of the table and one write, without the SDK. */
const onRedirect = { memoryMegabytes: 256, timeoutSeconds: 5, isCrowded: true };

export const redirectOperation = operation({
  handler: 'redirect',
  method: 'GET',
  path: '/r/{code}',
  summary: 'Follow a tracked link',
  description:
    'Also at `/api/r/{code}`. The click is counted; nothing about who clicked is stored. `HEAD` is answered alike and not counted, nor are programs that make previews or crawl.',
  access: 'public',
  pathParameters: z.object({ code: z.string() }),
  replies: { 302: found },
  refusals: {
    404: 'Unknown code',
    503: 'The link cannot be looked up at the moment; `Retry-After` gives the wait in seconds',
  },
  rights: { tablePartitions: { GetItem: 'LINK#', UpdateItem: 'CLICKS#' } },
  ...onRedirect,
});

export const redirectHeadOperation = operation({
  handler: 'redirect',
  id: 'redirect-head',
  method: 'HEAD',
  path: '/r/{code}',
  summary: 'Look where a tracked link leads',
  description: 'The same answer without a body, and no click.',
  access: 'public',
  pathParameters: z.object({ code: z.string() }),
  replies: {
    302: found,
    404: { description: 'Unknown code' },
    503: { description: 'The link cannot be looked up at the moment', headers: { 'Retry-After': 'Seconds' } },
  },
  rights: { tablePartitions: { GetItem: 'LINK#' } },
  ...onRedirect,
});
