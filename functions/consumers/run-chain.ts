import { type ChainPorts, runChain } from '../../lib/chains/run-chain.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { ChainMessage } from '../../lib/posts/chain/schemas.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { addLogKeys, logger } from '../logger.ts';
import { queueHandler } from '../middleware/queue.ts';

const { TABLE_NAME } = environment('TABLE_NAME');
const ports: ChainPorts = { table: openTable(TABLE_NAME), now: systemClock, rulesFor };

/** Makes posts of a chain's steps, once something of the post they belong to is live. */
export const handler = queueHandler(async ({ body }) => {
  const message = ChainMessage.parse(JSON.parse(body));
  addLogKeys(message);
  const outcome = await runChain(ports, message);
  logger.info('a chain was looked at', { outcome });
});
