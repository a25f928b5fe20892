import { createAutomation } from '../../../lib/automations/create.ts';
import { CreateAutomationBody } from '../../../lib/automations/request-schemas.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import { linkBaseUrl } from '../service.ts';
import type { PlannedComments, PlannedMessages } from './plan.ts';
import type { Request } from './requests.ts';
import type { ReadyWorkspace, SetupPorts } from './setup.ts';

const maxTries = 8;

/** The texts that an automation sends, in the order of a conversation. */
const automationTexts = {
  reply: (name: string) => `${name}: look into your messages`,
  question: (name: string) => `${name}: tap to get the link`,
  refusal: (name: string) => `${name}: follow us first`,
  message: (name: string) => `${name}: here it is`,
};

/** The subject of an automation: a live post, or messages. */
type Answered = { readonly platformPostId: string } | Pick<PlannedMessages, 'appliesTo'>;

/** Returns a function that creates an automation. It repeats the request until it gets an answer. */
export function createAutomations({ world }: SetupPorts, workspace: ReadyWorkspace, request: Request) {
  return async (planned: Content & { readonly account: number }, answered: Answered): Promise<void> => {
    const accountId = workspace.accounts[planned.account]?.id;
    const body = CreateAutomationBody.parse({ accountId, ...answered, ...contentOf(planned) });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const reply = await request(`automate ${planned.name}`, (context) =>
        createAutomation({ ...context, linkBaseUrl, commentPlatformFor }, body),
      );
      if ('answer' in reply) return;
      // The account may be disconnected, or Instagram may not show the post or give no answer now.
      if ('refused' in reply && !['not_found', 'conflict', 'unavailable'].includes(reply.refused.kind)) {
        world.violate(`the automation "${planned.name}" was refused: ${reply.refused.message}`);
        return;
      }
      const pauseMs = world.random.between(secondMs, tries * minuteMs);
      await new Promise<void>((resolve) => world.clockwork.after(pauseMs, () => resolve()));
    }
  };
}

type Content = Pick<PlannedComments, 'name' | 'texts' | 'replies' | 'writes' | 'isGated'>;

function contentOf({ name, texts = name, replies, writes, isGated }: Content) {
  return {
    name,
    keywords: ['link'],
    commentReply: replies ? automationTexts.reply(texts) : null,
    dmMessage: writes ? automationTexts.message(texts) : null,
    buttons: writes ? [{ title: 'Open', url: 'https://customer.example/offer' }] : [],
    followGate: isGated
      ? {
          message: automationTexts.question(texts),
          buttonLabel: 'Send it',
          notFollowingMessage: automationTexts.refusal(texts),
        }
      : null,
  };
}
