import aws4 from 'aws4';
import { exchange } from '../http-client/exchange.ts';
import { keptConnections } from '../http-client/kept-connections.ts';
import { systemClock } from '../kernel/clock.ts';
import { AwsCallError, type JsonClientOptions } from './json-client.ts';

export type InvalidationOptions = Pick<JsonClientOptions, 'endpoint' | 'credentials'> & {
  readonly distributionId: string;
};

const apiVersion = '2020-05-31';
const totalSeconds = 10;
const longestIdleMs = 30_000;

/**
 * Returns the function that makes a CloudFront distribution drop cached copies. It replaces the SDK's client for this one
 * request: https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html. CloudFront is a global
 * service, whose requests are signed for us-east-1: https://docs.aws.amazon.com/general/latest/gr/cf_region.html.
 *
 * The paths must consist of characters that need no escaping in XML. Repeating a reference with the same paths creates no second
 * invalidation.
 *
 * The function throws AwsCallError. It does not retry: the caller repeats the whole step later.
 */
export function openInvalidations({ endpoint, credentials, distributionId }: InvalidationOptions) {
  const url = new URL(`${endpoint}/${apiVersion}/distribution/${distributionId}/invalidation`);
  const begin = keptConnections(url.protocol, longestIdleMs, systemClock);
  return async (invalidation: { reference: string; paths: readonly string[] }): Promise<void> => {
    const body = bodyOf(invalidation);
    const headers = { Host: url.host, 'Content-Type': 'text/xml' };
    const unsigned = { service: 'cloudfront', region: 'us-east-1', method: 'POST', path: url.pathname };
    const exchanged = await exchange({
      start: () => {
        const request = begin(url, { method: 'POST', servername: url.hostname });
        const signed = aws4.sign({ ...unsigned, headers, body }, credentials);
        for (const [name, value] of Object.entries(signed.headers)) request.setHeader(name, value);
        return request;
      },
      body,
      limits: { totalSeconds },
    });
    if ('failure' in exchanged) {
      const { reached, code, message } = exchanged.failure;
      const failure = reached === 'unsent' ? 'unreachable' : 'unclear';
      throw new AwsCallError(failure, `CreateInvalidation: ${code ?? message}`);
    }
    const { status, body: answer } = exchanged.answer;
    if (status === 201) return;
    const [, code = ''] = /<Code>([^<]*)<\/Code>/.exec(answer.toString()) ?? [];
    const failure = status >= 500 ? 'unclear' : isThrottle(code) ? 'throttled' : 'refused';
    throw new AwsCallError(failure, `CreateInvalidation: ${status} ${code}`.trim());
  };
}

const isThrottle = (code: string) => code === 'TooManyInvalidationsInProgress' || code.startsWith('Throttl');

function bodyOf({ reference, paths }: { reference: string; paths: readonly string[] }): string {
  const items = paths.map((path) => `<Path>${path}</Path>`).join('');
  return [
    `<InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${apiVersion}/">`,
    `<CallerReference>${reference}</CallerReference>`,
    `<Paths><Quantity>${paths.length}</Quantity><Items>${items}</Items></Paths>`,
    '</InvalidationBatch>',
  ].join('');
}
