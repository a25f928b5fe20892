import { systemClock } from '../../lib/kernel/clock.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { runChain } from '../../lib/posts/run-chain.ts';
import { ChainMessage } from '../../lib/posts/stored/chain-schemas.ts';
import { queueHandler } from '../middleware/queue.ts';
import { table } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import { pageReader } from '../wire/public-network.ts';

/** Creates the posts of a chain's steps, once their post is live on any destination. */
export const build = queueHandler(
  { table, pageReader },
  ChainMessage,
  async ({ table, pageReader }, message) => {
    addLogKeys(message);
    const outcome = await runChain({ table, now: systemClock, rulesFor, readPage: pageReader() }, message);
    logger.info('a chain was processed', { outcome });
  },
);
