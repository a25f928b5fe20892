import { SignInFailure } from '../../lib/people/issuer.ts';
import { signOutOperation } from '../../lib/people/operations.ts';
import { endSession } from '../../lib/people/sessions.ts';
import { sessionHandler } from '../middleware/api.ts';
import { removeSession } from '../middleware/cookies.ts';
import { issuer } from '../wire/issuer.ts';

/** `POST /panel/sign-out`. The session ends even if the issuer cannot be reached. */
export const build = sessionHandler(signOutOperation, { issuer }, async ({ context }) => {
  const { table, session, digest, panel, issuer, report } = context;
  await endSession(table, { ...session, digest });
  const signOutUrl = await issuer.signOutUrl(`${panel.origin}/signed-out`).catch((error) => {
    if (!(error instanceof SignInFailure)) throw error;
    report('nobody can sign out at the issuer', error);
    return null;
  });
  return { status: 200, body: { signOutUrl }, cookies: [removeSession()] };
});
