import { runAction } from '../../lib/automations/actions/run-action.ts';
import { runIntake } from '../../lib/automations/inbound/run-intake.ts';
import { AutomationMessage } from '../../lib/automations/schemas.ts';
import { isOwnComment } from '../../lib/platforms/instagram/inbound.ts';
import { commentPlatformFor } from '../../lib/platforms/registry/comment-platforms.ts';
import { queueHandler } from '../middleware/queue.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { automationQueue, table, vault } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import { record } from '../wire/metrics.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { linkBaseUrl } from '../wire/settings.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/**
 * Sends the public reply or the private message of one action, or looks up an earlier one. Also decides which automation answers a
 * held comment.
 */
export const build = queueHandler(
  { table, vault, toolsFor, automationQueue, linkBaseUrl, stageFeatures, record },
  AutomationMessage,
  async (dependencies, message) => {
    const { workspaceId, automationId, action } = message;
    // Logs only the kind: the rest of the action contains a person's id.
    addLogKeys({ workspaceId, automationId, actionKind: action.split('#')[0] ?? '' });
    const { linkBaseUrl, stageFeatures, automationQueue, record } = dependencies;
    const onPutOff = (reason: string) => record([{ name: 'ActionsPutOff', value: 1, reason }]);
    const ports = { linkBaseUrl, stageFeatures, commentPlatformFor, enqueue: automationQueue.send, onPutOff };
    const allPorts = { ...accountPorts(dependencies), ...ports };
    if (message.intake) {
      const outcome = await runIntake({ ...allPorts, isOwn: isOwnComment }, message);
      logger.info('a comment or claim was looked at', { outcome });
      return;
    }
    const outcome = await runAction(allPorts, message);
    logger.info('an action was processed', { outcome });
  },
);
