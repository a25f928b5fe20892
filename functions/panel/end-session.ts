import { endSessionOperation } from '../../lib/people/operations.ts';
import { endSessionById } from '../../lib/people/sessions.ts';
import { sessionHandler } from '../middleware/api.ts';

/** `DELETE /panel/sessions/{id}` */
export const build = sessionHandler(endSessionOperation, {}, async ({ context, path }) => {
  await endSessionById(context.table, context.session.personId, path.id);
  return { status: 204 };
});
