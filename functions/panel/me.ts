import { readMe } from '../../lib/people/me.ts';
import { readMeOperation } from '../../lib/people/operations.ts';
import { sessionHandler } from '../middleware/api.ts';
import { linkBaseUrl, publicBaseUrl } from '../wire/settings.ts';

/** `GET /panel/me` */
export const build = sessionHandler(readMeOperation, { publicBaseUrl, linkBaseUrl }, async ({ context }) => {
  const { table, session, now, publicBaseUrl, linkBaseUrl } = context;
  const me = await readMe(table, session, now);
  return { status: 200, body: { ...me, apiUrl: publicBaseUrl, linkUrl: linkBaseUrl } };
});
