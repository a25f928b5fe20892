import type { listMetricsOperation } from '../../../insights/operations.ts';
import { readError } from '../../api/api-error.ts';
import { urlOf } from '../../api/client.ts';
import type { RequestOf } from '../../api/operation-types.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';

type Query = NonNullable<RequestOf<typeof listMetricsOperation>['query']>;

/** The most that the service answers. */
const perPage = '100';

/**
 * Reads the results as the service's CSV, page by page to the last, as one table with one line of headings.
 *
 * @throws ApiError
 */
export async function readCsv(query: Query): Promise<string> {
  const workspace = workspaceChoice.current();
  const headers = { accept: 'text/csv', ...(workspace !== undefined && { 'x-workspace': workspace }) };
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const url = urlOf('/v1/metrics', { query: { ...query, limit: perPage, format: 'csv', cursor } });
    const response = await fetch(url, { headers, credentials: 'same-origin', redirect: 'error' });
    if (!response.ok) throw await readError(response);
    const text = await response.text();
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
  } while (cursor !== undefined);
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
