import { toCsv } from '../../../lib/insights/csv.ts';
import { listMetrics } from '../../../lib/insights/list.ts';
import { listMetricsOperation } from '../../../lib/insights/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/metrics` */
export const build = apiHandler(listMetricsOperation, {}, async ({ context, query, headers }) => {
  const page = await listMetrics(context, query);
  const format = query.format ?? (/\btext\/csv\b/i.test(headers['accept'] ?? '') ? 'csv' : 'json');
  if (format === 'json') return { status: 200, body: page };
  const { posts, nextCursor } = page;
  const file = {
    'content-disposition': 'attachment; filename="metrics.csv"',
    ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
  };
  return { status: 200, text: { type: 'text/csv', content: toCsv(posts), headers: file } };
});
