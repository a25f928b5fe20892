import type { ZernioCall } from './call.ts';
import { accountCalls } from './calls/accounts.ts';
import { analyticsCalls } from './calls/analytics.ts';
import { automationCalls } from './calls/automations.ts';
import { bulkUpload } from './calls/bulk.ts';
import { checkCalls } from './calls/checks.ts';
import { mediaCalls } from './calls/media.ts';
import { postCalls } from './calls/posts.ts';
import { queueCalls } from './calls/queue.ts';
import { webhookCalls } from './calls/webhooks.ts';
import { workspaceCalls } from './calls/workspace.ts';

/** Every call of Zernio's interface that Herald answers, in the order of the tables in `docs/from-zernio.md`. */
export const calls: readonly ZernioCall[] = [
  ...postCalls,
  bulkUpload,
  ...accountCalls,
  ...mediaCalls,
  ...queueCalls,
  ...checkCalls,
  ...automationCalls,
  ...webhookCalls,
  ...analyticsCalls,
  ...workspaceCalls,
];
