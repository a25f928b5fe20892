import { beforeAll, describe, expect, it } from 'vitest';
import { errorPage } from '../../../lib/api-contract/errors/pages.ts';
import { functionName, type Operation } from '../../../lib/api-contract/operation.ts';
import { deployedOperations } from '../../../lib/operations.ts';
import { outcomeCodes } from '../../../lib/targets/outcome-codes.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';

let call: Call;
beforeAll(async () => {
  ({ call } = await openApi());
});

const sentence = 'Your workspace was locked. Call +1 555 0100';
const lure = /workspace was locked|555 0100/;

/** Parameters that pages read, and those in which others send texts. */
const query = new URLSearchParams(
  [
    ...['state', 'code', 'error', 'error_description', 'error_reason', 'error_uri', 'iss', 'scope'],
    ...['message', 'title', 'platform', 'returnTo', 'redirectUrl', 'connected', 'account', 'answer'],
  ].map((name): [string, string] => [name, sentence]),
);

// The pages of the documents have a test of their own: their function needs files of its bundle.
const ofBrowsers = deployedOperations
  .filter(({ handler }) => handler !== 'docs')
  .filter(({ access }) => access === 'public' || access === 'rate-limited');

async function visit({ handler, method, path }: Operation, text: string): Promise<Answer> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return call(functionName(handler), {
    route: `${method} ${path}`,
    path: Object.fromEntries(names.map((name) => [name, text])),
    query: query.toString(),
    rawBody: query.toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });
}

describe('a page of the API shows no sentence from a link', () => {
  it.each(ofBrowsers)('$method $path', async (operation) => {
    for (const answer of [await visit(operation, sentence), await visit(operation, 'threads')]) {
      if (!answer.headers['content-type']?.startsWith('text/html')) continue;
      expect(answer.text).not.toMatch(lure);
    }
  });

  it('about an error that does not exist', () => {
    const { status, html } = errorPage(
      sentence,
      outcomeCodes,
      `/docs/errors/${encodeURIComponent(sentence)}`,
    );
    expect(status).toBe(404);
    expect(html).not.toMatch(lure);
  });

  it('at any other address', async () => {
    const answer = await call('not-found', { headers: { accept: 'text/html' }, query: query.toString() });
    expect(answer.text).not.toMatch(lure);
  });
});
