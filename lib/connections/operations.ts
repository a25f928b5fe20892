import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { Platform } from '../platforms/contract/names.ts';
import { BeginConnectionBody, BegunConnection } from './schemas.ts';

export const beginConnectionOperation = operation({
  id: 'accounts-connect',
  method: 'POST',
  path: '/v1/connect/{platform}',
  summary: "Begin a platform's own authorization",
  description:
    'Open `authUrl` in the browser of the person whose account it is, within ten minutes. The platform sends them back here, and they end at `redirectUrl`. Where one login carries several accounts they choose on a page in between. Connecting an account again renews it and keeps its id.',
  access: 'key',
  pathParameters: z.object({ platform: Platform }),
  body: BeginConnectionBody.default({}),
  replies: { 201: { description: 'Begun', body: BegunConnection } },
  refusals: { 503: "The platform's app credentials are not set on this service" },
});
