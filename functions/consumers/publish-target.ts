import { systemClock } from '../../lib/kernel/clock.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { publicUrl } from '../../lib/media/urls.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { PublishMessage } from '../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { publishTarget } from '../../lib/publishing/publish.ts';
import { queueHandler } from '../middleware/queue.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { bucket, publishDeadLetters, publishQueue, table, vault } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { mediaBaseUrl } from '../wire/settings.ts';
import type { Wired } from '../wire/start.ts';

const wires = {
  table,
  vault,
  toolsFor,
  bucket,
  mediaBaseUrl,
  dailyLimits,
  publishQueue,
  publishDeadLetters,
};

/** Works one wake of one target. Returns once the result or the next wake is committed. */
export const build = queueHandler(wires, async (dependencies, { body }, context) => {
  const message = PublishMessage.parse(JSON.parse(body));
  const { isTakeover: _isTakeover, ...keys } = message;
  addLogKeys(keys);
  const deadline = systemClock() + context.getRemainingTimeInMillis();
  const outcome = await publishTarget(message, portsOf(dependencies), deadline);
  logger.info('a target was processed', { outcome });
});

function portsOf(dependencies: Wired<typeof wires>): PublishingPorts {
  const { bucket, mediaBaseUrl, dailyLimits, publishQueue, publishDeadLetters } = dependencies;
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
    enqueue: publishQueue.send,
    onTaken: ({ platform, attempt }) => addLogKeys({ platform, attempt }),
    sendToDeadLetters: publishDeadLetters.send,
  };
}
