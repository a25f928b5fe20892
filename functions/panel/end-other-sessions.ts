import { endOtherSessionsOperation } from '../../lib/people/operations.ts';
import { endOtherSessions } from '../../lib/people/sessions.ts';
import { sessionHandler } from '../middleware/api.ts';

/** `DELETE /panel/sessions` */
export const build = sessionHandler(endOtherSessionsOperation, {}, async ({ context }) => {
  await endOtherSessions(context.table, context.session.personId, context.session.id);
  return { status: 204 };
});
