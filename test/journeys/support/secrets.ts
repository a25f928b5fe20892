import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { TestCloud } from '../../support/local-cloud.ts';

export interface Secret {
  /** Names the secret in error messages. Never the secret itself. */
  readonly what: string;
  readonly value: string;
}

/** Kinds of a simulator's records whose id is a bearer token or code. */
const bearerKinds = ['token', 'access-token', 'refresh-token', 'authorization-code'];

const Records = z.array(z.object({ kind: z.string(), id: z.string() }));
const AccessKeys = z.record(z.string(), z.object({ secretAccessKey: z.string(), sessionToken: z.string() }));

/** Returns the tokens that platforms issued, the secrets of our apps, the API keys, and the functions' AWS credentials. */
export function secretsOfRun({ dataDirectory, demo, other }: TestCloud): Secret[] {
  const accessKeys = AccessKeys.parse(
    JSON.parse(readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8')),
  );
  return [
    ...platformSecrets(join(dataDirectory, 'platforms')),
    ...[demo, other].map(({ name, apiKey }) => ({ what: `API key of ${name}`, value: apiKey })),
    ...Object.entries(accessKeys).flatMap(([name, { secretAccessKey, sessionToken }]) => [
      { what: `AWS secret key of ${name}`, value: secretAccessKey },
      { what: `AWS session token of ${name}`, value: sessionToken },
    ]),
    // The secrets of all apps in a local run have this prefix (see bin/dev/platforms.ts).
    { what: 'secrets of our apps', value: 'local-secret-of-' },
    { what: 'verify token of webhooks', value: 'local-verify-token' },
  ];
}

function platformSecrets(directory: string): Secret[] {
  return readdirSync(directory).flatMap((platform) => {
    const [file] = readdirSync(join(directory, platform)).filter((name) => name.endsWith('.sqlite'));
    if (file === undefined) return [];
    const database = new DatabaseSync(join(directory, platform, file), { readOnly: true });
    try {
      const marks = bearerKinds.map(() => '?').join();
      const rows = database.prepare(`SELECT kind, id FROM record WHERE kind IN (${marks})`);
      return Records.parse(rows.all(...bearerKinds)).map(({ kind, id }) => ({
        what: `${kind} of ${platform}`,
        value: id,
      }));
    } finally {
      database.close();
    }
  });
}

/** Returns the names of secrets that appear in the lines, plain, URL-encoded or JSON-encoded. */
export function leaksIn(lines: readonly string[], secrets: readonly Secret[]): string[] {
  const text = lines.join('\n');
  return secrets.flatMap(({ what, value }) => {
    const forms = new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
    return [...forms].some((form) => text.includes(form)) ? [what] : [];
  });
}
