import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError, notFound } from '../../lib/kernel/errors.ts';
import { type SignInError, SignInFailure } from '../../lib/people/issuer.ts';
import type { SignInPorts } from '../../lib/people/sign-in.ts';
import { table } from '../wire/aws.ts';
import { issuer } from '../wire/issuer.ts';
import { logger, reportWarning } from '../wire/logger.ts';
import { panelEdge, ratesPerMinute } from '../wire/settings.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { latePageReply } from './error-page.ts';
import { inTime } from './in-time.ts';
import { pageHeaders } from './page-reply.ts';
import { type PanelRequest, panelRequest } from './panel-request.ts';
import { type CountedEvent, RequestLimits } from './rate-limits.ts';
import { errorReply, type Reply } from './reply.ts';
import { requestId, requestIdOf } from './route.ts';

/** A browser on its way to the issuer, or back from it. */
interface SignInVisit extends CountedEvent {
  panel?: PanelRequest;
}

/** The browser's next address, and the cookies to set. */
interface Redirect {
  readonly location: string;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

type Answer<Uses extends Wires> = (
  ports: SignInPorts & Wired<Uses>,
  visit: { event: CountedEvent; panel: PanelRequest },
) => Promise<Redirect>;

/**
 * Creates the handler of a route of the sign-in, which browsers reach by navigation: one from the panel, the other from the
 * issuer. Whatever happens, it sends them to a page of the panel or to the issuer. The API's own host does not serve these
 * routes.
 *
 * @param uses the route's further dependencies
 */
export function signInRoute<Uses extends Wires>(uses: Uses, answer: Answer<Uses>) {
  return handlerFactory({ ...uses, table, issuer, ratesPerMinute, panelEdge }, (dependencies) => {
    const { table, ratesPerMinute, panelEdge } = dependencies;
    const limits = new RequestLimits(table, ratesPerMinute);
    return inTime(
      middy<SignInVisit, Reply, Error, Context>()
        .use(requestId())
        .use(failedSignIn())
        .handler(async (event) => {
          const now = systemClock();
          const panel = panelRequest(event.headers, panelEdge);
          if (!panel) throw notFound('sign-in');
          event.panel = panel;
          await limits.countAddress(event, panel.viewerAddress, now);
          const { location, cookies } = await answer(
            { ...dependencies, now, report: reportWarning },
            { event, panel },
          );
          return redirect(location, cookies);
        }),
      latePageReply,
    );
  });
}

const redirect = (location: string, cookies: readonly string[]): Reply => ({
  statusCode: 303,
  headers: { ...pageHeaders, location },
  cookies: [...cookies],
});

/**
 * Redirects to the page that says why a sign-in failed. The cookie of an attempt stays, unless its answer was used: other sites
 * and tabs can also send the browser here, and must not end the attempt.
 */
export const failurePage = ({ origin }: PanelRequest, code: SignInError | string): Redirect => ({
  location: `${origin}/signed-out?error=${code}`,
  cookies: [],
});

function failedSignIn(): middy.MiddlewareObj<SignInVisit, Reply> {
  return {
    onError: (request) => {
      const { error, event } = request;
      const isExpected = error instanceof HeraldError || error instanceof SignInFailure;
      if (!isExpected) logger.error('a sign-in failed', error as Error);
      if (error instanceof SignInFailure) logger.warn('a sign-in failed', error);
      if (event.panel) {
        const { location, cookies } = failurePage(event.panel, codeOf(error));
        request.response = redirect(location, cookies);
      } else {
        const problem = error instanceof HeraldError ? error : internal(requestIdOf(event));
        request.response = errorReply(problem, event);
      }
    },
  };
}

function codeOf(error: unknown): string {
  if (error instanceof SignInFailure) return error.reason;
  return error instanceof HeraldError ? error.code : 'internal';
}

const internal = (id: string) =>
  new HeraldError('internal', `something went wrong on our side; quote request ${id}`);
