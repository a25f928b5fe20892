import { readAccountMetricsOperation } from '../../../lib/insights/operations.ts';
import { readAccountMetrics } from '../../../lib/insights/read-account.ts';
import { apiHandler } from '../../middleware/api.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `GET /v1/accounts/{id}/metrics` */
export const build = apiHandler(
  readAccountMetricsOperation,
  { stageFeatures },
  async ({ context, path, query }) => ({
    status: 200,
    body: { metrics: await readAccountMetrics(context, path.id, query) },
  }),
);
