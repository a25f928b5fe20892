import { markAccount } from '../../lib/accounts/store.ts';
import { AccountTokens } from '../../lib/accounts/tokens/access-tokens.ts';
import { openBucket } from '../../lib/aws/bucket.ts';
import { openQueue, openTenantQueue } from '../../lib/aws/queue.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { publicUrl } from '../../lib/media/urls.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { PublishMessage } from '../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { publishTarget } from '../../lib/publishing/publish.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { addLogKeys, logger } from '../logger.ts';
import { queueHandler } from '../middleware/queue.ts';
import { platformTools, tokenVault } from '../platform-tools.ts';

const env = environment(
  'TABLE_NAME',
  'MEDIA_BUCKET',
  'MEDIA_BASE_URL',
  'PUBLISH_QUEUE_URL',
  'PUBLISH_DEAD_LETTER_URL',
);

const table = openTable(env.TABLE_NAME);
const bucket = openBucket(env.MEDIA_BUCKET);
const deadLetters = openQueue(env.PUBLISH_DEAD_LETTER_URL);
const toolsFor = platformTools();
const uniqueId = () => newId(systemClock());
const tokens = new AccountTokens({
  table,
  vault: tokenVault(),
  now: systemClock,
  sleep,
  uniqueId,
  authorizationFor,
  toolsFor,
});

const ports: PublishingPorts = {
  table,
  now: systemClock,
  sleep,
  chance: Math.random,
  uniqueId,
  adapterFor: (platform) => {
    const adapter = adapterFor(platform);
    if (!adapter) throw new Error(`${platform} has no adapter`);
    return adapter;
  },
  rulesFor,
  toolsFor,
  accessToken: (account, tokensItem) => tokens.accessToken(account, tokensItem),
  renewToken: (account, tokensItem) => tokens.renewToken(account, tokensItem),
  mediaSource: ({ type, objectKey }, { contentType, sizeBytes = 0 }) => ({
    type,
    url: publicUrl(env.MEDIA_BASE_URL, objectKey),
    contentType,
    sizeBytes,
    openRange: (first, last) => bucket.openRange(objectKey, first, last),
  }),
  enqueue: openTenantQueue<PublishMessage>(env.PUBLISH_QUEUE_URL).send,
  taken: ({ platform, attempt }) => addLogKeys({ platform, attempt }),
  setAside: (message) => deadLetters.send(message),
  report: (message, error) => logger.error(message, error as Error),
  markAccount: (account, status, reason) => markAccount(table, account, status, reason),
};

/** Works one wake of one target. The message is done with once what is left is committed. */
export const handler = queueHandler(async ({ body }, context) => {
  const message = PublishMessage.parse(JSON.parse(body));
  addLogKeys(message);
  const deadline = systemClock() + context.getRemainingTimeInMillis();
  const outcome = await publishTarget(message, ports, deadline);
  logger.info('a target was worked', { outcome });
});
