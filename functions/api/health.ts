import { jsonReply } from '../middleware/reply.ts';
import { routeHandler } from '../middleware/route.ts';

/**
 * `GET /health`: the gateway and this function respond. It does not read the table, so it says nothing about the rest of the
 * service.
 */
export const build = routeHandler({}, () => async () => jsonReply(200, { status: 'ok' }));
