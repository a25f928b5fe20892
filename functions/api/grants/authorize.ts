import { systemClock } from '../../../lib/kernel/clock.ts';
import { pageHeaders } from '../../middleware/page-reply.ts';
import { addressOf, panelRequest } from '../../middleware/panel-request.ts';
import { RequestLimits } from '../../middleware/rate-limits.ts';
import { routeHandler } from '../../middleware/route.ts';
import { table } from '../../wire/aws.ts';
import { panelUrl } from '../../wire/panel-url.ts';
import { panelEdge, ratesPerMinute } from '../../wire/settings.ts';

/** The page of the panel that asks for consent. */
const page = '/developers/authorize';

/** `GET /oauth/authorize`: the person decides in the panel, where they are signed in. */
export const build = routeHandler(
  { table, ratesPerMinute, panelEdge, panelUrl },
  ({ table, ratesPerMinute, panelEdge, panelUrl }) => {
    const limits = new RequestLimits(table, ratesPerMinute);
    return async (event) => {
      const address = addressOf(event, panelRequest(event.headers, panelEdge));
      await limits.countAddress(event, address, systemClock());
      const location = `${await panelUrl()}${page}?${event.rawQueryString}`;
      return { statusCode: 303, headers: { ...pageHeaders, location } };
    };
  },
);
