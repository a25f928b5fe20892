import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import type { ImportPorts, ReadLimits } from '../../lib/media/imports/ports.ts';
import { runImport } from '../../lib/media/imports/run-import.ts';
import { ImportMessage } from '../../lib/media/imports/schemas.ts';
import { queueHandler } from '../middleware/queue.ts';
import { importQueue, partUploads, table } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import { record } from '../wire/metrics.ts';
import { openSource } from '../wire/public-network.ts';
import type { Wired } from '../wire/start.ts';

const wires = { table, openSource, partUploads, importQueue, record };

/** The minimum rate is far below what any file server sends. It bounds how long a server can keep a worker busy on purpose. */
const limits: ReadLimits = { idleMs: 20 * secondMs, bytesPerSecond: 32 * 1024, settlingMs: 20 * secondMs };

/** Time reserved at the end of an invocation for sending the last part and committing the outcome. */
const reserveMs = 60 * secondMs;

/** Makes one attempt to fetch a file from another server. */
export const build = queueHandler(wires, ImportMessage, async (dependencies, message, _record, context) => {
  addLogKeys(message);
  const timeLeftMs = context.getRemainingTimeInMillis() - reserveMs;
  const outcome = await runImport(portsOf(dependencies), message, timeLeftMs);
  if (outcome === 'waiting') dependencies.record([{ name: 'ImportsPutOff', value: 1 }]);
  logger.info('an import was processed', { outcome });
});

function portsOf({ table, openSource, partUploads, importQueue }: Wired<typeof wires>): ImportPorts {
  return {
    table,
    now: systemClock,
    chance: Math.random,
    open: openSource,
    put: partUploads.put,
    beginParts: partUploads.begin,
    enqueue: importQueue.send,
    limits,
  };
}
