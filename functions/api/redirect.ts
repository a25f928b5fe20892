import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createJsonClient } from '../../lib/aws/json-client.ts';
import { HeraldError, notFound } from '../../lib/kernel/errors.ts';
import { isCode } from '../../lib/links/codes.ts';
import { LinkFinder } from '../../lib/links/link-finder.ts';
import { LinkTable } from '../../lib/links/link-table.ts';
import { clickLost, linkUnreadable } from '../../lib/links/lost.ts';
import { isPrefetch, isPreviewAgent } from '../../lib/links/preview.ts';
import { environment } from '../environment.ts';
import { errorReply, type Reply } from '../middleware/reply.ts';

/** So long an answer may wait for its click to be counted. */
const countBudgetMs = 100;

const variables = environment('AWS_ACCESS_KEY_ID', 'AWS_REGION', 'AWS_SECRET_ACCESS_KEY', 'TABLE_NAME');
const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, AWS_SESSION_TOKEN } = process.env;

const table = new LinkTable({
  tableName: variables.TABLE_NAME,
  call: createJsonClient({
    service: 'dynamodb',
    targetPrefix: 'DynamoDB_20120810',
    endpoint:
      AWS_ENDPOINT_URL_DYNAMODB ||
      AWS_ENDPOINT_URL ||
      `https://dynamodb.${variables.AWS_REGION}.amazonaws.com`,
    region: variables.AWS_REGION,
    credentials: {
      accessKeyId: variables.AWS_ACCESS_KEY_ID,
      secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    },
  }),
  random: Math.random,
});
const finder = new LinkFinder({
  readTarget: (code, budgetMs) => table.readTarget(code, budgetMs),
  onUnreadable: (error) => log('ERROR', linkUnreadable, error),
});

/**
 * `GET` and `HEAD /r/{code}`. It goes without middleware, schemas and the SDK: it stands between a click and what was
 * clicked (see `docs/decisions/0010-comment-automations.md`). Nothing of the person is kept or logged.
 */
export const handler = async (event: APIGatewayProxyEventV2): Promise<Reply> => {
  const { requestId, http } = event.requestContext;
  const reply = await answer(event);
  reply.headers['x-request-id'] = requestId;
  reply.headers['x-robots-tag'] = 'noindex';
  if (http.method === 'HEAD') delete reply.body;
  return reply;
};

async function answer(event: APIGatewayProxyEventV2): Promise<Reply> {
  const code = event.pathParameters?.['code'] ?? '';
  if (!isCode(code)) return errorReply(notFound('link'));
  const now = Date.now();
  const link = await finder.find(code, now);
  switch (link.kind) {
    case 'unknown':
      return errorReply(notFound('link'));
    case 'unavailable':
      return errorReply(
        new HeraldError('unavailable', 'the link cannot be looked up at the moment', {
          retryAfterSeconds: 2,
        }),
      );
    case 'found':
      if (isClick(event)) await count(code, now);
      return {
        statusCode: 302,
        headers: {
          location: link.url,
          'cache-control': 'private, no-store',
          'referrer-policy': 'no-referrer',
        },
      };
  }
}

function isClick({ headers, requestContext }: APIGatewayProxyEventV2): boolean {
  const { method, userAgent } = requestContext.http;
  return (
    method === 'GET' && !isPreviewAgent(headers['user-agent'] ?? userAgent ?? '') && !isPrefetch(headers)
  );
}

/** A click that cannot be counted is lost: whoever clicked is on their way all the same. */
async function count(code: string, now: number): Promise<void> {
  try {
    await table.countClick(code, new Date(now).toISOString().slice(0, 10), countBudgetMs);
  } catch (error) {
    log('WARN', clickLost, error as Error);
  }
}

/** In the form of the other functions' lines, without their logger. */
function log(level: 'WARN' | 'ERROR', message: string, error: Error): void {
  const { AWS_LAMBDA_FUNCTION_NAME: service } = process.env;
  process.stdout.write(
    `${JSON.stringify({ level, message, service, timestamp: new Date().toISOString(), error: error.message })}\n`,
  );
}
