import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isCode } from '../../lib/links/codes.ts';
import { LinkFinder } from '../../lib/links/link-finder.ts';
import { clickLost, type LinkStore, linkUnreadable } from '../../lib/links/link-table.ts';
import { isPrefetch, isPreviewAgent } from '../../lib/links/preview.ts';
import { errorReply, type Reply, securityHeaders } from '../middleware/reply.ts';
import type { Log } from '../wire/redirect.ts';

/** How long a redirect may wait for its click to be counted. */
const countBudgetMs = 100;

// Not `HeraldError`, whose table of codes would make the bundle larger.
const unknown = { kind: 'not_found', code: 'not_found', message: 'link not found' } as const;
const unreadable = {
  kind: 'unavailable',
  code: 'unavailable',
  message: 'the link cannot be looked up at the moment',
  retryAfterSeconds: 2,
} as const;

/**
 * Creates the handler that follows links. It uses no middleware and no schemas, because people wait for the redirect.
 * Nothing about the person is stored or logged.
 */
export function redirectHandler({ links, log }: { readonly links: LinkStore; readonly log: Log }) {
  const finder = new LinkFinder({
    readDestination: (code, budgetMs) => links.readDestination(code, budgetMs),
    onUnreadable: (error) => log('ERROR', linkUnreadable, error),
  });

  async function answer(event: APIGatewayProxyEventV2): Promise<Reply> {
    const code = event.pathParameters?.['code'] ?? '';
    if (!isCode(code)) return errorReply(unknown, event);
    const now = Date.now();
    const finding = finder.find(code, now);
    // Runs while the table responds.
    const counts = isClick(event);
    const link = await finding;
    switch (link.kind) {
      case 'unknown':
        return errorReply(unknown, event);
      case 'unavailable':
        return errorReply(unreadable, event);
      case 'found':
        if (counts) await count(code, now);
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

  /** Counts a click. If that fails, the click is lost, and the redirect happens all the same. */
  async function count(code: string, now: number): Promise<void> {
    try {
      await links.countClick(code, new Date(now).toISOString().slice(0, 10), countBudgetMs);
    } catch (error) {
      log('WARN', clickLost, error as Error);
    }
  }

  return async (event: APIGatewayProxyEventV2): Promise<Reply> => {
    const { requestId, http } = event.requestContext;
    const reply = await answer(event);
    reply.headers['x-request-id'] = requestId;
    reply.headers['x-robots-tag'] = 'noindex';
    if (http.method === 'HEAD') delete reply.body;
    return reply;
  };
}

function isClick({ headers, requestContext }: APIGatewayProxyEventV2): boolean {
  const { method, userAgent } = requestContext.http;
  return (
    method === 'GET' && !isPreviewAgent(headers['user-agent'] ?? userAgent ?? '') && !isPrefetch(headers)
  );
}
