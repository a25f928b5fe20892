import { jsonReply } from '../middleware/reply.ts';
import { routeHandler } from '../middleware/route.ts';

/** `GET /health`: the gateway and this function answer. It asks nothing of the table, so that it tells what it says. */
export const build = routeHandler({}, () => async () => jsonReply(200, { status: 'ok' }));
