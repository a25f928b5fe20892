import { isAwsFailure } from '../../lib/kernel/aws-failure.ts';
import { maximumReceives } from '../../lib/kernel/receives.ts';
import {
  giveUpRendition,
  type RenditionOutcome,
  type RenditionPorts,
  runRendition,
} from '../../lib/media/renditions/run-rendition.ts';
import { RenditionMessage } from '../../lib/media/renditions/schemas.ts';
import { queueHandler } from '../middleware/queue.ts';
import { table } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import { render, renditionBucket, withFolder } from '../wire/renderer.ts';

/** Makes a rendition of a file. */
export const build = queueHandler(
  { table, renditionBucket, render, withFolder },
  RenditionMessage,
  async ({ table, renditionBucket, render, withFolder }, message, { attributes }) => {
    addLogKeys(message);
    const ports = { table, bucket: renditionBucket, render, withFolder };
    const isLast = Number(attributes.ApproximateReceiveCount) >= maximumReceives;
    const outcome = isLast ? await runOrGiveUp(ports, message) : await runRendition(ports, message);
    logger.info('a rendition was processed', { outcome });
  },
);

/**
 * Works a message that SQS delivers for the last time. A file that still crashes the renderer, or takes too long, is given up. If AWS
 * fails, it is not: the message becomes a dead letter, which operators redrive.
 */
async function runOrGiveUp(
  ports: RenditionPorts,
  message: RenditionMessage,
): Promise<RenditionOutcome | 'given up'> {
  try {
    return await runRendition(ports, message);
  } catch (error) {
    if (isAwsFailure(error)) throw error;
    logger.error('a rendition could not be made', error as Error);
    await giveUpRendition(ports.table, message);
    return 'given up';
  }
}
