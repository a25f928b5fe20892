import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Page } from '../../lib/api-contract/pages/page.ts';
import { type Reply, securityHeaders } from './reply.ts';

/**
 * The URLs of our pages contain codes and tokens, so caches must not keep them and other sites must not see them. With
 * `no-referrer`, browsers would send `Origin: null` with the pages' own forms (https://fetch.spec.whatwg.org/#origin-header).
 */
export const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  ...securityHeaders,
  'x-robots-tag': 'noindex',
};

export function pageReply({ status, html: body, contentSecurityPolicy }: Page): Reply {
  const headers = {
    ...pageHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
  };
  return { statusCode: status, headers, body };
}

/** Returns true if the client asks for HTML, as browsers do. Programs ask for JSON or for anything. */
export const wantsPage = ({ headers }: APIGatewayProxyEventV2): boolean =>
  /\btext\/html\b/i.test(headers['accept'] ?? '');
