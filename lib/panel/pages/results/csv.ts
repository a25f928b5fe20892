import type { listMetricsOperation } from '../../../insights/operations.ts';
import { readError } from '../../api/api-error.ts';
import { urlOf } from '../../api/client.ts';
import type { RequestOf } from '../../api/operation-types.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';

type Query = NonNullable<RequestOf<typeof listMetricsOperation>['query']>;

/** The most pages that one file has. */
const mostPages = 50;

/**
 * Reads the results as the service's CSV, page by page, as one table with one line of headings.
 *
 * @throws ApiError
 */
export async function readCsv(query: Query): Promise<string> {
  const workspace = workspaceChoice.current();
  const headers = { accept: 'text/csv', ...(workspace !== undefined && { 'x-workspace': workspace }) };
  const parts: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const url = urlOf('/v1/metrics', { query: { ...query, format: 'csv', cursor } });
    const response = await fetch(url, { headers, credentials: 'same-origin', redirect: 'error' });
    if (!response.ok) throw await readError(response);
    const text = await response.text();
    parts.push(pages === 0 ? text : text.slice(text.indexOf('\n') + 1));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
    if (cursor === undefined) break;
  }
  return parts.join('');
}

/** Gives the browser a file to keep. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
