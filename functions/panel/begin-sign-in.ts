import { beginSignInOperation } from '../../lib/people/operations.ts';
import { beginSignIn } from '../../lib/people/sign-in.ts';
import { sessionOf, setSignIn } from '../middleware/cookies.ts';
import { parseRequest } from '../middleware/parse-request.ts';
import { signInRoute } from '../middleware/sign-in-route.ts';

/** `GET /panel/sign-in` */
export const build = signInRoute(async (ports, { event, panel }) => {
  const { query } = parseRequest(beginSignInOperation, event) as {
    readonly query: { readonly returnTo?: string; readonly again?: 'true' };
  };
  const { location, token } = await beginSignIn(ports, {
    origin: panel.origin,
    returnTo: query.returnTo,
    isAgain: query.again === 'true',
    endsSession: sessionOf(event)?.digest,
  });
  return { location, cookies: [setSignIn(token)] };
});
