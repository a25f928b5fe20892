import { beginSignInOperation } from '../../lib/people/operations.ts';
import { beginSignIn } from '../../lib/people/sign-in.ts';
import { sessionOf, setSignIn } from '../middleware/cookies.ts';
import { parseRequest } from '../middleware/parse-request.ts';
import { signInRoute } from '../middleware/sign-in-route.ts';

/** Where browsers say that a person, or a page of the panel, has sent them from: https://www.w3.org/TR/fetch-metadata/ */
const ownSites: readonly (string | undefined)[] = ['same-origin', 'none', undefined];

/**
 * `GET /panel/sign-in`. Other sites only get as far as the panel's first page: they must neither replace a sign-in under way nor sign in
 * somebody whom they have just signed in at the issuer.
 */
export const build = signInRoute(async (ports, { event, panel }) => {
  if (!ownSites.includes(event.headers['sec-fetch-site']))
    return { location: `${panel.origin}/`, cookies: [] };
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
