import { createJsonClient } from '../../lib/aws/json-client.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { type LinkStore, LinkTable } from '../../lib/links/link-table.ts';
import { publishedVersion } from './published-version.ts';
import type { Environment, Wire } from './start.ts';

/**
 * Opens the links in the table, without the SDK (see `docs/decisions/0010-comment-automations.md`).
 *
 * @param pause waits before another attempt
 */
export function links(environment: Environment, pause = sleep): LinkStore {
  const region = environment('AWS_REGION');
  // The same variables that the SDK reads, so that all functions can be given another endpoint in the same way.
  const override = environment('AWS_ENDPOINT_URL_DYNAMODB', '') || environment('AWS_ENDPOINT_URL', '');
  return new LinkTable({
    tableName: environment('TABLE_NAME'),
    call: createJsonClient({
      service: 'dynamodb',
      targetPrefix: 'DynamoDB_20120810',
      endpoint: override || `https://dynamodb.${region}.amazonaws.com`,
      region,
      credentials: {
        accessKeyId: environment('AWS_ACCESS_KEY_ID'),
        secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
        sessionToken: environment('AWS_SESSION_TOKEN', ''),
      },
    }),
    random: Math.random,
    sleep: pause,
  });
}

export type Log = (level: 'WARN' | 'ERROR', message: string, error: Error) => void;

/** Writes log lines in the format of the other functions, without their logger. */
export const log: Wire<Log> = (environment) => {
  const service = environment('AWS_LAMBDA_FUNCTION_NAME', '');
  const version = publishedVersion(environment('AWS_LAMBDA_FUNCTION_VERSION', ''));
  return (level, message, error) => {
    const timestamp = new Date().toISOString();
    const line = JSON.stringify({ level, message, service, version, timestamp, error: error.message });
    process.stdout.write(`${line}\n`);
  };
};
