import { webhookBatchHandler } from '../middleware/webhook-batches.ts';

/** Makes the attempts that are due, one per message, except those to slow endpoints. */
export const build = webhookBatchHandler('main');
