import { systemClock } from '../../lib/kernel/clock.ts';
import { continuing } from '../../lib/kernel/continued-messages.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { publicUrl } from '../../lib/media/urls.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { type MetWake, meetWakes } from '../../lib/publishing/meet-wakes.ts';
import { type PublishMessage, WakeMessage, type WakeQueue } from '../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { publishTarget } from '../../lib/publishing/publish.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { bucket, sharedTable, vault } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { addLogKeys, type LogKeys, logger, withLogKeys } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { mediaBaseUrl } from '../wire/settings.ts';
import type { Wired, Wires } from '../wire/start.ts';
import { queueHandler } from './queue.ts';

const commonWires = { table: sharedTable, vault, toolsFor, bucket, mediaBaseUrl, dailyLimits };

type OwnPorts = Pick<PublishingPorts, 'enqueue' | 'sendToDeadLetters'>;

/**
 * Creates the handler of a queue of wakes. It works all wakes of a message concurrently, and returns once the result or the next
 * wake of each is committed. If one of several throws, it continues as a message of its own, so that it is retried alone and
 * takes no other target to the dead letters.
 *
 * @param own the worker's dependencies on its own queue, to which it also sends its takeover messages
 */
export function targetHandler<Own extends Wires>(
  queue: WakeQueue,
  ownWires: Own,
  own: (dependencies: Wired<Own>) => OwnPorts,
) {
  return queueHandler({ ...commonWires, ...ownWires }, async (dependencies, { body, messageId }, context) => {
    const message = WakeMessage.parse(JSON.parse(body));
    const deadline = systemClock() + context.getRemainingTimeInMillis();
    const ports = { ...commonPorts(dependencies), ...own(dependencies), queue };
    const keysOf = (wake: PublishMessage) => ({ messageId, ...idsOf(wake) });
    const met = await withLogKeys(keysOf(message), () => meetWakes(message, ports));
    const outcomes = await Promise.allSettled(
      met.map(({ wake, met: seen }) => withLogKeys(keysOf(wake), () => work(wake, ports, deadline, seen))),
    );
    const failed = outcomes.flatMap((outcome, index) => {
      const wake = met[index]?.wake;
      return outcome.status === 'rejected' && wake ? [{ wake, reason: outcome.reason }] : [];
    });
    if (met.length === 1) for (const { reason } of failed) throw reason;
    for (const { wake, reason } of failed) {
      logger.error('the wake of a target failed and is sent again', {
        ...idsOf(wake),
        error: reason as Error,
      });
      await continuing(wake, ports.enqueue)(wake, 0);
    }
  });
}

const idsOf = ({ workspaceId, postId, accountId, wakeNumber, sends }: PublishMessage): LogKeys => ({
  workspaceId,
  postId,
  accountId,
  wakeNumber,
  ...(sends !== undefined && { sends }),
});

async function work(
  wake: PublishMessage,
  ports: PublishingPorts,
  deadline: number,
  met: MetWake,
): Promise<void> {
  const outcome = await publishTarget(wake, ports, deadline, met);
  logger.info('a target was processed', { outcome });
}

function commonPorts(
  dependencies: Wired<typeof commonWires>,
): Omit<PublishingPorts, keyof OwnPorts | 'queue'> {
  const { bucket, mediaBaseUrl, dailyLimits } = dependencies;
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
    onTaken: ({ platform, attempt }) => addLogKeys({ platform, attempt }),
  };
}
