import { systemClock } from '../../lib/kernel/clock.ts';
import { continuing } from '../../lib/kernel/continued-messages.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { publicUrl } from '../../lib/media/urls.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { type PublishMessage, WakeMessage, wakesOf } from '../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { publishTarget } from '../../lib/publishing/publish.ts';
import { queueHandler } from '../middleware/queue.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { bucket, publishDeadLetters, publishQueue, table, vault } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { addLogKeys, type LogKeys, logger, withLogKeys } from '../wire/logger.ts';
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

/**
 * Works the wakes that a message names, at the same time. Returns once the result or the next wake of each is committed. If the
 * work on one of several throws, that one goes on as a message of its own, so that it is tried again alone and takes no other
 * target to the dead letters.
 */
export const build = queueHandler(wires, async (dependencies, { body, messageId }, context) => {
  const wakes = wakesOf(WakeMessage.parse(JSON.parse(body)));
  const deadline = systemClock() + context.getRemainingTimeInMillis();
  const outcomes = await Promise.allSettled(
    wakes.map((wake) => withLogKeys({ messageId, ...idsOf(wake) }, () => work(dependencies, wake, deadline))),
  );
  const failed = outcomes.flatMap((outcome, index) => {
    const wake = wakes[index];
    return outcome.status === 'rejected' && wake ? [{ wake, reason: outcome.reason }] : [];
  });
  if (wakes.length === 1) for (const { reason } of failed) throw reason;
  for (const { wake, reason } of failed) {
    logger.error('the wake of a target failed and is sent again', { ...idsOf(wake), error: reason as Error });
    await continuing(wake, dependencies.publishQueue.send)(wake, 0);
  }
});

const idsOf = ({ isTakeover: _isTakeover, ...ids }: PublishMessage): LogKeys => ids;

async function work(
  dependencies: Wired<typeof wires>,
  wake: PublishMessage,
  deadline: number,
): Promise<void> {
  const outcome = await publishTarget(wake, portsOf(dependencies), deadline);
  logger.info('a target was processed', { outcome });
}

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
