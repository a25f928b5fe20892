import { readMe } from '../../lib/people/me.ts';
import { readMeOperation } from '../../lib/people/operations.ts';
import { sessionHandler } from '../middleware/api.ts';
import { publicBaseUrl } from '../wire/settings.ts';

/** `GET /panel/me` */
export const build = sessionHandler(readMeOperation, { publicBaseUrl }, async ({ context }) => {
  const { table, session, now, publicBaseUrl } = context;
  return { status: 200, body: { ...(await readMe(table, session, now)), apiUrl: publicBaseUrl } };
});
