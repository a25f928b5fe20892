import { listSessionsOperation } from '../../lib/people/operations.ts';
import { listSessions } from '../../lib/people/sessions.ts';
import { sessionHandler } from '../middleware/api.ts';

/** `GET /panel/sessions` */
export const build = sessionHandler(listSessionsOperation, {}, async ({ context }) => {
  const { table, session, now } = context;
  return { status: 200, body: { sessions: await listSessions(table, session.personId, session.id, now) } };
});
