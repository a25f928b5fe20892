import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { html } from '../../lib/api-contract/pages/html.ts';
import { page } from '../../lib/api-contract/pages/page.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { type FollowPorts, linkFollower } from '../../lib/links/follow.ts';
import type { FoundLink } from '../../lib/links/link-finder.ts';
import type { Visit } from '../../lib/links/preview.ts';
import { pageReply, wantsPage } from '../middleware/page-reply.ts';
import { errorReply, type Reply, securityHeaders } from '../middleware/reply.ts';

// Not `HeraldError`, whose table of codes would make the bundle larger.
const unknown = { kind: 'not_found', code: 'not_found', message: 'link not found' } as const;
const unreadable = {
  kind: 'unavailable',
  code: 'unavailable',
  message: 'the link cannot be looked up at the moment',
  retryAfterSeconds: 2,
} as const;

const unknownPage = page({
  status: 404,
  title: 'This link leads nowhere',
  body: html`<p>Perhaps a part of it is missing. Open it again from the message that has it, or ask whoever sent it.</p>`,
});

const unreadablePage = page({
  status: 503,
  title: 'This link does not open at the moment',
  body: html`<p>Load this page again in a few seconds.</p>`,
});

function unreadableReply(): Reply {
  const reply = pageReply(unreadablePage);
  reply.headers['retry-after'] = String(unreadable.retryAfterSeconds);
  return reply;
}

/**
 * Creates the handler that follows links. It uses no middleware and no schemas, because people wait for the redirect.
 */
export function redirectHandler(ports: Pick<FollowPorts, 'links' | 'log'>) {
  const follow = linkFollower({ ...ports, now: systemClock });
  return async (event: APIGatewayProxyEventV2): Promise<Reply> => {
    const { requestId, http } = event.requestContext;
    const link = isInPanel(event)
      ? { kind: 'unknown' as const }
      : await follow(event.pathParameters?.['code'] ?? '', visitOf(event));
    const reply = replyOf(link, event);
    reply.headers['x-request-id'] = requestId;
    reply.headers['x-robots-tag'] = 'noindex';
    if (http.method === 'HEAD') delete reply.body;
    return reply;
  };
}

/**
 * Returns true if the request came through the panel's CloudFront. People trust that host, so it must not lead to other sites. A
 * client that sends the header itself gets no link, so its value does not matter.
 */
const isInPanel = ({ headers }: APIGatewayProxyEventV2): boolean => headers['x-origin-secret'] !== undefined;

function visitOf({ headers, requestContext: { http } }: APIGatewayProxyEventV2): Visit {
  return { method: http.method, userAgent: headers['user-agent'] ?? http.userAgent ?? '', headers };
}

function replyOf(link: FoundLink, event: APIGatewayProxyEventV2): Reply {
  switch (link.kind) {
    case 'unknown':
      return wantsPage(event) ? pageReply(unknownPage) : errorReply(unknown, event);
    case 'unavailable':
      return wantsPage(event) ? unreadableReply() : errorReply(unreadable, event);
    case 'found':
      return {
        statusCode: 302,
        headers: {
          location: link.url,
          'cache-control': 'private, no-store',
          'referrer-policy': 'no-referrer',
          ...securityHeaders,
        },
      };
  }
}
