import { expect, it } from 'vitest';
import { errorListPage, errorPage } from '../../../lib/api-contract/errors/pages.ts';
import { errorCodes } from '../../../lib/kernel/error-codes.ts';
import { outcomeCodes } from '../../../lib/targets/outcome-codes.ts';

const everyCode = [...new Set([...Object.keys(errorCodes), ...Object.keys(outcomeCodes)])];
const urlOf = (code: string) => `https://api.example.com/docs/errors/${code}`;

it.each(everyCode)('the list leads to the page of %s', (code) => {
  expect(errorListPage(outcomeCodes).html).toContain(`href="errors/${code}"`);
  const { status, html } = errorPage(code, outcomeCodes, urlOf(code));
  expect(status).toBe(200);
  expect(html).toContain(`<h1>${code}</h1>`);
  expect(html).toContain('What to do:');
});

it('a code that both a response and a destination may have is described as both', () => {
  const { html } = errorPage('account_expired', outcomeCodes, urlOf('account_expired'));
  expect(html).toContain('status 409');
  expect(html).toContain('category reconnect');
});

it('the page of an error about a field has an example that names the field', () => {
  const { html } = errorPage('content_too_long', outcomeCodes, urlOf('content_too_long'));
  expect(html).toContain('&#34;param&#34;: &#34;content&#34;');
  expect(html).toContain(urlOf('content_too_long'));
});

it.each(['nonsense', '__proto__', 'constructor', '<script>', ''])(
  'the code %j has a page with status 404',
  (code) => {
    const { status, html } = errorPage(code, outcomeCodes, urlOf(code));
    expect(status).toBe(404);
    expect(html).not.toContain('<script>');
  },
);
