import { systemClock } from '../../lib/kernel/clock.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { checkSessionOperation } from '../../lib/people/operations.ts';
import { checkSession } from '../../lib/people/session-checks.ts';
import { sessionHandler } from '../middleware/api.ts';
import { vault } from '../wire/aws.ts';
import { issuer } from '../wire/issuer.ts';

/** `POST /panel/session/check` */
export const build = sessionHandler(checkSessionOperation, { issuer, vault }, async ({ context }) => {
  await checkSession({ ...context, now: systemClock, sleep }, context);
  return { status: 204 };
});
