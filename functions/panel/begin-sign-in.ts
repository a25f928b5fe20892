import { beginSignInOperation } from '../../lib/people/operations.ts';
import { beginSignIn } from '../../lib/people/sign-in.ts';
import { sessionOf, setSignIn } from '../middleware/cookies.ts';
import { parseRequest } from '../middleware/parse-request.ts';
import { signInRoute } from '../middleware/sign-in-route.ts';

/** Values of `Sec-Fetch-Site` for requests that a person, or a page of the panel, has made: https://www.w3.org/TR/fetch-metadata/ */
const ownSites: readonly (string | undefined)[] = ['same-origin', 'none', undefined];

/**
 * `GET /panel/sign-in`. Requests from other sites only reach the panel's first page: another site must neither replace a sign-in
 * under way nor turn a session that it has just begun at the issuer into one of ours.
 */
export const build = signInRoute({}, async (ports, { event, panel }) => {
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
