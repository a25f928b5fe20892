import { sealGrant } from '../../lib/people/session-checks.ts';
import { finishSignIn } from '../../lib/people/sign-in.ts';
import { removeSignIn, setSession, signInTokenOf } from '../middleware/cookies.ts';
import { failurePage, signInRoute } from '../middleware/sign-in-route.ts';
import { vault } from '../wire/aws.ts';

/** `GET /panel/sign-in/callback` */
export const build = signInRoute({ vault }, async (ports, { event, panel }) => {
  const { vault } = ports;
  const sealed = (personId: string, refreshToken: string) => sealGrant(vault, personId, refreshToken);
  const outcome = await finishSignIn(
    { ...ports, sealGrant: sealed },
    {
      token: signInTokenOf(event),
      query: event.rawQueryString,
      userAgent: event.headers['user-agent'] ?? '',
    },
  );
  if (outcome.kind === 'failed') {
    const cookies = outcome.reason === 'sign_in_expired' ? [] : [removeSignIn()];
    return { ...failurePage(panel, outcome.reason), cookies };
  }
  return { location: outcome.location, cookies: [setSession(outcome.cookieValue), removeSignIn()] };
});
