import { introduce, leaveForPlatform } from '../../../lib/connections/introduce.ts';
import { pageHandler } from '../../middleware/page.ts';

/** `GET` and `POST /oauth/{platform}/begin` */
export const build = pageHandler({}, (ports, { visit, method }) =>
  method === 'POST' ? leaveForPlatform(ports, visit) : introduce(ports, visit),
);
