import { completeLogin } from '../../../lib/connections/callback.ts';
import { pageHandler } from '../../middleware/page.ts';
import { vault } from '../../wire/aws.ts';

/** `GET /oauth/{platform}/callback` */
export const build = pageHandler({ vault }, (ports, { visit, fields }) =>
  completeLogin(ports, visit, fields),
);
