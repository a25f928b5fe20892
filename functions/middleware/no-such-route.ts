import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { HeraldError } from '../../lib/kernel/errors.ts';

/** Returns the error for a request whose path and method no route has. */
export function noSuchRoute({ requestContext: { http } }: APIGatewayProxyEventV2): HeraldError {
  return new HeraldError('route_unknown', `no such route: ${http.method} ${http.path}`.slice(0, 200));
}
