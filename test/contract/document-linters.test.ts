import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import built from '../../functions/api/openapi.built.ts';
import { serversAt } from '../../lib/api-contract/openapi/servers.ts';

type Document = Record<string, unknown>;

const document: Document = { ...built, servers: serversAt('https://api.herald.dev') };

/** What each linter says about a document, errors and warnings, with its default rules. */
const linters: Readonly<Record<string, (document: Document) => Promise<string[]>>> = {
  'Redocly with the rules "recommended"': async (linted) => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: JSON.stringify(linted),
      config,
      absoluteRef: 'openapi.json',
    });
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
  },
  'Spectral with the rules "spectral:oas"': async (linted) => {
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [rulesets.oas] } as Parameters<typeof linter.setRuleset>[0]);
    const problems = await linter.run(structuredClone(linted));
    return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`);
  },
};

/** Spectral alone takes ten seconds of a processor. */
const timeoutMs = 120_000;

describe.each(Object.entries(linters))('%s', { timeout: timeoutMs }, (_name, lint) => {
  it('finds nothing in the document', async () => {
    expect(await lint(document)).toEqual([]);
  });

  it('finds what is missing in a document without descriptions of its tags and operations', async () => {
    const read = { operationId: 'getPost', responses: {} };
    const bare = {
      ...document,
      tags: [{ name: 'Posts' }],
      paths: { '/v1/posts': { get: read } },
      webhooks: {},
    };
    expect((await lint(bare)).length).toBeGreaterThan(1);
  });
});
