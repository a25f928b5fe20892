import { PostNumber } from '../platforms/contract/insights.ts';
import type { ListedMetrics } from './schemas.ts';

const columns = [
  'publishedAt',
  'platform',
  'accountId',
  'postId',
  'platformPostId',
  'permalink',
  'content',
  'removedAt',
  'asOf',
] as const satisfies readonly (keyof ListedMetrics)[];

/**
 * Returns a page as comma-separated values (RFC 4180), with a line of headings. A number that is missing is empty: its reason is in the
 * JSON form.
 */
export function toCsv(posts: readonly ListedMetrics[]): string {
  const lines = [
    [...columns, ...PostNumber.options, 'tags'],
    ...posts.map((post) => [
      ...columns.map((name) => cell(post[name])),
      ...PostNumber.options.map((name) => cell(post.metrics[name].value)),
      cell(post.tags.join(', ')),
    ]),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/**
 * Returns a value as one cell. Spreadsheets run a text that begins like a formula, so it gets an apostrophe in front.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
