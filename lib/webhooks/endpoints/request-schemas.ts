import * as z from 'zod';
import { WebhookEventType, webhookLimits } from '../schemas.ts';

const Url = z.string().min(1).max(webhookLimits.urlCharacters).meta({
  format: 'uri',
  description:
    '`https` to a public host, on port 443 or 8443. Redirects are not followed, so give the final URL',
});

const Events = z
  .array(WebhookEventType)
  .min(1)
  .max(100)
  .meta({ description: 'The events that the endpoint receives. Duplicates are ignored' });

const Description = z.string().max(webhookLimits.descriptionCharacters).nullable();

export const CreateWebhookBody = z
  .object({
    url: Url,
    events: Events,
    isActive: z.boolean().default(true),
    description: Description.default(null),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>;

export const EditWebhookBody = z
  .object({
    url: Url.optional(),
    events: Events.optional(),
    isActive: z.boolean().optional().meta({
      description: '`true` turns a disabled endpoint on again. Events that it missed are not sent',
    }),
    description: Description.optional(),
  })
  .meta({ id: 'EditWebhook' });
export type EditWebhookBody = z.infer<typeof EditWebhookBody>;
