import * as z from 'zod';

/** What the queue `inbound` carries: a delivery of a platform, its signature verified, as `packBody` packs it. */
export const InboundQueueMessage = z.object({ body: z.string() });
export type InboundQueueMessage = z.infer<typeof InboundQueueMessage>;
