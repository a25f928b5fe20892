import { systemClock } from '../../lib/kernel/clock.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { ChainMessage } from '../../lib/posts/chain/schemas.ts';
import { runChain } from '../../lib/posts/run-chain.ts';
import { queueHandler } from '../middleware/queue.ts';
import { table } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';

/** Makes posts of a chain's steps, once something of the post they belong to is live. */
export const build = queueHandler({ table }, async ({ table }, { body }) => {
  const message = ChainMessage.parse(JSON.parse(body));
  addLogKeys(message);
  const outcome = await runChain({ table, now: systemClock, rulesFor }, message);
  logger.info('a chain was looked at', { outcome });
});
