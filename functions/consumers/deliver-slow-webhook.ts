import { webhookBatchHandler } from '../middleware/webhook-batches.ts';

/** Makes the attempts to slow endpoints that are due, one per message. */
export const build = webhookBatchHandler('slow');
