import { completeLogin } from '../../../lib/connections/callback.ts';
import { pageHandler } from '../../middleware/page.ts';

/** `GET /oauth/{platform}/callback` */
export const build = pageHandler((ports, { visit, fields }) => completeLogin(ports, visit, fields));
