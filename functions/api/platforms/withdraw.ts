import { systemClock } from '../../../lib/kernel/clock.ts';
import { HeraldError, notFound } from '../../../lib/kernel/errors.ts';
import { acceptWithdrawal } from '../../../lib/withdrawals/accept.ts';
import { MetaPlatform } from '../../../lib/withdrawals/schemas.ts';
import { readForm } from '../../middleware/form.ts';
import { jsonReply, textReply } from '../../middleware/reply.ts';
import { routeHandler } from '../../middleware/route.ts';
import { table } from '../../wire/aws.ts';
import { record } from '../../wire/metrics.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { publicBaseUrl } from '../../wire/settings.ts';

/** `POST /platforms/{platform}/deauthorize` and `POST /platforms/{platform}/data-deletion`: Meta's callbacks. */
export const build = routeHandler({ table, toolsFor, publicBaseUrl, record }, (dependencies) => {
  const { table, toolsFor, publicBaseUrl, record } = dependencies;
  return async (event) => {
    const platform = MetaPlatform.safeParse(event.pathParameters?.['platform']).data;
    if (platform === undefined) throw notFound('callback');
    const request = event.routeKey.endsWith('/deauthorize') ? 'deauthorize' : 'deletion';
    const { app } = await toolsFor(platform);
    const signedRequest = readForm(event).get('signed_request') ?? '';
    try {
      const code = await acceptWithdrawal(
        { table, app, now: systemClock() },
        platform,
        request,
        signedRequest,
      );
      if (request === 'deauthorize') return textReply(200, 'ok');
      return jsonReply(200, {
        url: `${publicBaseUrl}/platforms/data-deletion/${code}`,
        confirmation_code: code,
      });
    } catch (error) {
      const isForged = error instanceof HeraldError && error.kind === 'unauthorized';
      if (isForged) record([{ name: 'InboundRefused', value: 1, platform }]);
      throw error;
    }
  };
});
