import { readPostMetricsOperation } from '../../../lib/insights/operations.ts';
import { readPostMetrics } from '../../../lib/insights/read-post.ts';
import { systemClock } from '../../../lib/kernel/clock.ts';
import { insightsFor } from '../../../lib/platforms/registry/insights.ts';
import { apiHandler } from '../../middleware/api.ts';
import { accountPorts } from '../../wire/account-ports.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `GET /v1/posts/{id}/metrics` */
export const build = apiHandler(
  readPostMetricsOperation,
  { toolsFor, vault, stageFeatures },
  async ({ context, path, query }) => {
    const { report } = context;
    const asking = { ...accountPorts(context), now: systemClock, insightsFor, report };
    return { status: 200, body: { metrics: await readPostMetrics({ ...context, asking }, path.id, query) } };
  },
);
