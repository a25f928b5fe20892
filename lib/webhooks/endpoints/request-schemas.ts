import * as z from 'zod';
import { Id } from '../../api-contract/fields.ts';
import { WebhookSubscription, webhookLimits } from '../schemas.ts';

const Url = z.string().min(1).max(webhookLimits.urlCharacters).meta({
  format: 'uri',
  description:
    '`https` to a public host, on port 443 or 8443. Redirects are not followed, so give the final URL',
});

const Events = z
  .array(WebhookSubscription)
  .min(1)
  .max(100)
  .meta({ description: 'The events that the endpoint receives; `*` means all. Duplicates are ignored' });

const AccountIds = z.array(Id).min(1).max(webhookLimits.accounts).nullable().meta({
  description:
    'Sends only events about one of these accounts of the workspace. An event about a post is about all of its accounts. null: events about any account',
});

const Description = z.string().max(webhookLimits.descriptionCharacters).nullable();

export const CreateWebhookBody = z
  .object({
    url: Url,
    events: Events,
    accountIds: AccountIds.default(null),
    isActive: z.boolean().default(true),
    description: Description.default(null),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>;

export const EditWebhookBody = z
  .object({
    url: Url.optional(),
    events: Events.optional(),
    accountIds: AccountIds.optional(),
    isActive: z.boolean().optional().meta({
      description: '`true` turns a disabled endpoint on again. Events that it missed are not sent',
    }),
    description: Description.optional(),
  })
  .meta({ id: 'EditWebhook' });
export type EditWebhookBody = z.infer<typeof EditWebhookBody>;
