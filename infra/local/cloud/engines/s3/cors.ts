/** Evaluates a bucket's CORS rules. Pure. https://docs.aws.amazon.com/AmazonS3/latest/userguide/cors.html */

import { matchesGlob } from '../../identity/policy-patterns.ts';
import type { CorsRule } from '../../model.ts';

/** Returns the headers that allow a preflight; undefined if no rule allows it. */
export function preflightHeaders(
  rules: readonly CorsRule[],
  asked: { origin: string; method: string; headers: readonly string[] },
): Record<string, string> | undefined {
  const rule = rules.find(
    (candidate) =>
      allowsOrigin(candidate, asked.origin) &&
      candidate.allowedMethods.includes(asked.method) &&
      asked.headers.every((header) =>
        candidate.allowedHeaders.some((pattern) => matchesGlob(pattern, header, { ignoreCase: true })),
      ),
  );
  return (
    rule && {
      ...answerHeaders(rule, asked.origin),
      ...(asked.headers.length > 0 && { 'access-control-allow-headers': asked.headers.join(', ') }),
      ...(rule.maxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
    }
  );
}

/** Returns the headers that let a page from this origin read the response; none if no rule allows it. */
export function corsHeaders(
  rules: readonly CorsRule[],
  asked: { origin: string | undefined; method: string },
): Record<string, string> {
  const { origin } = asked;
  if (origin === undefined) return {};
  const rule = rules.find(
    (candidate) => allowsOrigin(candidate, origin) && candidate.allowedMethods.includes(asked.method),
  );
  return rule ? answerHeaders(rule, origin) : {};
}

function allowsOrigin(rule: CorsRule, origin: string): boolean {
  return rule.allowedOrigins.some((pattern) => matchesGlob(pattern, origin));
}

function answerHeaders(rule: CorsRule, origin: string): Record<string, string> {
  const isPublic = rule.allowedOrigins.includes('*');
  return {
    'access-control-allow-origin': isPublic ? '*' : origin,
    ...(!isPublic && { 'access-control-allow-credentials': 'true' }),
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(rule.exposedHeaders.length > 0 && {
      'access-control-expose-headers': rule.exposedHeaders.join(', '),
    }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}
