import { pageHeaders } from '../../middleware/page-reply.ts';
import { routeHandler } from '../../middleware/route.ts';
import { panelUrl } from '../../wire/panel-url.ts';

/** The page of the panel that asks for consent. */
const page = '/developers/authorize';

/** `GET /oauth/authorize`: the person decides in the panel, where they are signed in. */
export const build = routeHandler({ panelUrl }, ({ panelUrl }) => async ({ rawQueryString }) => ({
  statusCode: 303,
  headers: { ...pageHeaders, location: `${await panelUrl()}${page}?${rawQueryString}` },
}));
