export { createWebhook } from './create.ts';
export { editWebhook, removeWebhook } from './edit.ts';
export { listDeliveries, listWebhooks, readWebhook } from './read.ts';
export { redeliver, redeliverFailed } from './redeliver.ts';
export { rotateSecret } from './rotate-secret.ts';
export { sendTestEvent } from './send-test.ts';
export { parsePlainHttpHosts } from './url.ts';
