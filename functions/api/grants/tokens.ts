import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { systemClock } from '../../../lib/kernel/clock.ts';
import {
  type IssuedTokens,
  type RedeemPorts,
  type RefusedTokens,
  redeemCode,
  refreshTokens,
  revokeToken,
} from '../../../lib/people/grants/redeem.ts';
import { readForm } from '../../middleware/form.ts';
import { addressOf, panelRequest } from '../../middleware/panel-request.ts';
import { type CountedEvent, RequestLimits } from '../../middleware/rate-limits.ts';
import { jsonReply, type Reply } from '../../middleware/reply.ts';
import { requestIdOf, routeHandler } from '../../middleware/route.ts';
import { table } from '../../wire/aws.ts';
import { panelEdge, ratesPerMinute } from '../../wire/settings.ts';

/** The parameters of a request; absent if it is not a form, or has one of them twice. */
type Parameters = Readonly<Record<string, string>> | undefined;

/**
 * `POST /oauth/token` and `/oauth/revoke`. A request with a code or token of a grant counts for the grant alone, so that many people
 * can use one hosted client; any other counts for its address. Pages of any site may call it: it knows no cookies.
 */
export const build = routeHandler({ table, ratesPerMinute, panelEdge }, (dependencies) => {
  const { table, ratesPerMinute, panelEdge } = dependencies;
  const limits = new RequestLimits(table, ratesPerMinute);
  return async (event: CountedEvent) => {
    const now = systemClock();
    const ports: RedeemPorts = {
      table,
      now,
      requestId: requestIdOf(event),
      count: async ({ caller }) => {
        await limits.countGrant(event, caller.keyId, now);
        await limits.countCaller(event, caller, now);
      },
    };
    const address = addressOf(event, panelRequest(event.headers, panelEdge));
    const countAddress = () => limits.countAddress(event, address, now);
    const parameters = parametersOf(event);
    if (!parameters) {
      await countAddress();
      return refusal('invalid_request', 'send each parameter once, as application/x-www-form-urlencoded');
    }
    if (event.routeKey.endsWith('/oauth/revoke')) {
      const { token = '', client_id: clientId } = parameters;
      await revokeToken(ports, { token, clientId });
      if (event.standings === undefined) await countAddress();
      return answer(200, {});
    }
    const outcome = await redeem(ports, parameters);
    if (!('error' in outcome)) return answer(200, outcome);
    if ('isUnknown' in outcome || event.standings === undefined) await countAddress();
    return refusal(outcome.error, outcome.error_description);
  };
});

type Refusal = Omit<RefusedTokens, 'error'> & { readonly error: string };

async function redeem(
  ports: RedeemPorts,
  parameters: Readonly<Record<string, string>>,
): Promise<IssuedTokens | Refusal> {
  const { grant_type, client_id: clientId, resource, code, redirect_uri: redirectUri } = parameters;
  const { code_verifier: verifier, refresh_token: refreshToken } = parameters;
  if (clientId === undefined) return missing('client_id');
  if (grant_type === 'authorization_code') {
    if (code === undefined) return missing('code');
    if (verifier === undefined) return missing('code_verifier');
    return redeemCode(ports, { clientId, resource, code, verifier, redirectUri });
  }
  if (grant_type === 'refresh_token') {
    if (refreshToken === undefined) return missing('refresh_token');
    return refreshTokens(ports, { clientId, resource, refreshToken });
  }
  return grant_type === undefined
    ? missing('grant_type')
    : {
        error: 'unsupported_grant_type',
        error_description: 'it must be authorization_code or refresh_token',
      };
}

const missing = (name: string): Refusal => ({
  error: 'invalid_request',
  error_description: `${name} is missing`,
});

const formType = /^application\/x-www-form-urlencoded(;|$)/i;

function parametersOf(event: APIGatewayProxyEventV2): Parameters {
  if (!formType.test(event.headers['content-type'] ?? '')) return undefined;
  const fields = [...readForm(event)];
  const names = new Set(fields.map(([name]) => name));
  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  return names.size === fields.length
    ? Object.fromEntries(fields.filter(([, value]) => value !== ''))
    : undefined;
}

function refusal(error: string, description: string): Reply {
  const isTemporary = error === 'temporarily_unavailable';
  return answer(isTemporary ? 503 : 400, { error, error_description: description });
}

function answer(status: number, body: object): Reply {
  const reply = jsonReply(status, body);
  return { ...reply, headers: { ...reply.headers, pragma: 'no-cache', 'access-control-allow-origin': '*' } };
}
