import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { secondMs } from '../../../lib/kernel/clock.ts';
import type { World } from '../world/world.ts';
import type { Fleet } from './functions.ts';

/** The response of a route's handler. */
interface RouteAnswer {
  readonly statusCode: number;
  readonly body: string;
}

/** Time that Instagram waits for the answer to a webhook. */
const senderTimeoutMs = 10 * secondMs;

/**
 * API Gateway in front of one route. It passes each request to the route's function. Connections break before or after the
 * function has run, and some requests come again.
 *
 * @param fleet the environments of the function
 * @returns sends a request, and throws if no answer comes in time
 */
export function createGateway(world: World, fleet: Fleet) {
  let count = 0;

  async function answer(event: object): Promise<Pick<Response, 'status' | 'text'>> {
    const outcome = await fleet.invoke(() => event);
    const { statusCode, body } =
      outcome.kind === 'done' ? (outcome.result as RouteAnswer) : { statusCode: 502, body: '' };
    world.note('call', 'platform instagram', `sends a webhook → ${statusCode}`);
    if (statusCode === 200 && world.happens('inboundAgain')) {
      world.clockwork.after(10 ** world.random.between(0, 4) * secondMs, () => void answer(event));
    }
    return { status: statusCode, text: async () => body };
  }

  return (address: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { random, clockwork } = world;
      count += 1;
      const event = eventOf(new URL(address), init, `request ${count}`);
      const fault = world.happens('inboundLost') ? random.pick(['before', 'after'] as const) : undefined;
      const lose = () => reject(new Error('the connection broke'));
      init.signal?.addEventListener('abort', lose);
      clockwork.after(senderTimeoutMs, lose);
      clockwork.after(random.between(10, 100), async () => {
        if (fault === 'before') return lose();
        void answer(event).then((response) => {
          if (fault === 'after') lose();
          else clockwork.after(random.between(10, 100), () => resolve(response as Response));
        });
      });
    });
}

function eventOf(
  { pathname, search }: URL,
  { method = 'GET', headers = {}, body }: RequestInit,
  requestId: string,
): Partial<APIGatewayProxyEventV2> {
  return {
    routeKey: `${method} ${pathname}`,
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: headers as Record<string, string>,
    body: String(body ?? ''),
    isBase64Encoded: false,
    requestContext: { http: { method }, requestId } as APIGatewayProxyEventV2['requestContext'],
  };
}
