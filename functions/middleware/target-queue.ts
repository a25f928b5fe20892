import { systemClock } from '../../lib/kernel/clock.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { publicUrl } from '../../lib/media/urls.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { discardUpload } from '../../lib/publishing/discard.ts';
import { PublishMessage, type WakeQueue } from '../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { publishTarget } from '../../lib/publishing/publish.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { bucket, renderMediaQueue, sharedTable, vault } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { fetchPicture } from '../wire/public-network.ts';
import { mediaBaseUrl } from '../wire/settings.ts';
import type { Wired, Wires } from '../wire/start.ts';
import { queueHandler } from './queue.ts';

const commonWires = {
  ...{ table: sharedTable, vault, toolsFor, bucket, mediaBaseUrl, dailyLimits },
  ...{ renderMediaQueue, fetchPicture },
};

type OwnPorts = Pick<PublishingPorts, 'enqueue' | 'sendToDeadLetters'>;

/**
 * Creates the handler of a queue of wakes. It works the wake of a message, and returns once the result or the next wake is
 * committed.
 *
 * @param own the worker's dependencies on its own queue, to which it also sends its takeover messages
 */
export function targetHandler<Own extends Wires>(
  queue: WakeQueue,
  ownWires: Own,
  own: (dependencies: Wired<Own>) => OwnPorts,
) {
  const wires = { ...commonWires, ...ownWires };
  return queueHandler(wires, PublishMessage, async (dependencies, message, _record, context) => {
    const { workspaceId, postId, accountId, wakeNumber, sends } = message;
    addLogKeys({ workspaceId, postId, accountId, wakeNumber, ...(sends !== undefined && { sends }) });
    if (message.discards !== undefined) {
      const ports = { ...commonPorts(dependencies), ...own(dependencies), queue };
      logger.info('an upload was to be deleted', { outcome: await discardUpload(ports, message) });
      return;
    }
    const deadline = systemClock() + context.getRemainingTimeInMillis();
    const ports = { ...commonPorts(dependencies), ...own(dependencies), queue };
    const outcome = await publishTarget(message, ports, deadline);
    logger.info('a target was processed', { outcome });
  });
}

function commonPorts(
  dependencies: Wired<typeof commonWires>,
): Omit<PublishingPorts, keyof OwnPorts | 'queue'> {
  const { bucket, mediaBaseUrl, dailyLimits, renderMediaQueue, fetchPicture } = dependencies;
  return {
    ...accountPorts(dependencies),
    sleep,
    adapterFor: (platform) => {
      const adapter = adapterFor(platform);
      if (!adapter) throw new Error(`${platform} has no adapter`);
      return adapter;
    },
    rulesFor,
    dailyLimits,
    mediaSource: ({ type, objectKey }, { contentType, sizeBytes = 0 }) => ({
      type,
      url: publicUrl(mediaBaseUrl, objectKey),
      contentType,
      sizeBytes,
      openRange: (first, last) => bucket.openRange(objectKey, first, last),
    }),
    enqueueRendition: renderMediaQueue.send,
    fetchPicture,
    onTaken: ({ platform, attempt }) => addLogKeys({ platform, attempt }),
  };
}
